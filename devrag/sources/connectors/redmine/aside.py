"""Pieces of a text that are done, put aside while the rest is converted. Pure."""

from __future__ import annotations

import re

_MARK = re.compile("\x02(\\d+)\x03")
_IN_TEXT = {2: None, 3: None, 0: None}


class Aside:
    """Pieces of one text. Each is put aside once and comes back once."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    @staticmethod
    def clean(text: str) -> str:
        """Return a text without the characters that stand for pieces."""
        return text.translate(_IN_TEXT).replace("\r\n", "\n").replace("\r", "\n")

    def put(self, piece: str) -> str:
        """Keep a piece, maybe with earlier ones in it; return what stands for it."""
        self._pieces.append(piece)
        return f"\x02{len(self._pieces) - 1}\x03"

    def restore(self, text: str) -> str:
        """Return a text with its pieces."""
        return _MARK.sub(lambda found: self.restore(self._pieces[int(found[1])]), text)


def is_piece(line: str) -> bool:
    """Return whether a line is nothing but a piece."""
    return _MARK.fullmatch(line.strip()) is not None

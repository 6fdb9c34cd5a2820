"""A model's text as it comes, as far as a reader should see it before it is checked."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[ \t]*\[\[[^\[\]\n]{0,80}\]\]")
# What may become such a mark with the next piece.
_BEGUN = re.compile(r"[ \t]*\[(?:\[[^\[\]\n]{0,80}\]?)?\Z|[ \t]+\Z")


class DraftText:
    """Leaves out the ids of passages, which may come in several pieces."""

    def __init__(self) -> None:
        self._left = ""

    def add(self, piece: str) -> str:
        """Return what can be shown now that a piece has come."""
        text = _MARKS.sub("", self._left + piece)
        begun = _BEGUN.search(text)
        at = begun.start() if begun else len(text)
        self._left = text[at:]
        return text[:at]

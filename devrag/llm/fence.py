"""Marks around text from repositories: a random word no text can know beforehand."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from devrag.core.masking import mask_secrets
from devrag.core.text import one_line


class Fence:
    """The marks of one request. word: occurs in none of the texts it was made for."""

    def __init__(self, texts: Iterable[str]) -> None:
        held = list(texts)
        self.word = secrets.token_hex(6)
        while any(self.word in text for text in held):
            self.word = secrets.token_hex(6)

    def around(self, label: str, text: str) -> str:
        """Return the text between marks, secrets masked; the label is data, too."""
        body = mask_secrets(f"{one_line(label)}\n{text.rstrip()}")
        return f"<<DATA-{self.word} {body}\nDATA-{self.word}>>"


def all_around(fence: Fence, texts: Iterable[tuple[str, str]]) -> str:
    """Return labelled texts, each between marks."""
    return "\n\n".join(fence.around(label, text) for label, text in texts)

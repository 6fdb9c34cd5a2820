"""Marks around text from repositories: a random word no text can know beforehand.

It is of letters alone: a request is masked as a whole, and a word of letters and digits
would be taken for a key where a text ends with `api_key:`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from string import ascii_lowercase

from devrag.core.masking import mask_secrets
from devrag.core.text import one_line

_LETTERS = 12


class Fence:
    """The marks of one request. word: occurs in none of the texts it was made for."""

    def __init__(self, texts: Iterable[str]) -> None:
        held = list(texts)
        self.word = _random_word()
        while any(self.word in text for text in held):
            self.word = _random_word()

    def around(self, label: str, text: str) -> str:
        """Return the text between marks, secrets masked; the label is data, too."""
        body = mask_secrets(f"{one_line(label)}\n{text.rstrip()}")
        return f"<<DATA-{self.word} {body}\nDATA-{self.word}>>"


def _random_word() -> str:
    return "".join(secrets.choice(ascii_lowercase) for _ in range(_LETTERS))


def all_around(fence: Fence, texts: Iterable[tuple[str, str]]) -> str:
    """Return labelled texts, each between marks."""
    return "\n\n".join(fence.around(label, text) for label, text in texts)

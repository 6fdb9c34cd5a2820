"""The bytes of a listed file as text, or the reason why it has none.

What looks like a secret is masked before anything is stored: chunks, symbols, facts,
the keyword index and vectors come from this text, and no search finds a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from devrag.core.masked_text import Masked
from devrag.indexing.parser import parser
from devrag.parsing.data import ParserReply
from devrag.parsing.text import Decoded, Unreadable, extract
from devrag.sources.api import lfs_size, secret_key


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A line in which something was masked, by which rule. key: see `secret_key`."""

    rule: str
    line: int
    key: str


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with its secrets masked, or why there is none; what was masked in it."""

    found: Decoded | Unreadable
    secrets: tuple[FoundSecret, ...] = ()


def extract_text(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text as it stands; binary files and stand-ins have none."""
    size = lfs_size(data)
    if size is not None:
        return Unreadable(f"Git LFS pointer ({size / 1e6:.1f} MB)")
    return extract(path, data)


def mask_texts(found: Sequence[tuple[str, Decoded | Unreadable]]) -> list[MaskedText]:
    """Return extracted texts in their order, secrets masked. found: by path.

    A text that cannot be searched for secrets is left out.
    """
    texts = [(path, text.text) for path, text in found if isinstance(text, Decoded)]
    answers = iter(parser().mask_texts(texts))
    return [
        _masked(path, text, next(answers))
        if isinstance(text, Decoded)
        else MaskedText(text)
        for path, text in found
    ]


def _masked(path: str, text: Decoded, answer: ParserReply) -> MaskedText:
    if answer.error:
        reason = f"not searched for secrets ({answer.error})"
        return MaskedText(Unreadable(reason))
    masked: Masked = answer.value
    return MaskedText(replace(text, text=masked.text), tuple(_secrets(path, masked)))


def _secrets(path: str, masked: Masked) -> Iterator[FoundSecret]:
    lines = masked.text.split("\n") if masked.places else []
    for line, rule in masked.places:
        key = secret_key(path, rule, lines[line - 1])
        yield FoundSecret(rule, line, key)

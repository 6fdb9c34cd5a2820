"""The bytes of a listed file as text, or the reason why it has none.

What looks like a secret is masked before anything is stored: chunks, symbols, facts,
the keyword index and vectors come from this text, and no search finds a secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devrag.indexing.parser import parser
from devrag.parsing.data import ParserReply
from devrag.parsing.text import Decoded, Unreadable, extract
from devrag.sources.api import lfs_size


def extract_text(path: str, data: bytes) -> Decoded | Unreadable:
    """Return a file's text as it stands; binary files and stand-ins have none."""
    size = lfs_size(data)
    if size is not None:
        return Unreadable(f"Git LFS pointer ({size / 1e6:.1f} MB)")
    return extract(path, data)


def mask_texts(
    found: Sequence[tuple[str, Decoded | Unreadable]],
) -> list[Decoded | Unreadable]:
    """Return extracted texts in their order, secrets masked. found: by path.

    A text that cannot be searched for secrets is left out.
    """
    texts = [(path, text.text) for path, text in found if isinstance(text, Decoded)]
    answers = iter(parser().mask_texts(texts))
    return [
        _masked(text, next(answers)) if isinstance(text, Decoded) else text
        for _, text in found
    ]


def _masked(text: Decoded, answer: ParserReply) -> Decoded | Unreadable:
    if answer.error:
        return Unreadable(f"not searched for secrets ({answer.error})")
    return replace(text, text=answer.value)

"""Mask what looks like a secret: keys, tokens, passwords. Pure, in linear time.

`tokens` knows the forms in which providers issue keys, `keys` private keys in their
files' formats, `assigned` values that are assigned to a name such as `password`, and
`contexts` the rest: URLs, headers, command lines, manifests, password hashes. Each
yields spans; nothing else decides what is masked. `escapes` makes them see what JSON,
HTML and Markdown escape.

Every masked character becomes one `•` and line ends stay, so that lines, columns and
symbols keep their places, and a masked text masked again stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from devrag.core.masking.assigned import find_assigned
from devrag.core.masking.contexts import find_in_contexts
from devrag.core.masking.escapes import unescape
from devrag.core.masking.keys import find_private_keys
from devrag.core.masking.scanned import Scanned, Span
from devrag.core.masking.tokens import find_tokens, find_wrapped

__all__ = ["MASK", "mask_secrets"]

MASK = "•"
_MASKED = re.compile(r"[^\n]")


def mask_secrets(text: str) -> str:
    """Return the text with `•` for each character of what looks like a secret."""
    scanned = Scanned.of(text)
    found = list(chain(_find(scanned), find_wrapped(scanned, _has_secret)))
    if plain := unescape(text):
        found += map(plain.original, _find(Scanned.of(plain.text)))
    return _replace(text, found) if found else text


def _find(scanned: Scanned) -> Iterator[Span]:
    yield from find_tokens(scanned)
    yield from find_private_keys(scanned)
    yield from find_assigned(scanned)
    yield from find_in_contexts(scanned)


def _has_secret(text: str) -> bool:
    return next(_find(Scanned.of(text)), None) is not None


def _replace(text: str, spans: Iterable[Span]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in sorted(spans):
        if end > last:
            begin = max(start, last)
            parts += (text[last:begin], _MASKED.sub(MASK, text[begin:end]))
            last = end
    return "".join([*parts, text[last:]])

"""Mask what looks like a secret: keys, tokens, passwords. Pure, in linear time.

`tokens` knows the forms in which providers issue keys, `keys` private keys in their
files' formats, `assigned` values that are assigned to a name such as `password`, and
`contexts` the rest: URLs, headers, command lines, manifests, password hashes. Each
yields spans with the rule that found them (`rules`); nothing else decides what is
masked. `escapes` makes them see what JSON, HTML and Markdown escape.

Every masked character becomes one `•` and line ends stay, so that lines, columns and
symbols keep their places, and a masked text masked again stays as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain

from devrag.core.masked_text import Masked
from devrag.core.masking.assigned import find_assigned
from devrag.core.masking.contexts import find_in_contexts
from devrag.core.masking.escapes import unescape
from devrag.core.masking.keys import PRIVATE_KEY, find_private_keys
from devrag.core.masking.rules import GENERAL_RULES, Found
from devrag.core.masking.scanned import Scanned
from devrag.core.masking.tokens import find_tokens, find_wrapped

__all__ = ["MASK", "mask_secrets", "scan_secrets"]

MASK = "•"
_MASKED = re.compile(r"[^\n]")
_LINE_END = re.compile(r"\n")


def mask_secrets(text: str) -> str:
    """Return the text with `•` for each character of what looks like a secret."""
    return scan_secrets(text).text


def scan_secrets(text: str) -> Masked:
    """Return the masked text and what was masked in it."""
    scanned = Scanned.of(text)
    found = list(chain(_find(scanned), find_wrapped(scanned, _has_secret)))
    if plain := unescape(text):
        for start, end, rule in _find(Scanned.of(plain.text)):
            found.append(Found(*plain.original((start, end)), rule))
    secrets = [each for each in _merge(found) if not _is_masked(text, each)]
    if not secrets:
        return Masked(text)
    return Masked(_replace(text, secrets), tuple(_places(text, secrets)))


def _find(scanned: Scanned) -> Iterator[Found]:
    yield from find_tokens(scanned)
    yield from find_private_keys(scanned)
    yield from find_assigned(scanned)
    yield from find_in_contexts(scanned)


def _has_secret(text: str) -> bool:
    return next(_find(Scanned.of(text)), None) is not None


def _merge(found: Iterable[Found]) -> Iterator[Found]:
    """Yield what was found in its order, once; the rule that says more counts."""
    last: Found | None = None
    for each in sorted(found):
        if last is None or each.start >= last.end:
            if last is not None:
                yield last
            last = each
            continue
        is_general = last.rule in GENERAL_RULES
        rule = each.rule if is_general else last.rule
        last = Found(last.start, max(last.end, each.end), rule)
    if last is not None:
        yield last


def _is_masked(text: str, found: Found) -> bool:
    return not text[found.start : found.end].strip(f"{MASK}\n ")


def _replace(text: str, secrets: Iterable[Found]) -> str:
    parts: list[str] = []
    last = 0
    for start, end, _ in secrets:
        parts += (text[last:start], _MASKED.sub(MASK, text[start:end]))
        last = end
    return "".join([*parts, text[last:]])


def _places(text: str, secrets: Iterable[Found]) -> Iterator[tuple[int, str]]:
    """Yield line and rule of each secret, each pair once."""
    ends = [found.start() for found in _LINE_END.finditer(text)]
    last = (0, "")
    for start, end, rule in secrets:
        line = bisect_left(ends, start) + 1
        is_more = rule == last[1] == PRIVATE_KEY and line == last[0] + 1
        if (line, rule) != last and not is_more:
            yield line, rule
        last = (bisect_left(ends, end - 1) + 1, rule)

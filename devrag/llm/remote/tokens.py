"""Estimated tokens: the vocabularies of remote models are not here to count with."""

from __future__ import annotations

import math

# Bytes, not characters: a Japanese character is three bytes and about one token.
BYTES_PER_TOKEN = 3.5


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rounded up."""
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)


def cut_to_tokens(text: str, limit: int) -> str:
    """Return the beginning of a text that has about `limit` tokens, or all of it."""
    most = int(limit * BYTES_PER_TOKEN)
    data = text.encode()
    return text if len(data) <= most else data[:most].decode(errors="ignore")


def plan_calls(tokens: list[int], *, most_texts: int, most_tokens: int) -> list[range]:
    """Cut texts into runs of at most so many texts and tokens, in their order.

    A single text above the limit is a call of its own.
    """
    calls: list[range] = []
    start = total = 0
    for position, count in enumerate(tokens):
        is_full = position - start >= most_texts or total + count > most_tokens
        if is_full and position > start:
            calls.append(range(start, position))
            start, total = position, 0
        total += count
    return [*calls, range(start, len(tokens))] if tokens else []

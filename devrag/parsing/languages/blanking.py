"""Spaces for what a grammar does not know: every other byte stays in its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

VISIBLE = re.compile(rb"[^\n]")


def blank(match: re.Match[bytes]) -> bytes:
    """Return spaces in place of what was found, line ends kept."""
    return VISIBLE.sub(b" ", match[0])


def without(pattern: bytes) -> Callable[[bytes], bytes]:
    """Return what prepares a text by leaving out all that a pattern matches."""
    return partial(re.compile(pattern, re.MULTILINE).sub, blank)

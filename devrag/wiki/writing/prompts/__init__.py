"""The prompts of the writer: files beside this module, filled in at call time.

Their version is a hash of their texts, so that it changes whenever one of them does.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template

from devrag.core.hashing import sha256_hex

_NAMES = (
    *("system", "outline", "correction", "page", "anew", "revision", "rewrite"),
    *("support", "translation"),
)
_HERE = Path(__file__).parent
_PART = re.compile(r"(?<=[.:])\s+|\n|\$\w+")  # of a sentence, between what is filled in
_LONG_ENOUGH = 30  # shorter ones may stand in any honest text


@cache
def _text(name: str) -> str:
    return (_HERE / f"{name}.md").read_text(encoding="utf-8")


def fill(name: str, **values: str | int) -> str:
    """Return a prompt with its places filled; each of them must be given."""
    return Template(_text(name)).substitute(values).strip() + "\n"


@cache
def prompt_version() -> int:
    """Return the number of these prompts: equal texts, equal number."""
    return int(sha256_hex("\x1f".join(map(_text, _NAMES)))[:7], 16)


@cache
def prompt_sentences() -> frozenset[str]:
    """Return the prompts' sentences, by which a leak is recognised."""
    found = (
        part.strip(" -.:“”") for name in _NAMES for part in _PART.split(_text(name))
    )
    return frozenset(part for part in found if len(part) >= _LONG_ENOUGH)

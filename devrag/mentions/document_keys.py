"""By what texts mention a page or ticket: its address, and a ticket by its number."""

from __future__ import annotations

import re
from collections.abc import Collection

from devrag.parsing.api import address_key
from devrag.sources.models import Document

_NUMBERED = re.compile(r"/(issues|pull|merge_requests)/(\d+)$")
# Merge requests have numbers of their own; pull requests share those of issues.
_SIGNS = {"merge_requests": "!"}
# Folders that connectors keep tickets in, by what stands before their numbers.
_FOLDERS = {"#": ("issues", "pulls"), "!": ("merge_requests",)}


def keys_of(document: Document) -> list[str]:
    """Return what mentions of a page or ticket are kept by."""
    address = address_key(document.url)
    number = _NUMBERED.search(address)
    if document.kind != Document.Kind.TICKET or number is None:
        return [address] if address else []
    return [address, f"{_SIGNS.get(number[1], '#')}{number[2]}"]


def paths_of(keys: Collection[str]) -> list[str]:
    """Return where connectors keep the tickets that numbers among the keys may mean."""
    return [
        f"{folder}/{key[1:]}.md" for key in keys for folder in _FOLDERS.get(key[:1], ())
    ]

"""The embedded text of a chunk: class and signature, never the path, then its text.

A rename then reuses vectors by text hash. The version is part of an EmbeddingSpec.
"""

from __future__ import annotations

from devrag.core.hashing import sha256_hex

RECIPE_VERSION = 2
# What code does is said where it begins: to embed all of it costs twice the time and
# finds fewer definitions (decision 12).
_CODE_CHARACTERS = 500
_CODE_KINDS = frozenset({"symbol", "window"})


def embedded_text(*, kind: str, header: str, heading: str, text: str) -> str:
    """Return what is embedded: the header without its path, then the text.

    Of code its beginning, of sections and entries of documents all of it.
    """
    _path, _, context = header.partition(" > ")
    lead = context or heading
    whole = f"{lead}\n{text}" if lead and not text.startswith(lead) else text
    return whole[:_CODE_CHARACTERS] if kind in _CODE_KINDS else whole


def embedded_hash(*, kind: str, header: str, heading: str, text: str) -> str:
    """Return the SHA-256 of the embedded text: the key of vector reuse."""
    return sha256_hex(
        embedded_text(kind=kind, header=header, heading=heading, text=text)
    )

"""The embedded text of a chunk: class and signature, never the path.

A rename then reuses vectors by text hash. The version is part of an EmbeddingSpec.
"""

from __future__ import annotations

from devrag.core.hashing import sha256_hex

RECIPE_VERSION = 1


def embedded_text(*, header: str, heading: str, text: str) -> str:
    """Return what is embedded: the header without its path, then the text."""
    _path, _, context = header.partition(" > ")
    lead = context or heading
    return f"{lead}\n{text}" if lead and not text.startswith(lead) else text


def embedded_hash(*, header: str, heading: str, text: str) -> str:
    """Return the SHA-256 of the embedded text: the key of vector reuse."""
    return sha256_hex(embedded_text(header=header, heading=heading, text=text))

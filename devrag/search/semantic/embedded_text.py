"""The embedded text of a chunk: its file's name, class and signature, then its text.

Vectors are found again by the hash of all but the file's name, so that a file that is
renamed or copied keeps them. The version is part of an EmbeddingSpec.
"""

from __future__ import annotations

import re

from devrag.core.hashing import sha256_hex

RECIPE_VERSION = 2
# What code does is said where it begins: to embed all of it costs twice the time and
# finds fewer definitions (decision 12).
_CODE_CHARACTERS = 500
_CODE_KINDS = frozenset({"symbol", "window"})
# A name that a program made says nothing.
_HASH = re.compile(r"[0-9a-f-]{16,}(\.|$)")


def embedded_text(*, kind: str, header: str, heading: str, text: str) -> str:
    """Return what is embedded: the header without folders, then the text.

    Of code its beginning, of sections and entries of documents all of it.
    """
    name = header.partition(" > ")[0].rpartition("/")[2]
    shown = _shown(kind, header, heading, text)
    return shown if _HASH.match(name) else f"{name} {shown}"


def embedded_hash(*, kind: str, header: str, heading: str, text: str) -> str:
    """Return the SHA-256 by which equal texts share a vector, whatever their file."""
    return sha256_hex(_shown(kind, header, heading, text))


def _shown(kind: str, header: str, heading: str, text: str) -> str:
    _path, _, context = header.partition(" > ")
    lead = context or heading
    whole = f"{lead}\n{text}" if lead and not text.startswith(lead) else text
    return whole[:_CODE_CHARACTERS] if kind in _CODE_KINDS else whole

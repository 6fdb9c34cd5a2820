"""The embedded text of a chunk: file name, class and signature, then its text.

Vectors are found again by the hash of all but the file's name, so that a file that is
renamed or copied keeps them. The version is part of an EmbeddingSpec.
"""

from __future__ import annotations

import re

from devrag.core.hashing import sha256_hex

RECIPE_VERSION = 2
# What a text is about is said where it begins: to embed all of it costs twice the time
# and finds less (decision 12).
_CHARACTERS = 500
# Names of notes and handbooks repeat their titles, or are numbers.
_NAMED_KINDS = frozenset({"symbol", "window"})
# A name that a program made says nothing.
_HASH = re.compile(r"[0-9a-f-]{16,}(\.|$)")


def embedded_text(*, kind: str, header: str, heading: str, text: str) -> str:
    """Return what is embedded: of code its file's name, then how the chunk begins."""
    name = header.partition(" > ")[0].rpartition("/")[2]
    shown = _shown(header, heading, text)
    is_named = kind in _NAMED_KINDS and not _HASH.match(name)
    return f"{name} {shown}" if is_named else shown


def embedded_hash(*, header: str, heading: str, text: str) -> str:
    """Return the SHA-256 by which equal texts share a vector, whatever their file."""
    return sha256_hex(_shown(header, heading, text))


def _shown(header: str, heading: str, text: str) -> str:
    """Return class and signature, or heading, then the text, as far as it counts."""
    _path, _, context = header.partition(" > ")
    lead = context or heading
    whole = f"{lead}\n{text}" if lead and not text.startswith(lead) else text
    return whole[:_CHARACTERS]

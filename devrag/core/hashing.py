"""Content hashes and stable identifiers."""

from __future__ import annotations

import hashlib
import uuid

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://devrag.example/symbol")


def sha256_hex(data: bytes | str) -> str:
    """Return the lower-case hexadecimal SHA-256 of bytes, or of text as UTF-8."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()


def stable_uuid(*parts: object) -> uuid.UUID:
    """Return the UUIDv5 of the parts; equal parts give equal ids everywhere."""
    return uuid.uuid5(_NAMESPACE, "\x1f".join(str(part) for part in parts))

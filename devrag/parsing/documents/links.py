"""Where a document's link leads inside the source it stands in."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit


def resolve_link(path: str, target: str) -> str:
    """Return the path in the source that a link leads to, '' for anything else."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    written = unquote(parts.path)
    if written.startswith("/"):
        resolved = normpath(written.lstrip("/"))
    else:
        resolved = normpath(join(dirname(path), written))
    return "" if resolved.startswith("..") or resolved == "." else resolved

"""The keys of JSON documents: one rule, for the server and for clients."""

from __future__ import annotations

_INITIALISMS = {"id": "ID", "url": "URL", "urls": "URLs"}


def json_name(name: str) -> str:
    """Return the key of a field: `source_id` → `sourceID`, `hook_urls` → `hookURLs`.

    Camel case with initialisms in capitals, as in Go.
    """
    first, *others = name.split("_")
    return first + "".join(_INITIALISMS.get(each, each.capitalize()) for each in others)

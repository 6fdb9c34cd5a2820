"""What the API tells of an issue, page or attachment, checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from devrag.core.hashing import sha256_hex
from devrag.sources.connectors.pages.names import attachment_name
from devrag.sources.connectors.pages.types import Item
from devrag.sources.connectors.pages.values import Json, list_of, text_of

_NO_TEXT = ("image/", "video/", "audio/", "font/")


def name_of(data: Json, key: str) -> str:
    """Return the name of something that is given by id and name, '' without it."""
    found = data.get(key)
    return str(found.get("name") or "") if isinstance(found, Mapping) else ""


def id_of(data: Json) -> int:
    """Return the number of something, 0 where there is none."""
    found = data.get("id")
    return found if isinstance(found, int) and found > 0 else 0


def mark_of(value: object) -> str:
    """Return another short mark for another value."""
    return sha256_hex(repr(value))[:12]


def custom_values(data: Json) -> Iterator[tuple[str, str]]:
    """Yield custom fields with their values, as words."""
    for field in list_of(data, "custom_fields"):
        value = field.get("value")
        many = value if isinstance(value, list) else [value]
        words = ", ".join(str(each) for each in many if each not in (None, ""))
        if words:
            yield text_of(field, "name"), words


def attachment_items(data: Json, owner: str, folder: str) -> list[Item]:
    """Return the files that are attached to what `data` is. owner: its id."""
    found = (
        attachment_item(each, f"{owner}/file:{id_of(each)}", folder)
        for each in list_of(data, "attachments")
    )
    return [each for each in found if each]


def attachment_item(data: Json, item_id: str, folder: str) -> Item | None:
    """Return a file as an item; None for what has no number.

    Its address is made here: the one that the server gives has the scheme and host that
    a proxy told it, to which no token may go.
    """
    number, name = id_of(data), text_of(data, "filename")
    if not number:
        return None
    size = data.get("filesize")
    return Item(
        item_id,
        mark_of((text_of(data, "created_on"), size, name, folder)),
        f"{folder}/{attachment_name(name or str(number))}",
        download=f"/attachments/download/{number}",
        size=size if isinstance(size, int) else 0,
        reason=_why_not(text_of(data, "content_type")),
    )


def _why_not(media: str) -> str:
    return f"no text ({media})" if media.lower().startswith(_NO_TEXT) else ""

"""What the API tells of an issue, page or attachment, checked. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.sources.connectors.pages.attached import attachment_head
from devrag.sources.connectors.pages.json_data import (
    Json,
    id_of,
    list_of,
    mark_of,
    name_of,
    text_of,
)
from devrag.sources.connectors.pages.names import attachment_name
from devrag.sources.connectors.pages.types import Item
from devrag.sources.documents import DocumentFacts, read_document

_NO_TEXT = ("image/", "video/", "audio/", "font/")


def custom_values(data: Json) -> Iterator[tuple[str, str]]:
    """Yield custom fields with their values, as words."""
    for field in list_of(data, "custom_fields"):
        value = field.get("value")
        many = value if isinstance(value, list) else [value]
        words = ", ".join(str(each) for each in many if each not in (None, ""))
        if words:
            yield text_of(field, "name"), words


def attachment_items(data: Json, owner: Item, folder: str, base_url: str) -> list[Item]:
    """Return the files that are attached to what `data` is. owner: its item."""
    facts = read_document(owner.text)
    found = (
        attachment_item(
            each, f"{owner.item_id}/file:{id_of(each)}", folder, facts, base_url
        )
        for each in list_of(data, "attachments")
    )
    return [each for each in found if each]


def attachment_item(
    data: Json, item_id: str, folder: str, owner: DocumentFacts | None, base_url: str
) -> Item | None:
    """Return a file as an item; None for what has no number. owner: what has it.

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
        attachment_head(
            name or str(number),
            owner,
            url=f"{base_url}/attachments/{number}",
            author=name_of(data, "author"),
            created=text_of(data, "created_on"),
        ),
        download=f"/attachments/download/{number}",
        size=size if isinstance(size, int) else 0,
        reason=_why_not(text_of(data, "content_type")),
    )


def _why_not(media: str) -> str:
    return f"no text ({media})" if media.lower().startswith(_NO_TEXT) else ""

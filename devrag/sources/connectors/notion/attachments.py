"""Files that Notion keeps for pages: named here, fetched when they are indexed.

Their addresses work for an hour and are others in each answer, so none is kept: what
is kept names the block or property to ask for one.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from devrag.core.hashing import sha256_hex
from devrag.sources.connectors.notion.api import NotionApi
from devrag.sources.connectors.notion.content import Block
from devrag.sources.connectors.notion.node import Node
from devrag.sources.connectors.notion.properties import files_of
from devrag.sources.connectors.notion.state import attachment_id
from devrag.sources.connectors.pages.attached import attachment_head
from devrag.sources.connectors.pages.json_data import Json, part_of, text_of
from devrag.sources.connectors.pages.names import attachment_name
from devrag.sources.connectors.pages.types import Item
from devrag.sources.documents import DocumentFacts

_NO_TEXT = ("image/", "video/", "audio/", "font/")
_MEDIA = ("image", "video", "audio")
_BLOCK, _PAGE = "block", "page"
_ADDRESS = re.compile(r"(block|page):([^:]+)(?::(.*):(\d+))?")


def attachment_items(
    node: Node,
    owner: DocumentFacts,
    path: str,
    blocks: Iterable[Block],
    properties: Json,
) -> Iterator[Item]:
    """Yield what is attached to a page, pictures as left out.

    owner: what is known of the page; path: where it lies.
    """
    for block in blocks:
        if is_kept(block.own):
            name = _name(block.own, block.kind)
            mark = f"{text_of(block.data, 'last_edited_time')}-{sha256_hex(name)[:8]}"
            part = block.block_id
            item = _item(node, path, part, name, mark, f"{_BLOCK}:{part}", block.kind)
            yield replace(item, text=attachment_head(name, owner))
    for property_id, number, file in files_of(properties):
        if is_kept(file):
            name = _name(file, "file")
            mark, part = (
                f"{node.edited}-{sha256_hex(name)[:8]}",
                f"{property_id}-{number}",
            )
            address = f"{_PAGE}:{node.node_id}:{property_id}:{number}"
            item = _item(node, path, part, name, mark, address, "file")
            yield replace(item, text=attachment_head(name, owner))


def is_kept(file: Json) -> bool:
    """Return whether Notion keeps a file itself; others are links."""
    return bool(text_of(part_of(file, "file"), "url"))


def download(api: NotionApi, address: str, limit: int) -> bytes | None:
    """Return a file's bytes; None when it is gone or has more than limit."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    kind, asked, property_id, number = found.groups()
    if kind == _BLOCK:
        file = api.file_of_block(asked)
    else:
        files = {(key, at): each for key, at, each in files_of(api.page_values(asked))}
        file = files.get((property_id or "", int(number or 0)), {})
    url = text_of(part_of(file, "file"), "url")
    return api.download(url, limit) if "://" in url else None


def _item(
    node: Node, path: str, part: str, name: str, mark: str, address: str, kind: str
) -> Item:
    media = mimetypes.guess_type(name)[0] or ""
    has_text = not media.startswith(_NO_TEXT) and kind not in _MEDIA
    return Item(
        attachment_id(node.node_id, part),
        mark,
        f"{path}/{attachment_name(name)}",
        download=address,
        reason="" if has_text else f"no text ({media or kind})",
    )


def _name(file: Json, kind: str) -> str:
    """Return a file's name: as Notion tells it, else as its address ends."""
    if name := text_of(file, "name"):
        return name
    try:
        tail = urlsplit(text_of(part_of(file, "file"), "url")).path.rpartition("/")[2]
    except ValueError:
        tail = ""
    return unquote(tail) or kind

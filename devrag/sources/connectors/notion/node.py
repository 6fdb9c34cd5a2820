"""What the API tells of a page or data source, without its blocks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from devrag.sources.connectors.pages.json_data import Json, list_of, part_of, text_of

Kind = Literal["page", "data_source"]
_GONE = ("in_trash", "is_archived", "archived")
_PARENTS = ("page_id", "data_source_id", "database_id", "block_id")


@dataclass(frozen=True, slots=True)
class Node:
    """A page or data source.

    edited, created: as the API writes times, to the minute. parent_kind: page_id,
    data_source_id, block_id, database_id, or '' for the workspace. database_id: of a
    data source, the database that it belongs to. data: the whole answer.
    """

    node_id: str
    kind: Kind
    title: str
    edited: str
    created: str
    parent_kind: str
    parent_id: str
    database_id: str
    is_gone: bool
    data: Json


def read_node(data: Json) -> Node | None:
    """Return what an answer holds; None for what is no page and no data source."""
    kind, node_id = data.get("object"), text_of(data, "id")
    if not node_id or (kind != "page" and kind != "data_source"):
        return None
    found = part_of(data, "parent")
    around = data.get("database_parent") if kind == "data_source" else None
    parent_kind, parent_id = parent_of(around or found)
    return Node(
        node_id,
        "page" if kind == "page" else "data_source",
        _title(data, kind),
        edited=text_of(data, "last_edited_time"),
        created=text_of(data, "created_time"),
        parent_kind=parent_kind,
        parent_id=parent_id,
        database_id=text_of(found, "database_id") if kind == "data_source" else "",
        is_gone=is_gone(data),
        data=data,
    )


def is_gone(data: Json) -> bool:
    """Return whether something is in the trash or archived."""
    return any(data.get(key) is True for key in _GONE)


def parent_of(parent: object) -> tuple[str, str]:
    """Return what something lies in as kind and id; nothing for the workspace.

    A page of a data source names its database as well: the data source counts.
    """
    found = parent if isinstance(parent, dict) else {}
    kinds = [text_of(found, "type"), *_PARENTS]
    for kind in kinds:
        if kind in _PARENTS and (parent_id := text_of(found, kind)):
            return kind, parent_id
    return "", ""


def is_elsewhere(node: Node, parent: str) -> bool:
    """Return whether a page or data source says that it lies in something else."""
    tells = node.parent_kind in {"page_id", "data_source_id"}
    return tells and bool(parent) and node.parent_id != parent


def plain_text(rich: list[Json]) -> str:
    """Return rich text without its marks."""
    return "".join(text_of(each, "plain_text") for each in rich)


def _title(data: Json, kind: object) -> str:
    if kind == "data_source":
        return _in_line(plain_text(list_of(data, "title")))
    for value in part_of(data, "properties").values():
        if isinstance(value, dict) and value.get("type") == "title":
            return _in_line(plain_text(list_of(value, "title")))
    return ""


def _in_line(text: str) -> str:
    return " ".join(text.split())

"""The properties of a page: as words, and as what is known of any document. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devrag.sources.connectors.notion.node import plain_text
from devrag.sources.connectors.pages.json_data import (
    Json,
    list_of,
    mark_of,
    part_of,
    text_of,
)

_STATUS = frozenset({"status", "state", "ステータス", "状態"})
_AUTHOR = frozenset(
    {"author", "owner", "writer", "著者", "作成者", "担当者", "オーナー"}
)
_LABEL = frozenset(
    {"tag", "tags", "label", "labels", "category", "type", "タグ", "カテゴリ", "種類"}
)
# What changes by itself, or with each answer.
_UNSTEADY = ("formula", "rollup", "files", "last_edited_time", "last_edited_by")
# What is known of every document, or says nothing.
_NOT_SHOWN = frozenset({"title", "created_time", "last_edited_time", "button"})
_NAMED = frozenset({"select", "status"})
_PLAIN = frozenset({"number", "url", "email", "phone_number"})
_USERS = frozenset({"created_by", "last_edited_by"})
_COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Facts:
    """What properties say of a page."""

    status: str = ""
    is_closed: bool = False
    labels: tuple[str, ...] = ()
    author: str = ""


def read_facts(properties: Json, schema: Json) -> Facts:
    """Return what properties say. schema: those of the data source, if it is known."""
    status = author = ""
    labels: dict[str, None] = {}
    for name, value in _values(properties):
        kind, plain = text_of(value, "type"), " ".join(name.casefold().split())
        if kind == "status" or (kind == "select" and plain in _STATUS):
            status = status or text_of(part_of(value, kind), "name")
        elif kind == "multi_select":
            labels.update((text_of(e, "name"), None) for e in list_of(value, kind))
        elif kind == "select" and plain in _LABEL:
            labels[text_of(part_of(value, kind), "name")] = None
        elif kind == "people" and plain in _AUTHOR:
            people = list_of(value, kind)
            author = author or (text_of(people[0], "name") if people else "")
    found = tuple(sorted(each for each in labels if each))
    return Facts(status, status in closed_names(schema), found, author)


def closed_names(schema: Json) -> frozenset[str]:
    """Return the names of statuses that a data source counts as complete."""
    names: set[str] = set()
    for _, column in _values(schema):
        status = part_of(column, "status")
        done = {
            each
            for group in list_of(status, "groups")
            if text_of(group, "name").casefold() == _COMPLETE
            for each in _texts(group.get("option_ids"))
        }
        options = list_of(status, "options")
        names |= {text_of(e, "name") for e in options if text_of(e, "id") in done}
    return frozenset(names)


def shown_values(
    properties: Json, titles: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield properties with their values as words, by name; empty ones are left out.

    titles: of pages that relations may lead to.
    """
    for name, value in sorted(_values(properties), key=lambda each: each[0]):
        if text_of(value, "type") not in _NOT_SHOWN and text_of(value, "type") != "":
            words = " ".join(_words(value, titles).split())
            if words:
                yield " ".join(name.split()), words


def columns(schema: Json) -> Iterator[tuple[str, str]]:
    """Yield the properties of a data source, each with its type and choices."""
    for name, column in sorted(_values(schema), key=lambda each: each[0]):
        kind = text_of(column, "type")
        options = list_of(part_of(column, kind), "options")
        names = ", ".join(text_of(each, "name") for each in options)
        plain = kind.replace("_", " ")
        yield " ".join(name.split()), f"{plain}: {names}" if names else plain


def values_mark(properties: Json) -> str:
    """Return another mark where a property is another, though no date changed."""
    kept = [
        (name, _words(value, {}))
        for name, value in sorted(_values(properties), key=lambda each: each[0])
        if text_of(value, "type") not in _UNSTEADY
    ]
    return mark_of(kept)


def files_of(properties: Json) -> Iterator[tuple[str, int, Json]]:
    """Yield the files of properties: the property's id, the number in it, the file."""
    for _, value in _values(properties):
        if value.get("type") == "files":
            for number, file in enumerate(list_of(value, "files")):
                yield text_of(value, "id"), number, file


def _values(properties: Json) -> Iterator[tuple[str, Json]]:
    for name, value in properties.items():
        if isinstance(value, dict):
            yield str(name), value


def _words(value: Json, titles: Mapping[str, str]) -> str:
    """Return a value of any type as words."""
    kind = text_of(value, "type")
    own: Any = value.get(kind)
    if kind in _PLAIN:
        return text_of(value, kind)
    if kind in _NAMED:
        return text_of(part_of(value, kind), "name")
    if kind == "checkbox":
        return "yes" if own is True else "no"
    if kind in {"rich_text", "title"}:
        return plain_text(list_of(value, kind))
    if kind in _USERS:
        return text_of(part_of(value, kind), "name")
    if kind in {"multi_select", "people", "files"}:
        return ", ".join(
            filter(None, (text_of(e, "name") for e in list_of(value, kind)))
        )
    if kind == "relation":
        found = (titles.get(text_of(e, "id"), "") for e in list_of(value, kind))
        return ", ".join(filter(None, found))
    return _made_words(kind, part_of(value, kind), titles) or text_of(value, kind)


def _made_words(kind: str, own: Json, titles: Mapping[str, str]) -> str:
    """Return what is put together of parts, or computed."""
    if kind == "date":
        return " – ".join(filter(None, (text_of(own, "start"), text_of(own, "end"))))
    if kind == "unique_id":
        return "-".join(filter(None, (text_of(own, "prefix"), text_of(own, "number"))))
    if kind == "verification":
        return text_of(own, "state")
    if kind == "place":
        return text_of(own, "name") or text_of(own, "address")
    if kind == "rollup" and own.get("type") == "array":
        found = (_words(each, titles) for each in list_of(own, "array"))
        return ", ".join(dict.fromkeys(filter(None, found)))
    if kind in {"formula", "rollup"} and (of := text_of(own, "type")):
        if isinstance(own.get(of), bool):
            return "yes" if own[of] else "no"
        return _made_words(of, part_of(own, of), titles) or text_of(own, of)
    return ""


def _texts(found: object) -> list[str]:
    return [str(each) for each in found] if isinstance(found, list) else []

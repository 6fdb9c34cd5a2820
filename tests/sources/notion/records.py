"""What a workspace of Notion on loopback has, as the API has it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]
USER = "00000000-0000-0000-0000-00000000aaaa"


class Records:
    """One workspace and what is shared of it. clock: the server's, maybe not ours."""

    def __init__(self) -> None:
        self.name = "Example Inc."
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.pages: dict[str, Json] = {}
        self.databases: dict[str, Json] = {}
        self.sources: dict[str, Json] = {}
        self.blocks: dict[str, Json] = {}
        # The ids of blocks in a page or block, in their order.
        self.inside: dict[str, list[str]] = {}
        self.comments: dict[str, list[Json]] = {}
        self.files: dict[str, bytes] = {}
        self.users: dict[str, str] = {USER: "Aoi Tanaka"}
        self._number = 0

    # -- writing --------------------------------------------------------------------

    def new_id(self) -> str:
        self._number += 1
        return f"00000000-0000-0000-0000-{self._number:012x}"

    @property
    def now(self) -> str:
        """Return the time as the API has it: to the minute."""
        return self.clock.strftime("%Y-%m-%dT%H:%M:00.000Z")

    def page(self, title: str, *blocks: Json, parent: str = "", **values: Json) -> str:
        """Add a page: at the top, in a page or block, or as a row of a data source.

        values: its other properties, by name.
        """
        page_id = self.new_id()
        self.pages[page_id] = {
            "object": "page",
            "id": page_id,
            **self._times(),
            "in_trash": False,
            "is_archived": False,
            "url": f"https://www.notion.so/{page_id.replace('-', '')}",
            "icon": None,
            "parent": self._parent(parent),
            "properties": {
                "Name": {"id": "title", "type": "title", "title": rich(title)},
                **{name: {"id": name[:2], **v} for name, v in values.items()},
            },
        }
        self.inside[page_id] = []
        for each in blocks:
            self.add(page_id, each)
        if parent and parent not in self.sources:
            self._add_block(parent, page_id, "child_page", {"title": title})
            self.touch(parent)
        return page_id

    def database(self, title: str, parent: str = "", **columns: Json) -> str:
        """Add a database with one data source; return the id of that."""
        database_id, source_id = self.new_id(), self.new_id()
        source = {"id": source_id, "name": title}
        self.databases[database_id] = {
            "object": "database",
            "id": database_id,
            "title": rich(title),
            "in_trash": False,
            "data_sources": [source],
        }
        self.sources[source_id] = {
            "object": "data_source",
            "id": source_id,
            **self._times(),
            "in_trash": False,
            "title": rich(title),
            "description": [],
            "parent": {"type": "database_id", "database_id": database_id},
            "database_parent": self._parent(parent),
            "properties": {"Name": {"id": "title", "type": "title"}, **columns},
        }
        if parent:
            self._add_block(parent, database_id, "child_database", {"title": title})
            self.touch(parent)
        return source_id

    def add(self, parent: str, block: Json) -> str:
        """Add a block, with those in its `children`, to a page or block."""
        kind = block["type"]
        own = {k: v for k, v in block[kind].items() if k != "children"}
        made = self._add_block(parent, self.new_id(), kind, own)
        for each in block[kind].get("children", ()):
            self.add(made, each)
        return made

    def _add_block(self, parent: str, block_id: str, kind: str, own: Json) -> str:
        self.blocks[block_id] = {
            "object": "block",
            "id": block_id,
            "parent": self._parent(parent),
            **self._times(),
            "in_trash": False,
            "type": kind,
            kind: own,
        }
        self.inside.setdefault(parent, []).append(block_id)
        return block_id

    def comment(self, page_id: str, words: str, author: str = "Ken Sato") -> Json:
        """Comment on a page; its time stays what it was."""
        made = {
            "object": "comment",
            "id": self.new_id(),
            "created_time": self.now,
            "last_edited_time": self.now,
            "rich_text": rich(words),
            "display_name": {"type": "user", "resolved_name": author},
        }
        self.comments.setdefault(page_id, []).append(made)
        return made

    def edit(self, page_id: str, *blocks: Json, title: str = "", **values: Any) -> None:
        """Write other blocks, another title, other properties."""
        page = self.pages[page_id]
        if blocks:
            kept = [each for each in self.inside[page_id] if each in self.pages]
            self.inside[page_id] = kept
            for each in blocks:
                self.add(page_id, each)
        if title:
            page["properties"]["Name"]["title"] = rich(title)
            if page_id in self.blocks:
                self.blocks[page_id]["child_page"]["title"] = title
        for name, value in values.items():
            page["properties"][name] = {"id": name[:2], **value}
        self.touch(page_id)

    def move(self, page_id: str, parent: str) -> None:
        """Put a page elsewhere; both pages around it change, it does not."""
        block = self.blocks.pop(page_id)
        for found in self.inside.values():
            if page_id in found:
                found.remove(page_id)
        before = self.pages[page_id]["parent"]
        self.pages[page_id]["parent"] = self._parent(parent)
        self._add_block(parent, page_id, "child_page", block["child_page"])
        for each in (parent, str(before.get("page_id", ""))):
            self.touch(each)

    def delete(self, page_id: str) -> None:
        """Put a page into the trash, with what lies below it."""
        self.pages[page_id]["in_trash"] = True
        for found in self.inside.values():
            if page_id in found:
                found.remove(page_id)
        for below in self.inside.get(page_id, []):
            if below in self.pages:
                self.pages[below]["in_trash"] = True

    def touch(self, node_id: str) -> None:
        """Let something have been edited now."""
        for found in (self.pages, self.sources):
            if node_id in found:
                found[node_id]["last_edited_time"] = self.now

    def _parent(self, parent: str) -> Json:
        if parent in self.sources:
            of = self.sources[parent]["parent"]["database_id"]
            both = {"data_source_id": parent, "database_id": of}
            return {"type": "data_source_id", **both}
        if parent in self.pages:
            return {"type": "page_id", "page_id": parent}
        if parent in self.blocks:
            return {"type": "block_id", "block_id": parent}
        return {"type": "workspace", "workspace": True}

    def _times(self) -> Json:
        user = {"object": "user", "id": USER}
        times = {"created_time": self.now, "last_edited_time": self.now}
        return {**times, "created_by": user, "last_edited_by": user}


def rich(words: str, **look: Any) -> list[Json]:
    """Return rich text of one look. look: annotations, and href."""
    href = look.pop("href", None)
    return [
        {
            "type": "text",
            "text": {"content": words, "link": {"url": href} if href else None},
            "annotations": {"bold": False, "code": False, **look},
            "plain_text": words,
            "href": href,
        }
    ]


def block(kind: str, words: str | list[Json] = "", **own: Any) -> Json:
    """Return a block to add. own: what a block of its type has beside its words."""
    text = rich(words) if isinstance(words, str) and words else words or []
    return {"type": kind, kind: {"rich_text": text, **own}}


def paragraphs(words: Iterable[str]) -> list[Json]:
    """Return a block for each."""
    return [block("paragraph", each) for each in words]

"""What a project of Redmine on loopback has, as the API has it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

MODULES = ("issue_tracking", "wiki", "news", "files")
Json = dict[str, Any]


class Records:
    """One project and what is in it. clock: the server's, maybe hours from ours."""

    def __init__(self, *, key: str = "shop") -> None:
        self.key, self.name, self.description = key, "Web shop", "Sells things."
        self.clock = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        self.modules: tuple[str, ...] | None = MODULES
        self.issues: dict[int, Json] = {}
        self.pages: dict[str, Json] = {}
        self.versions: dict[int, Json] = {}
        self.news: dict[int, Json] = {}
        self.offered: list[Json] = []
        self.files: dict[str, bytes] = {}
        self.help = b""
        self.tells_closed, self.is_public = True, False
        self._number = 0

    # -- writing ------------------------------------------------------------------

    def number(self) -> int:
        self._number += 1
        return self._number

    @property
    def now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")

    def issue(self, subject: str, description: str = "Text", **fields: Any) -> int:
        """Add an issue. fields: as the API has them."""
        number = self.number()
        self.issues[number] = {
            "id": number,
            "project": {"id": 1, "name": self.name},
            "tracker": named("Bug"),
            "status": {**named("New"), "is_closed": False},
            "priority": named("Normal"),
            "author": named("Aoi Tanaka"),
            "subject": subject,
            "description": description,
            "start_date": "2026-03-01",
            "due_date": None,
            "done_ratio": 0,
            "is_private": False,
            "estimated_hours": None,
            "created_on": self.now,
            "updated_on": self.now,
            "closed_on": None,
            "attachments": [],
            "relations": [],
            "journals": [],
            "changesets": [],
            **fields,
        }
        return number

    def edit(self, number: int, **fields: Any) -> None:
        """Change an issue."""
        self.issues[number] |= {**fields, "updated_on": self.now}

    def note(self, number: int, text: str, author: str = "Ken", **fields: Any) -> None:
        """Add a note to an issue."""
        journal = {
            "id": self.number(),
            "user": named(author),
            "notes": text,
            "created_on": self.now,
            "private_notes": False,
            "details": [],
            **fields,
        }
        self.issues[number]["journals"].append(journal)
        self.edit(number)

    def page(self, title: str, text: str = "Text", parent: str = "") -> str:
        """Write a page, or a new version of it."""
        before = self.pages.get(title, {"version": 0, "created_on": self.now})
        self.pages[title] = {
            "attachments": [],
            **before,
            "title": title,
            **({"parent": {"title": parent}} if parent else {}),
            "text": text,
            "version": before["version"] + 1,
            "author": named("Mio"),
            "comments": "",
            "updated_on": self.now,
        }
        return title

    def version(self, name: str, **fields: Any) -> int:
        """Add a version."""
        number = self.number()
        times = {"created_on": self.now, "updated_on": self.now}
        rest = {"status": "open", "due_date": None, "description": ""}
        made = {"id": number, "name": name, **rest, **times, **fields}
        self.versions[number] = made
        return number

    def tell(self, title: str, text: str) -> int:
        """Add news."""
        number = self.number()
        self.news[number] = {
            "id": number,
            "title": title,
            "summary": "",
            "description": text,
            "author": named("Mio"),
            "created_on": self.now,
        }
        return number

    def attach(
        self, owner: Json, name: str, data: bytes, media: str = "text/plain"
    ) -> int:
        """Attach a file to an issue or page, as they are held here."""
        found = self.file(name, data, media)
        owner["attachments"] = [*owner["attachments"], found]
        if "subject" in owner:
            owner["updated_on"] = self.now
        return int(found["id"])

    def file(self, name: str, data: bytes, media: str = "text/plain") -> Json:
        """Keep a file; return what the API says of it."""
        number = self.number()
        self.files[f"/attachments/download/{number}"] = data
        return {
            "id": number,
            "filename": name,
            "filesize": len(data),
            "content_type": media,
            "content_url": f"http://proxy.invalid/attachments/download/{number}/x",
            "created_on": self.now,
        }


def named(name: str) -> Json:
    """Return a name as the API has it, with a number of its own."""
    return {"id": sum(name.encode()), "name": name}

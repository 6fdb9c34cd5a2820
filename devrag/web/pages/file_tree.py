"""The tree of files beside the code: what is in each folder that is open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.urls import reverse

from devrag.core.page_urls import file_url
from devrag.sources.models import GitRef
from devrag.web.pages.folder import FolderRow, list_entries

# Of one folder; its page lists all.
MOST_ENTRIES = 400
# Deeper ones are opened one by one.
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file or folder. level_url: where a folder's entries come from.

    level: what is in a folder that is open, None of others.
    """

    row: FolderRow
    path: str
    level_url: str = ""
    level: TreeLevel | None = None


@dataclass(frozen=True, slots=True)
class TreeLevel:
    """What is in a folder. hidden: how many more entries; folder_url: of its page."""

    entries: tuple[TreeEntry, ...]
    hidden: int
    folder_url: str


@dataclass(frozen=True, slots=True)
class TreePlace:
    """The version of a source whose files are listed. names: for addresses."""

    ref: GitRef
    names: tuple[str, str, str]
    has_documents: bool

    def level(self, path: str) -> TreeLevel:
        """Return what is in one folder. Queries: 1."""
        to_url = partial(file_url, *self.names)
        found = list_entries(
            self.ref.pk,
            path,
            to_url,
            most=MOST_ENTRIES,
            has_documents=self.has_documents,
        )
        entries = tuple(self._entry(path, row) for row in found.shown)
        return TreeLevel(entries, found.hidden, to_url(path))

    def opened(self, path: str) -> TreeLevel:
        """Return the tree with the folders on a path open. Queries: 1 for each."""
        steps = path.split("/")[:_DEEPEST] if path else []
        below: TreeLevel | None = None
        for depth in range(len(steps), -1, -1):
            level = self.level("/".join(steps[:depth]))
            if below is not None and below.entries:
                level = _open(level, "/".join(steps[: depth + 1]), below)
            below = level
        assert below is not None  # noqa: S101  the root is always read
        return below

    def _entry(self, folder: str, row: FolderRow) -> TreeEntry:
        path = f"{folder}/{row.name}" if folder else row.name
        if not row.is_folder:
            return TreeEntry(row, path)
        return TreeEntry(row, path, reverse("web:tree", args=[*self.names, path]))


def _open(level: TreeLevel, path: str, below: TreeLevel) -> TreeLevel:
    """Return a level with one of its folders open."""
    entries = tuple(
        TreeEntry(each.row, each.path, each.level_url, below)
        if each.path == path
        else each
        for each in level.entries
    )
    return TreeLevel(entries, level.hidden, level.folder_url)

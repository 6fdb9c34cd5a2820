"""What is in a folder of a source: folders with their number of files, then files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Func, Max, Sum, TextField, Value, Window
from django.db.models.functions import Lower, Sign, StrIndex, Substr

from devrag.sources.models import File


@dataclass(frozen=True, slots=True)
class EntryChange:
    """The last commit that changed something. author: '' where names are not shown."""

    commit: str
    author: str
    committed_at: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder or file. title: of a page or ticket, '' of others. size: in bytes, of a
    folder what is in it. change: the last one, None while git was not asked.
    """

    name: str
    url: str
    is_folder: bool
    file_count: int
    title: str = ""
    size: int = 0
    change: EntryChange | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """Some entries of a folder, of so many in all."""

    shown: tuple[FolderRow, ...]
    total: int

    @property
    def hidden(self) -> int:
        return self.total - len(self.shown)


def list_entries(
    ref: int,
    path: str,
    to_url: Callable[[str], str],
    *,
    most: int,
    start: int = 0,
    has_documents: bool = False,
) -> Entries:
    """Return entries of a folder from one on. to_url: path → address. Queries: 1.

    has_documents: of a wiki or tracker, whose files have titles.
    """
    prefix = f"{path}/" if path else ""
    inside = File.objects.filter(manifests__ref=ref, manifests__until=None)
    if prefix:
        inside = inside.filter(path__startswith=prefix)
    rest = Substr("path", len(prefix) + 1)
    name = Func(
        rest, Value("/"), Value(1), function="split_part", output_field=TextField()
    )
    is_inside = StrIndex(rest, Value("/"))
    rows = (
        inside.order_by()
        .annotate(entry=name)
        .values("entry")
        .annotate(total=Count("pk"), slash=Max(is_inside), all=Window(Count("*")))
        .annotate(bytes=Sum("size"))
        .annotate(title=Max("title") if has_documents else Value(""))
        # Folders first; Max is 0 for a file.
        .order_by(Sign("slash").desc(), Lower("entry"), "entry")
    )[start : start + most]
    found = list(rows)
    shown = tuple(
        FolderRow(
            name=row["entry"],
            url=to_url(prefix + row["entry"]),
            is_folder=bool(row["slash"]),
            file_count=row["total"],
            title="" if row["slash"] else _title(row["entry"], row["title"]),
            size=row["bytes"],
        )
        for row in found
    )
    return Entries(shown, found[0]["all"] if found else 0)


def _title(name: str, title: str) -> str:
    """Return a title that says more than the name of its file."""
    return "" if title in {name, name.removesuffix(".md")} else title

"""What the current version of a source holds: its folders, and single files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.text import shorten
from devrag.sources.models import File, Source


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file, or a folder with what is below it. path: without a slash at its end."""

    path: str
    is_folder: bool
    files: int
    lines: int


def current_files(source: Source) -> QuerySet[File]:
    """Return the files of the source's current manifest."""
    return File.objects.filter(
        source=source, manifests__until=None, manifests__ref__is_current=True
    )


def get_current_file(source: Source, path: str) -> File:
    """Return a file by its path. Raises NotFound with paths that may be meant."""
    wanted = clean_path(path)
    found = current_files(source).filter(path=wanted).first()
    if found is None:
        raise NotFound(_missing(source, path, wanted))
    return found


def clean_path(path: str) -> str:
    """Return a path as manifests have it: `./src//a.py` and `/src/a.py` are `src/a.py`.

    `..` stays: it leads nowhere.
    """
    parts = path.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))


def _missing(source: Source, path: str, wanted: str) -> str:
    name = wanted.rpartition("/")[2]
    rows = current_files(source).order_by("path").values_list("path", flat=True)
    like = list(rows.filter(path__endswith=f"/{name}")[:5]) if name else []
    told = {"path": shorten(path, 200), "source": source.name, "like": ", ".join(like)}
    if like:
        text = gettext(
            "'%(path)s' does not exist in the current version of %(source)s. Did you "
            "mean %(like)s?"
        )
    elif rows.filter(path__startswith=f"{wanted}/").exists():
        text = gettext("'%(path)s' is a folder of %(source)s. List its files instead.")
    else:
        text = gettext(
            "'%(path)s' does not exist in the current version of %(source)s. List its "
            "folders to find it."
        )
    return text % told


def list_entries(source: Source, folder: str, depth: int) -> list[TreeEntry]:
    """Return what is in a folder, `depth` levels deep; folders there are summed up.

    Raises NotFound for a folder without files. Queries: 1.
    """
    prefix = clean_path(folder)
    rows = current_files(source)
    if prefix:
        rows = rows.filter(path__startswith=f"{prefix}/")
    found = _entries(rows.values_list("path", "lines").iterator(), prefix, depth)
    if prefix and not found:
        raise NotFound(
            gettext("%(source)s has no folder '%(folder)s' in its current version.")
            % {"source": source.name, "folder": shorten(folder, 200)}
        )
    return found


def _entries(
    rows: Iterable[tuple[str, int]], prefix: str, depth: int
) -> list[TreeEntry]:
    start = prefix.count("/") + 1 if prefix else 0
    sums: dict[tuple[str, bool], list[int]] = {}
    for path, lines in rows:
        parts = path.split("/")
        is_folder = len(parts) > start + depth
        key = ("/".join(parts[: start + depth]), is_folder)
        total = sums.setdefault(key, [0, 0])
        total[0] += 1
        total[1] += lines
    return [
        TreeEntry(path, is_folder, files, lines)
        for (path, is_folder), (files, lines) in sorted(sums.items())
    ]

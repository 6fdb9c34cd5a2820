"""Let corrections follow files that were renamed, once their new path is seen."""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction

from devrag.labels.assignment import current_files
from devrag.labels.models import FileLabel, LabelCorrection, LabelledFile


@transaction.atomic
def follow_files(source_id: int) -> None:
    """Let corrections hold for the current files, which are labelled anew if needed.

    A correction whose path is gone goes to the one current file of the same content,
    unless the file is empty or several paths that are gone had that content.
    """
    locked = LabelCorrection.objects.select_for_update(of=("self",))
    rows = list(locked.filter(source=source_id, label__is_removed=False).order_by("pk"))
    if not rows:
        return
    current = current_files(source_id)
    here = {
        path: (pk, digest)
        for pk, path, digest in current.filter(
            path__in={row.path for row in rows}
        ).values_list("pk", "path", "content_hash")
    }
    here |= _move([row for row in rows if row.path not in here], rows, source_id)
    for row in rows:
        if row.path in here:
            row.content_hash = here[row.path][1]
    LabelCorrection.objects.bulk_update(rows, ["path", "content_hash"], batch_size=500)
    _ask_again([(here[row.path][0], row) for row in rows if row.path in here])


def _move(
    gone: list[LabelCorrection], rows: list[LabelCorrection], source_id: int
) -> dict[str, tuple[int, str]]:
    """Give corrections the paths of renamed files; return path → file id, hash."""
    old: dict[str, set[str]] = defaultdict(set)
    for row in gone:
        old[row.content_hash].add(row.path)
    new: dict[str, list[tuple[int, str]]] = defaultdict(list)
    same = current_files(source_id).filter(content_hash__in=old).exclude(text="")
    for pk, path, digest in same.values_list("pk", "path", "content_hash"):
        new[digest].append((pk, path))
    taken = {(row.path, row.label_id) for row in rows}
    moved = {}
    for row in gone:
        digest = row.content_hash
        if len(old[digest]) != 1 or len(new[digest]) != 1:
            continue
        pk, path = new[digest][0]
        if (path, row.label_id) not in taken:
            taken.add((path, row.label_id))
            row.path = path
            moved[path] = (pk, digest)
    return moved


def _ask_again(said: list[tuple[int, LabelCorrection]]) -> None:
    """Clear the marks of files that lack what was said about them."""
    labels = FileLabel.objects.filter(file__in={file for file, _ in said})
    given = {
        (file, label): origin
        for file, label, origin in labels.values_list("file_id", "label_id", "origin")
    }
    lacking = set()
    for file, row in said:
        origin = given.get((file, row.label_id))
        if (origin == FileLabel.Origin.HAND) != row.is_assigned or (
            origin is not None and not row.is_assigned
        ):
            lacking.add(file)
    LabelledFile.objects.filter(file__in=lacking).update(rules_mark="", vectors_mark="")

"""Count changes of labels, so that the word index reads the files concerned again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from devrag.labels.models import LabelChanges, LabelledFile
from devrag.sources.models import RefFile


def note_changes(source_id: int, file_ids: Sequence[int]) -> None:
    """Let the word index take other labels of files that it holds already."""
    seen = RefFile.objects.filter(
        file__in=file_ids, until=None, ref__is_current=True, ref__source=source_id
    )
    held = list(seen.values_list("file_id", flat=True))
    if not held:
        return
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [source_id])
        number = cursor.fetchone()[0]
        keys: list[Any] = [source_id, number, held]
        cursor.execute(_NOTE, keys)


# The row's lock makes the numbers of a source appear in their order.
_COUNT = """
INSERT INTO labels_labelchanges (source_id, number) VALUES (%s, 1)
ON CONFLICT (source_id) DO UPDATE SET number = labels_labelchanges.number + 1
RETURNING number
"""
_NOTE = """
INSERT INTO labels_labelledfile (file_id, source_id, rules_mark, vectors_mark, change)
SELECT id, %s, '', '', %s FROM unnest(%s::bigint[]) AS id
ON CONFLICT (file_id) DO UPDATE SET change = excluded.change
"""


def changed_files(source_id: int, since: int, until: int) -> list[int]:
    """Return the files whose labels changed after one number, up to another."""
    rows = LabelledFile.objects.filter(
        source=source_id, change__gt=since, change__lte=until
    )
    return list(rows.values_list("file_id", flat=True))


def change_numbers() -> dict[int, int]:
    """Return source id → how often its labels changed. Queries: 1."""
    return dict(LabelChanges.objects.values_list("source_id", "number"))

"""Chunks whose file changed since it was indexed."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q

from devrag.sources.models import Chunk, File, Source

_PATHS_PER_QUERY = 200


def mark_dirty(*, source: Source, paths: Collection[str]) -> int:
    """Mark the current chunks of files, and of all files below folders; count them."""
    marked = 0
    current = File.objects.filter(
        source=source, manifests__until=None, manifests__ref__is_current=True
    )
    wanted = sorted(paths)
    for start in range(0, len(wanted), _PATHS_PER_QUERY):
        part = wanted[start : start + _PATHS_PER_QUERY]
        changed = Q(path__in=part)
        for path in part:
            changed |= Q(path__startswith=f"{path}/")
        chunks = Chunk.objects.filter(file__in=current.filter(changed), is_dirty=False)
        marked += chunks.update(is_dirty=True)
    return marked


@transaction.atomic
def clear_dirty(*, source: Source, besides: Collection[str] = ()) -> int:
    """Unmark all versions after an index run; besides: paths that changed since."""
    cleared = Chunk.objects.filter(file__source=source, is_dirty=True).update(
        is_dirty=False
    )
    mark_dirty(source=source, paths=besides)
    return cleared

"""How much storage the instance takes: tables by group, folders of this host."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from devrag.insights.days import today
from devrag.insights.models import StorageSize
from devrag.runtime.layout import Home

# Beginnings of table names by what people call it; the first that fits.
_GROUPS = (
    ("search_embedding", "vectors"),
    ("search_searchlog", "questions"),
    ("search_", "search"),
    ("sources_chunk", "chunks"),
    ("sources_file", "files"),
    ("sources_symbol", "definitions"),
    ("sources_reference", "definitions"),
    ("sources_fact", "definitions"),
    ("source", "files"),
    ("git_refs", "files"),
    ("wiki_", "wikis"),
    ("ask_", "questions"),
    ("jobs_", "jobs"),
)
UPLOADS = "uploads"


def measure_storage() -> None:
    """Keep what each part takes today. Walks folders: for tasks, not for requests."""
    found = [("", f"database/{name}", size) for name, size in _tables().items()]
    found += [(settings.HOST_NAME, name, size) for name, size in _folders().items()]
    day, now = today(), timezone.now()
    rows = [
        StorageSize(day=day, host=host, part=part, bytes=size, measured_at=now)
        for host, part, size in found
    ]
    StorageSize.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["day", "host", "part"],
        update_fields=["bytes", "measured_at"],
    )


def _tables() -> Mapping[str, int]:
    """Return bytes by group of tables, indexes and long values included."""
    sizes: dict[str, int] = defaultdict(int)
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        for table, size in cursor.fetchall():
            sizes[_group_of(table)] += size
    return sizes


def _group_of(table: str) -> str:
    return next((name for begin, name in _GROUPS if table.startswith(begin)), "other")


def _folders() -> Mapping[str, int]:
    home = Home(settings.DEVRAG_HOME)
    folders = {
        "mirrors": settings.GIT_CLONE_DIR,
        "words": settings.LEXICAL_DIR,
        "wikis": settings.WIKI_OUTPUT_DIR,
        "models": home.models,
        "logs": home.log,
        UPLOADS: home.root / UPLOADS,
    }
    sizes = {name: _folder_bytes(path) for name, path in folders.items()}
    return {name: size for name, size in sizes.items() if size}


def _folder_bytes(folder: Path) -> int:
    """Return the sizes of files below a folder; what goes meanwhile counts nothing."""
    total, folders = 0, [str(folder)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return total


# A partition counts with its own name, which begins with that of its table.
_SIZES = """
SELECT c.relname, pg_total_relation_size(c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r'
"""

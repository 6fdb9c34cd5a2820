"""What lies on this disk for nobody: mirrors, uploads, leftovers of killed exports."""

from __future__ import annotations

import shutil

import structlog
from django.conf import settings
from django.db import connection

from devrag.core.unavailable import DATABASE_FAILURES
from devrag.sources.api import (
    adopt_uploads,
    delete_mirror,
    delete_page_mirror,
    delete_upload,
    orphan_mirrors,
    orphan_page_mirrors,
    orphan_uploads,
)
from devrag.wiki.api import stale_drafts

log = structlog.get_logger(__name__)


def delete_orphan_mirrors() -> list[int]:
    """Remove mirrors of no source; return the bytes of each that went."""
    repos = settings.GIT_CLONE_DIR
    sizes = [delete_mirror(path) for path in orphan_mirrors(repos)]
    sizes += [delete_page_mirror(path) for path in orphan_page_mirrors(repos)]
    return [size for size in sizes if size]


def delete_orphan_uploads() -> list[int]:
    """Remove uploads of no source, also unfinished; return the bytes of each."""
    uploads = orphan_uploads(settings.UPLOADS_DIR)
    return [size for path in uploads if (size := delete_upload(path))]


def tidy_uploads() -> None:
    """Remove what a killed process left of uploads, and index those on this disk here.

    For the start of a server; housekeeping tries again.
    """
    try:
        adopt_uploads(settings.UPLOADS_DIR, settings.HOST_NAME)
        delete_orphan_uploads()
    except DATABASE_FAILURES as error:
        log.warning("uploads_not_tidied", error=str(error))
    finally:
        connection.close()


def count_orphan_uploads() -> int:
    """Return how many uploads are of no source."""
    return len(orphan_uploads(settings.UPLOADS_DIR))


def count_orphan_mirrors() -> int:
    """Return how many mirrors are of no source."""
    repos = settings.GIT_CLONE_DIR
    return len(orphan_mirrors(repos)) + len(orphan_page_mirrors(repos))


def delete_stale_drafts() -> int:
    """Remove what killed exports left; return how many."""
    drafts = stale_drafts(settings.WIKI_OUTPUT_DIR)
    for path in drafts:
        shutil.rmtree(path, ignore_errors=True)
    return len(drafts)

"""What lies on this disk for nobody: mirrors, and leftovers of killed exports."""

from __future__ import annotations

import shutil

from django.conf import settings

from devrag.sources.mirrors import orphan_mirrors, remove_mirror
from devrag.wiki.removal import stale_drafts


def remove_orphan_mirrors() -> list[int]:
    """Remove mirrors of no source; return the bytes of each that went."""
    sizes = [remove_mirror(path) for path in orphan_mirrors(settings.GIT_CLONE_DIR)]
    return [size for size in sizes if size]


def remove_stale_drafts() -> int:
    """Remove what killed exports left; return how many."""
    drafts = stale_drafts(settings.WIKI_OUTPUT_DIR)
    for path in drafts:
        shutil.rmtree(path, ignore_errors=True)
    return len(drafts)

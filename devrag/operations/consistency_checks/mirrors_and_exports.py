"""Mirrors and exported wikis on this host."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from devrag.operations.consistency_checks.types import Check
from devrag.products.models import Product
from devrag.sources.api import (
    delete_broken_mirror,
    is_broken,
    present_mirrors,
    remove_leftovers,
    stale_leftovers,
)
from devrag.wiki.api import export_of, export_version, exported_files, shown_wiki
from devrag.wiki.models import Version


def find_leftovers() -> Sequence[Path]:
    """Return mirrors with locks or half-written packs of a killed fetch."""
    return [path for path in _mirrors() if stale_leftovers(path)]


def tidy(mirrors: Sequence[Path]) -> None:
    """Remove what killed fetches left."""
    for path in mirrors:
        remove_leftovers(path)


def find_broken() -> Sequence[Path]:
    """Return mirrors that git finds incomplete."""
    return [path for path in _mirrors() if is_broken(path)]


def delete_mirrors(mirrors: Sequence[Path]) -> None:
    """Remove mirrors, so that the next index clones them."""
    for path in mirrors:
        delete_broken_mirror(path)


def _mirrors() -> list[Path]:
    return present_mirrors(settings.GIT_CLONE_DIR)


def find_exports() -> Sequence[Version]:
    """Return current wiki versions whose files are not what the database has."""
    products = Product.objects.filter(is_deleting=False)
    shown = [wiki for product in products if (wiki := shown_wiki(product))]
    current = [wiki.current for wiki in shown if wiki.current]
    return [version for version in current if _differs(version)]


def _differs(version: Version) -> bool:
    folder = export_of(settings.WIKI_OUTPUT_DIR, version.wiki.product.name)
    pages = exported_files(version.wiki.product)
    files = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file()
    }
    if files.keys() != pages.keys():
        return True
    return any(
        path.read_bytes() != pages[name].encode() for name, path in files.items()
    )


def export(versions: Sequence[Version]) -> None:
    """Write the files again."""
    for version in versions:
        export_version(version=version, root=settings.WIKI_OUTPUT_DIR)


CHECKS = (
    Check("mirrors with leftovers", "are cleaned up", find_leftovers, tidy),
    Check(
        "mirrors broken",
        "are cloned again by the next index run",
        find_broken,
        delete_mirrors,
    ),
    Check("wiki files that differ", "are written again", find_exports, export),
)

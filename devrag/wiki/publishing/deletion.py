"""Remove exported wiki files: a deleted product's, and drafts of killed exports.

WIKI_OUTPUT_DIR may hold folders of other people: only names that are ours are touched.
"""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

from devrag.products.models import Product
from devrag.wiki.models import Wiki
from devrag.wiki.publishing.export import safe_directory_name

_DRAFT = re.compile(r"^\.(?P<product>.+)\.[a-z0-9_]{8}(?:\.old)?$")
_DRAFT_SECONDS = 24 * 3600.0


def export_of(root: Path, product: str) -> Path:
    """Return where a product's wiki is exported."""
    return root / safe_directory_name(product)


def delete_export(root: Path, product: str) -> bool:
    """Remove a deleted product's export, unless a new product of its name wrote one."""
    folder = export_of(root, product)
    live = Wiki.objects.filter(product__name=product, current__isnull=False)
    if live.exists() or not folder.is_dir():
        return False
    shutil.rmtree(folder)
    return True


def stale_drafts(root: Path) -> list[Path]:
    """Return the drafts that exports of our products left a day ago or earlier."""
    names = set(Product.objects.values_list("name", flat=True))
    limit = time.time() - _DRAFT_SECONDS
    return sorted(
        path
        for path in root.glob(".*")
        if (match := _DRAFT.match(path.name))
        and match["product"] in names
        and path.stat().st_mtime < limit
    )

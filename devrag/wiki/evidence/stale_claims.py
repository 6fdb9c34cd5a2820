"""The state of each claim of a page, compared once for each version of the sources.

A published page never changes, so a comparison holds while the sources do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock

from django.core.cache.backends.locmem import LocMemCache

from devrag.core.hashing import sha256_hex
from devrag.wiki.analysis.selectors import SourceVersion, current_versions
from devrag.wiki.evidence.freshness import ClaimState, compare_claims, stale_pages
from devrag.wiki.models import Page

_STALE = LocMemCache("stale-pages", {"TIMEOUT": None})
_FINDING = Lock()


def states_of_page(page: Page, product_id: int) -> tuple[ClaimState, ...]:
    """Return the state of each claim. Queries: 1, or those of a comparison."""
    return states_at(page.pk, tuple(current_versions(product_id)))


@lru_cache(maxsize=512)
def states_at(
    page_id: int, versions: tuple[SourceVersion, ...]
) -> tuple[ClaimState, ...]:
    """Return the state of each claim of a page in these versions of the sources."""
    page = Page.objects.get(pk=page_id)
    return tuple(compare_claims(page.claims.all(), versions))


def known_stale_pages(
    version_id: int, versions: Iterable[SourceVersion]
) -> Mapping[str, int] | None:
    """Return what `find_stale_pages` found before, None if nobody asked for it yet."""
    found: Mapping[str, int] | None = _STALE.get(_key(version_id, versions))
    return found


def find_stale_pages(
    version_id: int, versions: Sequence[SourceVersion]
) -> Mapping[str, int]:
    """Return how many stale claims each page of a version has, those with some."""
    with _FINDING:  # all readers ask at once after an index
        found = known_stale_pages(version_id, versions)
        if found is None:
            found = stale_pages(version_id, versions)
            _STALE.set(_key(version_id, versions), found)
    return found


def _key(version_id: int, versions: Iterable[SourceVersion]) -> str:
    return f"{version_id}-{sha256_hex(repr(tuple(versions)))}"

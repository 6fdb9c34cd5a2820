"""How a wiki stands to its sources, without asking a model.

A whole wiki by its commits, which costs nothing; a page by each of its claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.utils.translation import gettext

from devrag.core.hashing import sha256_hex
from devrag.wiki.freshness import ClaimState, State, compare_claims, stale_pages
from devrag.wiki.models import Page
from devrag.wiki.selectors import SourceVersion, current_versions

_NAMED = 3
_STALE = LocMemCache("stale-pages", {"TIMEOUT": None})
_FINDING = Lock()


@dataclass(frozen=True, slots=True)
class Freshness:
    """kind: ok, warn. label: short, for a badge. detail: one sentence."""

    kind: str
    label: str
    detail: str


def compare_versions(
    written_from: Mapping[str, Any], current: Mapping[str, str]
) -> Freshness:
    """Compare the commits a wiki was written from with those indexed now.

    written_from: source name → {commit}. current: source name → version identifier.
    """
    changed = sorted(
        name
        for name, version in current.items()
        if (written_from.get(name) or {}).get("commit") != version
    )
    if not changed:
        return Freshness(
            "ok", gettext("Up to date"), gettext("Written from what is indexed now.")
        )
    return Freshness("warn", gettext("Sources changed"), _changed(changed))


def states_of_page(page: Page, product_id: int) -> tuple[ClaimState, ...]:
    """Return the state of each claim of a page. Queries: 1, or those of a comparison.

    A published page never changes: what was compared holds while the sources do.
    """
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


def sum_up(states: Iterable[ClaimState]) -> Freshness:
    """Return how a page stands to its sources, by its claims."""
    known = list(states)
    count = Counter(state.state for state in known)
    if not known:
        return Freshness(
            "ok", gettext("Up to date"), gettext("It claims nothing of the sources.")
        )
    if not count[State.STALE]:
        moved = count[State.MOVED]
        said = gettext("All %(all)s cited places stand in what is indexed now.")
        if moved:
            said = gettext(
                "All %(all)s cited places stand in what is indexed now, %(moved)s of "
                "them at other lines."
            )
        detail = said % {"all": len(known), "moved": moved}
        return Freshness("ok", gettext("Up to date"), detail)
    why = {s.file: s.reason for s in known if s.state == State.STALE}
    files = [f"{file} ({gettext(reason)})" for file, reason in sorted(why.items())]
    label = gettext("%(stale)s of %(all)s stale") % {
        "stale": count[State.STALE],
        "all": len(known),
    }
    return Freshness("warn", label, _changed(files))


def _changed(names: list[str]) -> str:
    named = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return gettext("Changed since it was written: %(names)s.") % {"names": named}

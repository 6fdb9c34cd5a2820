"""Whether a wiki is up to date with its sources, without asking a model.

The card of a product and the pages of its wiki go by the same comparison: a page is
outdated when lines that it cites changed or are gone. Lines that only moved, and
changes of what no page cites, make nothing outdated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from devrag.products.models import Product
from devrag.wiki.api import (
    ClaimFreshness,
    ClaimState,
    SourceVersion,
    current_versions,
    find_stale_pages,
    shown_wiki,
)

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Freshness:
    """kind: ok, warn, off. label: short, for a badge. detail: one sentence.

    is_known: False until the pages were compared with what is indexed now.
    """

    kind: str
    label: str
    detail: str
    is_known: bool = True


def sum_up_wiki(
    written_from: Mapping[str, Any],
    now: Sequence[SourceVersion],
    stale: Mapping[str, int] | None,
) -> Freshness:
    """Return how a whole wiki stands to its sources.

    written_from: source name → {commit}. stale: page → citations that are outdated,
    None while nobody compared them.
    """
    commits = {name: at.get("commit") for name, at in written_from.items()}
    is_same = commits == {version.source: version.commit for version in now}
    if is_same or stale == {}:
        detail = (
            gettext("Generated from the current index.")
            if is_same
            else gettext("The sources changed, but no cited lines did.")
        )
        return Freshness("ok", gettext("Up to date"), detail)
    if stale is None:
        detail = gettext("The cited lines have not been compared yet.")
        return Freshness("off", gettext("Sources changed"), detail, is_known=False)
    label = ngettext("%(n)s page outdated", "%(n)s pages outdated", len(stale))
    detail = gettext("Lines that these pages cite changed or were deleted.")
    return Freshness("warn", label % {"n": len(stale)}, detail)


def get_wiki_freshness(product: Product) -> Freshness | None:
    """Return how the wiki that readers see stands; compares its pages where needed.

    None without a wiki. Queries: 2, and those of a comparison.
    """
    wiki = shown_wiki(product)
    if wiki is None or wiki.current is None:
        return None
    now = current_versions(product.pk)
    stale = find_stale_pages(wiki.current.pk, now)
    return sum_up_wiki(wiki.current.sources, now, stale)


def sum_up(states: Iterable[ClaimState]) -> Freshness:
    """Return how a page stands to its sources, by its claims."""
    known = list(states)
    count = Counter(state.state for state in known)
    stale, total = count[ClaimFreshness.STALE], len(known)
    if not known:
        detail = gettext("This page has no citations.")
        return Freshness("ok", gettext("Up to date"), detail)
    if not stale:
        said = ngettext(
            "The citation is up to date.",
            "All %(n)s citations are up to date.",
            total,
        )
        return Freshness("ok", gettext("Up to date"), said % {"n": total})
    why = {s.file: s.reason for s in known if s.state == ClaimFreshness.STALE}
    files = [f"{file} ({gettext(reason)})" for file, reason in sorted(why.items())]
    label = gettext("%(stale)s of %(all)s citations outdated")
    return Freshness("warn", label % {"stale": stale, "all": total}, _changed(files))


def _changed(names: list[str]) -> str:
    named = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return gettext("Changed since this page was written: %(names)s.") % {"names": named}

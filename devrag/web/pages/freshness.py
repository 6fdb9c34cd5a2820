"""How a wiki stands to its sources, without asking a model.

A whole wiki by its commits, which costs nothing; a page by each of its claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from devrag.wiki.api import ClaimFreshness, ClaimState

_NAMED = 3


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


def sum_up(states: Iterable[ClaimState]) -> Freshness:
    """Return how a page stands to its sources, by its claims."""
    known = list(states)
    count = Counter(state.state for state in known)
    if not known:
        return Freshness(
            "ok", gettext("Up to date"), gettext("It claims nothing of the sources.")
        )
    if not count[ClaimFreshness.STALE]:
        moved = count[ClaimFreshness.MOVED]
        said = gettext("All %(all)s cited places stand in what is indexed now.")
        if moved:
            said = gettext(
                "All %(all)s cited places stand in what is indexed now, %(moved)s of "
                "them at other lines."
            )
        detail = said % {"all": len(known), "moved": moved}
        return Freshness("ok", gettext("Up to date"), detail)
    why = {s.file: s.reason for s in known if s.state == ClaimFreshness.STALE}
    files = [f"{file} ({gettext(reason)})" for file, reason in sorted(why.items())]
    label = gettext("%(stale)s of %(all)s stale") % {
        "stale": count[ClaimFreshness.STALE],
        "all": len(known),
    }
    return Freshness("warn", label, _changed(files))


def _changed(names: list[str]) -> str:
    named = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return gettext("Changed since it was written: %(names)s.") % {"names": named}

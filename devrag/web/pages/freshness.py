"""How a wiki stands to its sources: by comparing commits, without asking a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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
        return Freshness("ok", "Up to date", "Written from what is indexed now.")
    names = ", ".join(changed[:3]) + (" …" if len(changed) > 3 else "")
    return Freshness(
        "warn", "Sources changed", f"Changed since it was written: {names}."
    )

"""What a finished job did in one sentence, from its report: at every terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ASIDE = " Search and wiki stay with the default ref; '{}' is indexed beside it."


def index_sentence(name: str, report: Mapping[str, Any]) -> str:
    """Return what an index run found."""
    aside = "" if report["isCurrent"] else _ASIDE.format(report["ref"])
    if "skipped" in report:
        return f"{name}: nothing to do, {report['skipped']}.{aside}"
    counts = ", ".join(
        f"{report[key]} {key}" for key in ("added", "modified", "removed", "unchanged")
    )
    left_out = sum(report["leftOut"].values())
    reasons = ", ".join(f"{n} {reason}" for reason, n in report["leftOut"].items())
    tail = f" Left out {left_out}: {reasons}." if left_out else ""
    for reason, count in report["asWindows"].items():
        tail += f" {count} as plain windows: {reason}."
    return (
        f"{name} at {report['commit'][:12]} ({report['ref']}): {counts}; "
        f"{report['chunks']} chunks from {report['lines']} lines in "
        f"{sum(report['seconds'].values()):.1f} s.{tail}{aside}"
    )


def wiki_sentence(report: Mapping[str, Any]) -> str:
    """Return what a run of the wiki wrote."""
    cut = len(report["cut"])
    written = len(report["added"]) + len(report["rewritten"])
    tail = f" Gates cut {cut} passages; see the job's log." if cut else ""
    if not report["isCurrent"]:
        tail += " Readers still see the version that was rolled back to."
    return (
        f"Version {report['version']}: {report['pages']} pages, {written} written, "
        f"{len(report['reused'])} reused, {len(report['removed'])} removed; "
        f"{report['claims']} claims with evidence, {report['diagrams']} diagrams.{tail}"
    )

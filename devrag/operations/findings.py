"""What the doctor and an upgrade answer with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One answer. state: ok, note or broken; advice: what to do, when there is one."""

    name: str
    state: str
    detail: str
    advice: str = ""


def finding_line(finding: DoctorFinding) -> str:
    """Return a finding as commands print it."""
    mark = {"ok": "ok     ", "note": "note   ", "broken": "BROKEN "}[finding.state]
    advice = f"\n        → {finding.advice}" if finding.advice else ""
    return f"{mark} {finding.name}: {finding.detail}{advice}"

"""What the doctor answers with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One answer. state: ok, note or broken; advice: what to do, when there is one."""

    name: str
    state: str
    detail: str
    advice: str = ""

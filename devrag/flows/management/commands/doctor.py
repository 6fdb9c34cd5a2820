"""`doctor`: what is configured, what works, what to do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError
from devrag.flows.diagnosis import Finding, diagnose


class Command(DevragCommand):
    """Check the installation; exit 1 when something needs doing."""

    help = "Say what is configured, what works, and what to do."

    def handle(self, *_args: Any, **options: Any) -> None:
        findings = list(diagnose())
        if options["json"]:
            self.write_json([asdict(finding) for finding in findings])
        else:
            for finding in findings:
                self.stdout.write(_line(finding))
        broken = [finding.name for finding in findings if finding.state == "broken"]
        if broken:
            raise ServiceError(f"Needs attention: {', '.join(broken)}.")


def _line(finding: Finding) -> str:
    mark = {"ok": "ok     ", "note": "note   ", "broken": "BROKEN "}[finding.state]
    advice = f"\n        → {finding.advice}" if finding.advice else ""
    return f"{mark} {finding.name}: {finding.detail}{advice}"

"""`doctor`: what is configured, what works, what to do."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import ServiceError
from devrag.operations.doctor import diagnose
from devrag.operations.findings import finding_line


class Command(DevragCommand):
    """Check the installation; exit 1 when something needs doing."""

    help = (
        "Check the configuration, the services and the data, and suggest fixes; with "
        "--repair, repair inconsistencies. Example: devrag doctor --repair"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--repair", action="store_true", help="Repair inconsistencies."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        findings = list(diagnose(is_repairing=options["repair"]))
        if options["json"]:
            self.write_json([asdict(finding) for finding in findings])
        else:
            for finding in findings:
                self.stdout.write(finding_line(finding))
        broken = [finding.name for finding in findings if finding.state == "broken"]
        if broken:
            raise ServiceError(f"Needs attention: {', '.join(broken)}.")

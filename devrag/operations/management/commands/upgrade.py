"""`upgrade`: bring the data to this version, with a way back."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import OutputWrapper

from devrag import __version__
from devrag.core.commands import DevragCommand
from devrag.core.errors import Conflict, DevragError, ServiceError
from devrag.operations.findings import DoctorFinding, finding_line
from devrag.operations.upgrade import (
    Upgraded,
    default_backup,
    finish,
    interrupted_backup,
    undoing_failures,
    upgrade_database,
)
from devrag.operations.upgrade_checks import Schema, examine_upgrade, read_schema
from devrag.runtime.api import own_home, reached_database
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import ServerRecord, running_server, server_lock


class Command(DevragCommand):
    """Check, back up, migrate, check again; restore the backup if that fails."""

    help = (
        "Upgrade the data to the installed version: check, write a backup, apply "
        "migrations and check again. If this fails, the backup is restored. A running "
        "server is stopped and started again. Example: devrag upgrade --check"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--check",
            action="store_true",
            help="Only report what would be done and what prevents it.",
        )
        parser.add_argument(
            "--backup",
            type=Path,
            metavar="FILE",
            help="Where to write the backup. Default: a new file in "
            "DEVRAG_HOME/backups.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        home = own_home()
        target = (options["backup"] or default_backup(home)).absolute()
        with reached_database(home, self._say) as database:
            if database.is_empty():
                raise Conflict(
                    "There is no data to upgrade. Run `devrag server start` (in "
                    "containers: `docker compose up -d`)."
                )
            schema = read_schema()
            findings = list(examine_upgrade(home, target.parent, schema))
        if not options["json"]:
            for finding in findings:
                self.stdout.write(finding_line(finding))
        broken = [finding.name for finding in findings if finding.state == "broken"]
        if broken:
            self._answer(options, schema, findings, None)
            raise ServiceError(
                f"The upgrade cannot begin: {', '.join(broken)}. Nothing was changed."
            )
        done = None
        if not options["check"] and _is_needed(home, schema):
            done = self._upgrade(home, target)
        elif not options["check"]:
            self._restart_older(home)
        self._answer(options, schema, findings, done)

    def _upgrade(self, home: Home, target: Path) -> Upgraded:
        record = running_server(home)
        if record is not None:
            self._server("stop")
        try:
            with server_lock(home), reached_database(home, self._say) as database:
                done = upgrade_database(home, database, target, self._say)
        except BaseException:
            # With the former schema this version would not start.
            if record is not None:
                self._say("The server is stopped.")
            raise
        if record is not None:
            self._start(home, record, done)
        finish(home)
        return done

    def _start(self, home: Home, record: ServerRecord, done: Upgraded) -> None:
        """Start the server as it ran; one that does not start is a failed upgrade."""
        try:
            self._server("start", "--host", record.host, "--port", str(record.port))
        except DevragError as error:
            if running_server(home):  # whoever watches over it was faster
                return
            failure = error
            self._server("stop")
            with server_lock(home), reached_database(home, self._say) as database:
                undoing_failures(
                    home, database, done.backup, self._say, lambda: _fail(failure)
                )

    def _restart_older(self, home: Home) -> None:
        """Let a running server use this version, when only its code is older."""
        record = running_server(home)
        if record is not None and record.version != __version__:
            self._server("restart")

    def _server(self, *words: str) -> None:
        call_command("server", *words, stdout=OutputWrapper(sys.stderr))

    def _answer(
        self,
        options: dict[str, Any],
        schema: Schema,
        findings: Sequence[DoctorFinding],
        done: Upgraded | None,
    ) -> None:
        if options["json"]:
            self.write_json(
                {
                    "version": __version__,
                    "pending": schema.pending if done is None else (),
                    "applied": () if done is None else done.applied,
                    "backup": None if done is None else str(done.backup),
                    "findings": [asdict(finding) for finding in findings],
                }
            )
        elif done is not None:
            self.stdout.write(
                f"Upgraded to devrag {__version__}: {len(done.applied)} migrations "
                f"applied. The backup {done.backup} is no longer needed when all works."
            )
        elif not schema.pending and not schema.unknown:
            self.stdout.write(f"The data is up to date with devrag {__version__}.")

    def _say(self, message: str) -> None:
        self.stderr.write(message)
        self.stderr.flush()


def _is_needed(home: Home, schema: Schema) -> bool:
    return bool(schema.pending) or interrupted_backup(home) is not None


def _fail(error: DevragError) -> None:
    raise error

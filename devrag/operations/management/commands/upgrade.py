"""`upgrade`: bring the data to the installed version, with a way back."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseFailure

from devrag.core.commands import DevragCommand
from devrag.core.errors import Conflict, ServiceError
from devrag.operations.backup import forget_derived
from devrag.operations.version_upgrade import (
    check_upgrade,
    default_backup,
    last_backup,
    roll_back,
    upgrade,
)
from devrag.runtime.api import Database, own_home, used_database
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import running_server, server_lock


class Command(DevragCommand):
    """Check, back up, migrate; or go back to what was before."""

    help = (
        "Bring the database to the installed version: checks, a backup, all migrations "
        "or none. The server must be stopped. Example: devrag upgrade --check"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        does = parser.add_mutually_exclusive_group()
        does.add_argument(
            "--check", action="store_true", help="Only check; change nothing."
        )
        does.add_argument(
            "--rollback",
            action="store_true",
            help="Put back what the last upgrade backed up; what came later is lost.",
        )
        parser.add_argument(
            "--backup",
            type=Path,
            metavar="FILE",
            help="Where the backup goes; else below DEVRAG_HOME/backups. Encrypted "
            "where BACKUP_PASSPHRASE is set.",
        )
        parser.add_argument(
            "--no-backup",
            action="store_true",
            help="Make none, where the database has its own; there is no --rollback.",
        )
        parser.add_argument(
            "--yes", action="store_true", help="Do not ask for confirmation."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        home = own_home()
        if record := running_server(home):
            raise Conflict(
                f"The server runs (pid {record.pid}). `devrag server stop` first."
            )
        backup = None if options["no_backup"] else options["backup"]
        if backup is None and not options["no_backup"]:
            backup = default_backup(home)
        with ExitStack() as stack:
            stack.enter_context(server_lock(home))
            database = stack.enter_context(used_database(home, self.stderr.write))
            if options["rollback"]:
                self._roll_back(home, database, options)
            elif options["check"]:
                self._check(backup, options)
            else:
                self._upgrade(home, database, backup, options)

    def _check(self, backup: Path | None, options: dict[str, Any]) -> None:
        findings = list(check_upgrade(backup))
        if options["json"]:
            self.write_json([asdict(each) for each in findings])
        for each in findings if not options["json"] else ():
            advice = f" → {each.advice}" if each.advice else ""
            self.stdout.write(f"{each.state:<7} {each.name}: {each.detail}{advice}")
        if broken := [each.name for each in findings if each.state == "broken"]:
            raise ServiceError(f"Not ready to upgrade: {', '.join(broken)}.")

    def _upgrade(
        self,
        home: Home,
        database: Database,
        backup: Path | None,
        options: dict[str, Any],
    ) -> None:
        try:
            done = upgrade(home, database, backup)
        except DatabaseFailure as error:
            reason = str(error).strip().partition("\n")[0]
            raise ServiceError(
                f"A migration failed, and all were undone: {reason}. The database is "
                "what it was; the former version works with it."
            ) from error
        kept = str(done.backup) if done.backup else None
        if options["json"]:
            self.write_json({"migrations": done.migrations, "backup": kept})
        elif not done.migrations:
            self.stdout.write("Nothing to do: the database is of this version.")
        else:
            text = f"{len(done.migrations)} migrations applied."
            if kept:
                text += f" What was before is in {kept}; `--rollback` brings it back."
            self.stdout.write(f"{text} Start the server now.")

    def _roll_back(
        self, home: Home, database: Database, options: dict[str, Any]
    ) -> None:
        path = last_backup(home)
        said = f"This replaces everything in the database by {path}."
        self.terminal(options).ask(
            said, "Nothing was changed.", is_confirmed=options["yes"]
        )
        roll_back(home, database, settings.BACKUP_PASSPHRASE or None)
        forget_derived(Path(settings.LEXICAL_DIR))
        if options["json"]:
            self.write_json({"backup": str(path)})
        else:
            self.stdout.write(
                f"The database is what {path} holds. Install the former version now: "
                "this one would migrate it again at its next start."
            )

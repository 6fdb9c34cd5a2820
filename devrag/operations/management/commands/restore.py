"""`restore`: bring a backup back, also into another DEVRAG_HOME or machine."""

from __future__ import annotations

import getpass
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from devrag.core.commands import DevragCommand
from devrag.core.errors import Conflict
from devrag.operations.backup import (
    credentials_key,
    forget_derived,
    read_manifest,
    restore_backup,
)
from devrag.operations.backup_events import note_restore
from devrag.operations.encrypted import is_encrypted
from devrag.operations.passphrase import read_passphrase
from devrag.runtime.api import known_migrations, own_home, reached_database
from devrag.runtime.layout import Home
from devrag.runtime.pidfile import running_server


class Command(DevragCommand):
    """Replace what is here by a backup; a file that is none changes nothing."""

    help = (
        "Replace all data with the contents of a backup. The server must be stopped. "
        "Example: devrag restore /backups/monday.devrag"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="Backup file.")
        parser.add_argument(
            "--yes", action="store_true", help="Do not ask for confirmation."
        )
        parser.add_argument(
            "--passphrase-file",
            type=Path,
            metavar="FILE",
            help="File whose first line is the passphrase of an encrypted backup. "
            "Default: BACKUP_PASSPHRASE, or a prompt. With this option, a backup "
            "that is not encrypted is rejected.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path, home = options["file"].absolute(), own_home()
        passphrase = None
        if is_encrypted(path) or options["passphrase_file"]:
            passphrase = read_passphrase(
                options["passphrase_file"], settings.BACKUP_PASSPHRASE, is_new=False
            )
        manifest = read_manifest(path, known_migrations(), passphrase=passphrase)
        if record := running_server(home):
            raise Conflict(
                f"The server is running (pid {record.pid}). Run `devrag server stop` "
                "first."
            )
        # Else the settings name keys of their own, and files are not looked at.
        is_key_a_file = settings.CREDENTIALS_KEYS[:1] == [credentials_key(home)]
        with reached_database(home, self.stderr.write) as database:
            if not database.is_empty():
                said = f"This replaces everything in {home.root} and its database."
                self.terminal(options).ask(
                    said, "Nothing was changed.", is_confirmed=options["yes"]
                )
            restore_backup(path, home, database, passphrase=passphrase)
        note_restore(
            home,
            {
                "file": path.name,
                "createdAt": manifest.createdAt,
                "restoredAt": timezone.now().isoformat(timespec="seconds"),
                "osUser": getpass.getuser(),
            },
        )
        # Mirrors are named by their addresses: those of other sources are pruned.
        forget_derived(Path(settings.LEXICAL_DIR))
        if "credentials_key" in manifest.secrets and not is_key_a_file:
            self._tell_key(credentials_key(home), home)
        if options["json"]:
            self.write_json({**asdict(manifest), "home": str(home.root)})
        else:
            self.stdout.write(
                f"Restored {home.root} to its state of {manifest.createdAt}. `devrag "
                "server start` rebuilds the rest, and `devrag doctor --repair` the "
                "exported wikis."
            )

    def _tell_key(self, key: str | None, home: Home) -> None:
        if key and key not in settings.CREDENTIALS_KEYS:
            self.stderr.write(
                "The credentials of its sources are encrypted with the key in "
                f"{home.run / 'credentials_key'}: append it to CREDENTIALS_KEYS."
            )

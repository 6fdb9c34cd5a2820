"""`backup`: everything that cannot be built again, in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from devrag.core.commands import DevragCommand
from devrag.operations.backup import write_backup
from devrag.operations.backup_events import record_backup
from devrag.operations.passphrase import read_passphrase
from devrag.runtime.api import applied_migrations, own_home, reached_database


class Command(DevragCommand):
    """Write a backup; the server may run."""

    help = (
        "Write products, sources, indexes, wikis, notes, users and tokens to one "
        "file. The file contains secrets. Example: devrag backup "
        "/backups/monday.devrag"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="File to create.")
        parser.add_argument(
            "--encrypt",
            action="store_true",
            help="Encrypt the backup with a passphrase from --passphrase-file, the "
            "setting BACKUP_PASSPHRASE, or the terminal.",
        )
        parser.add_argument(
            "--passphrase-file",
            type=Path,
            metavar="FILE",
            help="File whose first line is the passphrase. Implies --encrypt.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        target, home = options["file"].absolute(), own_home()
        passphrase = None
        if options["encrypt"] or options["passphrase_file"]:
            passphrase = read_passphrase(
                options["passphrase_file"], settings.BACKUP_PASSPHRASE, is_new=True
            )
        with reached_database(home, self.stderr.write) as database:
            write_backup(
                target, home, database, applied_migrations(), passphrase=passphrase
            )
            size = target.stat().st_size
            found = {"file": target.name, "isEncrypted": passphrase is not None}
            record_backup({**found, "bytes": size})
        if options["json"]:
            is_encrypted = passphrase is not None
            self.write_json(
                {"file": str(target), "bytes": size, "isEncrypted": is_encrypted}
            )
            return
        advice = (
            "It is not encrypted: keep it safe, or use --encrypt."
            if passphrase is None
            else "It cannot be read without the passphrase."
        )
        self.stdout.write(f"{size / 1e6:,.1f} MB in {target}. {advice}")

"""`backup`: everything that cannot be built again, in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.runtime.backup import write_backup
from devrag.runtime.reach import known_migrations, own_home, reached_database


class Command(DevragCommand):
    """Write a backup; the server may run."""

    help = (
        "Write products, sources, indexes, wikis, notes, users and tokens to one file, "
        "which holds secrets. Example: devrag backup /backups/monday.devrag"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="A new file.")

    def handle(self, *_args: Any, **options: Any) -> None:
        target, home = options["file"].absolute(), own_home()
        with reached_database(home, self.stderr.write) as database:
            write_backup(target, home, database, known_migrations())
        size = target.stat().st_size
        if options["json"]:
            self.write_json({"file": str(target), "bytes": size})
        else:
            self.stdout.write(f"{size / 1e6:,.1f} MB in {target}; keep it secret.")

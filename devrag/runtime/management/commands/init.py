"""`init`: a commented `.env` to change; with --server, see `devrag.cli.remote`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from devrag.core.commands import DevragCommand
from devrag.core.installation import FILES_DIR
from devrag.core.new_file import write_new_file
from devrag.core.options import add_init_options


class Command(DevragCommand):
    """Write `.env` with every setting, its meaning and its default."""

    help = (
        "Write a commented .env with every setting and its default: next to "
        "manage.py, or to ~/.config/devrag if devrag is installed as a package. With "
        "--server URL, write .devrag.json to the current folder instead; commands in "
        "this folder and its subfolders then use that server. Example: devrag init "
        "--server https://devrag.example --token TOKEN"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_init_options(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        path = settings.ENV_FILE
        text = (FILES_DIR / ".env.example").read_text(encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_new_file(path, text, is_forced=options["force"])
        if options["json"]:
            self.write_json({"file": str(path)})
        else:
            self.stdout.write(
                f"Wrote {path} with all settings at their defaults. Next: `devrag "
                "server start`."
            )

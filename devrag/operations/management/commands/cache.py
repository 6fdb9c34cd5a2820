"""`cache clear`: remove what devrag builds again by itself."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.operations.caches import CACHES, clear_cache


class Command(DevragCommand):
    """Clear caches; print the size and what fills each again."""

    help = (
        "Clear caches. Their contents are rebuilt when needed; no other data is "
        "changed. Example: devrag cache clear pages"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["clear"])
        parser.add_argument(
            "names",
            nargs="*",
            metavar="NAME",
            help=f"Caches to clear: {', '.join(CACHES)}. Default: all.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        names = options["names"] or list(CACHES)
        if unknown := [name for name in names if name not in CACHES]:
            raise InvalidInput(
                f"Unknown cache '{unknown[0]}'. Use one of: {', '.join(CACHES)}."
            )
        if options["json"]:
            self.write_json([asdict(clear_cache(name)) for name in names])
        else:
            for name in names:
                self.stdout.write(str(clear_cache(name)))

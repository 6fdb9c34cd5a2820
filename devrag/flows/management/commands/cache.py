"""`cache clear`: remove what is kept only to be fast."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.flows.caches import CACHES, clear_cache


class Command(DevragCommand):
    """Clear caches and print what went."""

    help = (
        "Clear caches; everything in them is built again when it is needed, and "
        "nothing that is stored is touched. Example: devrag cache clear pages"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["clear"])
        parser.add_argument(
            "names",
            nargs="*",
            metavar="NAME",
            help=f"Only these: {', '.join(CACHES)}. Without a name: all of them.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        names = options["names"] or list(CACHES)
        if unknown := [name for name in names if name not in CACHES]:
            raise InvalidInput(
                f"There is no cache '{unknown[0]}'. Use one of: {', '.join(CACHES)}."
            )
        cleared = [clear_cache(name) for name in names]
        if options["json"]:
            self.write_json([asdict(each) for each in cleared])
        else:
            for each in cleared:
                self.stdout.write(str(each))

"""`secrets`: print what was masked in the files of a product."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.principal import SYSTEM
from devrag.core.terminal import Terminal
from devrag.products.services import get_visible_product
from devrag.use_cases.secrets import (
    SECRET_STATES,
    SecretFilter,
    count_secrets,
    describe_secrets,
    list_secrets,
    unlisted_sources,
)


class Command(DevragCommand):
    """List findings by source, path and line; exit status 0 whatever is found."""

    help = (
        "List what was masked in a product's files: rule, file and line, never the "
        "secret. Examples: devrag secrets shop; devrag secrets shop --rule github-pat"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("product", help="Product name.")
        parser.add_argument("--rule", default="", help="Rule, as github-pat.")
        parser.add_argument("--source", default="", help="Source name.")
        parser.add_argument(
            "--state",
            choices=SECRET_STATES,
            default="open",
            help="State; default: open. dismissed: marked as false positives.",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        product = get_visible_product(options["product"], SYSTEM)
        wanted = SecretFilter(options["rule"], options["source"], options["state"])
        rows = list_secrets(SYSTEM, product, wanted)
        terminal = self.terminal(options)
        found = describe_secrets(rows)
        lines = [_line(each) for each in found]
        if lines:
            lines += ["", *(f"{count:6} {rule}" for rule, count in count_secrets(rows))]
        terminal.answer(found, "\n".join(lines or ["No findings."]))
        _warn(terminal, unlisted_sources(SYSTEM, product))


def _line(found: dict[str, Any]) -> str:
    place = f"{found['sourceName']} {found['path']}:{found['line']}"
    reason = f"  dismissed: {found['reason']}" if found["reason"] else ""
    day = str(found["firstSeenAt"])[:10]
    return f"{place}  {found['rule']}  first indexed {day}{reason}"


def _warn(terminal: Terminal, names: list[str]) -> None:
    if names:
        terminal.note(
            f"Indexed before findings were listed: {', '.join(names)}. Index them "
            "again (`devrag index`) to list theirs."
        )

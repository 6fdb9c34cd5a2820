"""`model show|set|test`: the language model, on the machine that runs devrag."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from devrag.core.commands import DevragCommand
from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.core.text import dollars
from devrag.spending.models import LanguageModelSettings
from devrag.use_cases.api import (
    ModelState,
    change_model,
    choice_of,
    get_model_state,
    try_model,
)

_WHO = replace(SYSTEM, name="command line")
_TEXTS = {
    "provider": "structural (no model), openai or anthropic.",
    "base_url": "Base URL of another server that speaks the provider's protocol.",
    "model": "Model that writes wiki pages.",
    "check_model": "Model that checks sentences.",
    "ask_model": "Model that answers questions.",
    "price": "Price in dollars per million tokens: INPUT/CACHED/OUTPUT.",
}
_CAPS = {
    "cap_per_run": "Limit in dollars per run or answer.",
    "cap_per_month": "Limit in dollars per product and month.",
    "ask_cap_per_day": "Limit in dollars per day for answers about a product.",
    "conflicts_cap_per_month": "Limit in dollars per month for a product's conflicts.",
}


class Command(DevragCommand):
    """Show, change and test the language model."""

    help = (
        "Show, set and test the language model. Environment variables take "
        "precedence. Example: devrag model set --provider openai --key-file key.txt; "
        "devrag model test"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=["show", "set", "test"])
        for name, text in _TEXTS.items():
            parser.add_argument(_option(name), help=text)
        for name, text in _CAPS.items():
            parser.add_argument(_option(name), type=float, metavar="USD", help=text)
        parser.add_argument(
            "--window",
            type=int,
            help="Context window: tokens of prompt and answer together.",
        )
        key = parser.add_mutually_exclusive_group()
        key.add_argument(
            "--key-stdin",
            action="store_true",
            help="Read the API key from standard input.",
        )
        key.add_argument("--key-file", type=Path, help="Read the API key from a file.")
        key.add_argument(
            "--remove-key", action="store_true", help="Remove the stored API key."
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, f"_{options['action']}")(options)

    def _show(self, options: Mapping[str, Any]) -> None:
        self._print(get_model_state(_WHO), options)

    def _set(self, options: Mapping[str, Any]) -> None:
        names = (*_TEXTS, *_CAPS, "window")
        given = {name: options[name] for name in names if options[name] is not None}
        secret = _read_key(options)
        if not (given or secret or options["remove_key"]):
            raise InvalidInput(
                "Nothing to set. Run `devrag model set --help` to see the options."
            )
        before = choice_of(LanguageModelSettings.objects.first())
        choice = replace(
            before, **given, secret=secret, is_key_removed=options["remove_key"]
        )
        self._print(change_model(principal=_WHO, choice=choice), options)

    def _test(self, options: Mapping[str, Any]) -> None:
        answer = try_model(principal=_WHO)
        cost = None if answer.cost is None else dollars(answer.cost)
        if options["json"]:
            found = {"model": answer.model, "milliseconds": answer.milliseconds}
            self.write_json({**found, "cost": cost})
            return
        text = f"{answer.model} responded in {answer.milliseconds} ms"
        self.stdout.write(f"{text}; the test cost {cost or 'an unknown amount'}.")

    def _print(self, state: ModelState, options: Mapping[str, Any]) -> None:
        if options["json"]:
            found = asdict(state)
            for name in ("secret", "is_key_removed"):
                del found["choice"][name]
            self.write_json(found)
            return
        ending = f", ends in …{state.key_ending}" if state.key_ending else ""
        key = f"{state.key_source}{ending}" if state.key_source else "none"
        rows = {
            "provider": state.provider,
            "model": state.model or "none",
            "address": state.base_url or "the provider's own",
            "key": key,
        }
        for name, value in rows.items():
            self.stdout.write(f"{name:<10} {value}")
        for name, variable in state.fixed.items():
            self.stdout.write(f"{name:<10} set by {variable} in the environment")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _read_key(options: Mapping[str, Any]) -> str:
    """Return the new key, empty without one."""
    if options["key_stdin"]:
        text = sys.stdin.readline()
    elif path := options["key_file"]:
        try:
            text = path.read_text()
        except (OSError, UnicodeError) as error:
            raise InvalidInput(f"Cannot read {path}: {error}.") from error
    else:
        return ""
    if not text.strip():
        raise InvalidInput("No API key found. Provide it as one line.")
    return str(text.strip())

"""The guide has every command, option and kind of page, and names no other."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand

from devrag.core.command_list import COMMANDS
from devrag.wiki.writing.page_kinds import PAGE_KINDS
from tests.architecture.modules import ROOT

GUIDE = (ROOT / "docs" / "guide" / "commands.md").read_text()
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", GUIDE, re.M | re.S))
_PAGES = [*(ROOT / "docs" / "guide").glob("*.md"), ROOT / "README.md"]
# Told once for all commands; the rest is Django's.
_COMMON = {"--json", "--config", "--server", "--token"}


def command(name: str) -> BaseCommand:
    return load_command_class(get_commands()[name], name)


def parsers(name: str) -> dict[str, argparse.ArgumentParser]:
    """Return a command's own parser as '' and those of its actions."""
    parser = command(name).create_parser("devrag", name)
    found: dict[str, argparse.ArgumentParser] = {"": parser}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
        elif action.dest == "action":
            found.update(dict.fromkeys(action.choices or (), parser))
    return found


def options(parser: argparse.ArgumentParser) -> set[str]:
    plain = BaseCommand().create_parser("devrag", "any")._option_string_actions
    own = {o for o in parser._option_string_actions if o.startswith("--")}
    return own - set(plain) - _COMMON


def test_every_command_is_listed() -> None:
    folders = (ROOT / "devrag").glob("*/management/commands/*.py")
    assert {path.stem for path in folders} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_guide_has_every_action_and_option(name: str) -> None:
    told = SECTIONS[name]
    for action, parser in parsers(name).items():
        assert not action or re.search(rf"`(\w+ )?{action}\b", told), action
        missing = {option for option in options(parser) if option not in told}
        assert missing == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_a_line_for_each_option(name: str) -> None:
    assert "Example" in command(name).help
    for parser in parsers(name).values():
        silent = [
            a.option_strings
            for a in parser._actions
            if not (a.help or not a.option_strings)
        ]
        assert silent == []


def test_the_guide_tells_common_options_and_client_variables() -> None:
    wanted = {*_COMMON, "DEVRAG_URL", "DEVRAG_API_TOKEN", "DEVRAG_CONFIG"}
    assert {word for word in wanted if word not in GUIDE} == set()


def _said() -> Iterator[tuple[str, str, str]]:
    """Yield page, command and next word of every `devrag …` in code."""
    for page in _PAGES:
        code = re.findall(r"```.*?```|`[^`\n]+`", page.read_text(), re.S)
        for found in re.finditer(
            r"\bdevrag ([a-z_]+)\b(?!:)(?: ([a-z]+))?", "\n".join(code)
        ):
            yield page.name, found[1], found[2] or ""


def test_what_the_guide_types_exists() -> None:
    wrong = []
    for page, name, word in _said():
        actions = set(parsers(name)) - {""} if name in COMMANDS else set()
        is_known = name in COMMANDS or name in get_commands()
        if not is_known or (actions and word and word not in actions):
            wrong.append(f"{page}: devrag {name} {word}")
    assert wrong == []


def test_the_guide_has_every_kind_of_page() -> None:
    text = (ROOT / "docs" / "guide" / "wiki.md").read_text()
    listed = re.findall(r"^\| `([\w-]+)` \|", text.partition("## Pages")[2], re.M)
    assert listed == [kind.name for kind in PAGE_KINDS]

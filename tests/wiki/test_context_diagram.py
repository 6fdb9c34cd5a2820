"""Users and outside systems are drawn around a product."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.test_flows import LIB
from tests.wiki.written import write


def test_a_library_stands_between_its_callers_and_the_network() -> None:
    text = write(LIB)["architecture.md"].markdown
    assert 'n0(["Code that imports it"]) -->|"calls"| product' in text
    assert '[("Network (socket)")]' in text
    assert "- **Code that imports it** calls its 3 exported names" in text


def test_a_program_is_used_from_the_command_line() -> None:
    files = {**SHOP, "shop/disk.py": "def keep():\n    open('a').read()\n" * 5}
    text = write(files)["architecture.md"].markdown
    assert 'n0(["People at a command line"]) -->|"commands"| product' in text
    assert '[("File system")]' in text


def test_without_users_nothing_is_drawn() -> None:
    text = write({"README.md": "# Notes\n\nPlain notes.\n", "add.py": "TOTAL = 1\n"})
    assert "## What surrounds it" not in text["architecture.md"].markdown

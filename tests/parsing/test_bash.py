from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


def _references(text: str, kind: str) -> list[str]:
    found = parse_file("bin/run.sh", text + "\n").references
    return [r.name for r in found if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("a", 1),
        ("if a; then b; elif c; then d; else e; fi", 3),
        ("for a in b; do c; done; while d; do e; done; until f; do g; done", 4),
        ("for ((i = 0; i < 3; i++)); do a; done", 2),
        ("case $1 in a|b) c;; *) d;; esac", 2),
        ("a && b || c", 3),
        ("[[ $a && $b ]]", 2),
        ("a | b", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    symbols = parse_file("a.sh", f"f() {{\n{body}\n}}\n").symbols
    assert symbols[0].complexity == complexity


@pytest.mark.parametrize(
    ("statement", "paths"),
    [
        ("source lib/a.sh", ["lib/a.sh"]),
        (". ./a.sh", ["a.sh"]),
        ('. "$(dirname "$0")/a.sh"', ["bin/a.sh"]),
        ('source "$(cd "$(dirname "$0")" && pwd)/../a.sh"', ["a.sh"]),
        ("source ${BASH_SOURCE%/*}/a.sh", ["bin/a.sh"]),
        ('source "$HOME/.profile"', []),
    ],
)
def test_sourced_files_are_imports(statement: str, paths: list[str]) -> None:
    assert _references(statement, "import") == paths


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("build x", ["build"]),
        ("git::log", ["git::log"]),
        ("echo $(apt-get moo)", ["apt-get"]),
        ("sudo ./run.sh", ["sudo"]),
        ("./run.sh; $CMD; [ -f x ]; set -e", []),
    ],
)
def test_calls_are_commands_but_not_the_shell_s_own(
    command: str, names: list[str]
) -> None:
    assert _references(command, "call") == names

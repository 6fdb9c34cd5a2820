from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'from x import path\npath("not/django/", view)\n'),
        ("a.py", '@responses.get("/x")\ndef f(): ...\n'),
        ("a.py", 'import fastapi\n@get("/x")\ndef f(): ...\n'),
        ("a.py", 'environ["X"]\ncache.get("Y")\nenv.str("Z")\n'),
        ("a.py", "import os\nos.getenv(name)\n"),
        ("a.py", "class A(Model):\n    x = 1\n"),
        ("a.py", "@app.task\ndef f(): ...\n"),
        ("a.py", 'bot.add_parser("x")\n'),
        ("a.py", "def test_x(): ...\n"),
        ("a.py", 'if __name__ == "other": ...\n'),
        ("Makefile", "X := 1\nY ?= a:b\n%.o: %.c\n\tcc\n.PHONY: x\n"),
        ("docker-compose.yml", "services: [\n"),
        ("deep/compose.txt", "services:\n  web:\n    image: x\n"),
        ("Dockerfile", "FROM x\nRUN CMD\n"),
    ],
)
def test_what_only_looks_like_a_fact_is_none(path: str, text: str) -> None:
    assert parse_file(path, text).facts == ()


def test_a_broken_manifest_costs_its_facts_only() -> None:
    facts = parse_file("pyproject.toml", "[project\n")
    assert len(facts.chunks) == 1
    assert facts.warnings[0].startswith(
        "pyproject.toml: its pyproject facts are missing"
    )


@pytest.mark.parametrize(
    ("path", "head", "line", "kind"),
    [
        ("a.py", "from django.urls import path\n", 'path("{}", view)\n', "route"),
        ("a.sql", "", "CREATE TABLE t{} (id int);\n", "model"),
        (".env", "", "KEY_{}=x\n", "setting"),
    ],
)
def test_a_file_has_no_more_than_2000_facts_of_a_kind(
    path: str, head: str, line: str, kind: str
) -> None:
    text = head + "".join(line.format(number) for number in range(2001))
    found = parse_file(path, text, timeout_seconds=60)
    assert [fact.kind for fact in found.facts] == [kind] * 2000
    said = f"{path}: of its 2,001 {kind} facts the first 2,000 are kept"
    assert found.warnings[-1] == said

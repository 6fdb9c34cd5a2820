"""Hostile and broken input: bounded, no exception, the text still searchable."""

from __future__ import annotations

import time

import pytest

from devrag.parsing.api import parse_file

DEEP = "".join(" " * n + "if x:\n" for n in range(400))
CASES = {
    "empty": ("a.py", ""),
    "blank": ("a.py", "\n \n\t\n"),
    "only a NUL and a surrogate": ("a.py", "\x00\ud800"),
    "open brackets": ("a.py", "(" * 10_000),
    "closed brackets": ("a.py", "x = " + "[" * 10_000 + "]" * 10_000),
    "long operator chain": ("a.py", "x = " + "1 + " * 10_000 + "1\n"),
    "long call chain": ("a.py", "x = a" + ".b()" * 5_000 + "\n"),
    "chain in JavaScript": ("a.js", "x = a" + ".b()" * 5_000 + "\n"),
    "chain in Ruby": ("a.rb", "x = a" + ".b(1)" * 5_000 + "\n"),
    "chain in PHP": ("a.php", "<?php $a" + "->b()" * 5_000 + ";\n"),
    "chain in Lua": ("a.lua", "x = a" + ".b()" * 5_000 + "\n"),
    "pipes in Elixir": ("a.ex", "a " + "|> b() " * 5_000 + "\n"),
    "operators in TypeScript": ("a.ts", "x = " + "a && " * 10_000 + "b;\n"),
    "tables in Lua": ("a.lua", "x = " + "{a=" * 3_000 + "1" + "}" * 3_000 + "\n"),
    "functions in functions": ("a.js", "function a(){" * 3_000 + "}" * 3_000),
    "substitutions in a shell script": ("a.sh", "$(" * 5_000),
    "deep indentation": ("a.py", DEEP),
    "deep classes": ("a.py", DEEP.replace("if x", "class x")),
    "many bases": ("a.py", "".join(f"class A{n + 1}(A{n}): 1\n" for n in range(2000))),
    "one line of 5 MB": ("a.py", "x = '" + "a" * 5_000_000 + "'\n"),
    "one text line of 5 MB": ("a.txt", "漢" * 1_000_000 + "a" * 4_000_000),
    "one Markdown line of 5 MB": ("a.md", "[x](" * 1_250_000),
    "quotes in Markdown": ("a.md", ">" * 10_000),
    "lists in Markdown": ("a.md", "- " * 10_000),
    "brackets in a heading": ("a.md", "# " + "[" * 19_000),
    "brackets in YAML": ("docker-compose.yml", "[" * 10_000),
    "brackets in JSON": ("package.json", "[" * 100_000),
    "brackets in TOML": ("pyproject.toml", "a = " + "[" * 3_000),
    "brackets in a data file": ("a.json", '{"a":' * 10_000),
    "one YAML line of 5 MB": ("a.yaml", "a: " + "x" * 5_000_000),
    "one JSON line of 5 MB": ("a.json", '{"a":"' + "x" * 5_000_000 + '"}'),
    "one rst line of 5 MB": ("a.rst", "`" * 5_000_000),
    "one AsciiDoc line of 5 MB": ("a.adoc", "<<" * 2_500_000),
    "one org line of 5 MB": ("a.org", "[[" * 2_500_000),
    "open quotes in SQL": ("a.sql", "\\'" * 100_000),
    "open blocks in SQL": ("a.sql", "CREATE FUNCTION f() " + "BEGIN " * 10_000),
    "open messages": ("a.proto", "message A {" * 10_000),
    "open types": ("a.graphql", "type A {" * 1_000),
    "open elements": ("a.html", "<h1>x</h1>" + "<div>" * 10_000 + "text"),
    "open tags": ("a.html", "<a " * 10_000),
    "3 MB of open tags": ("a.html", "<h1>x</h1>" + "<a " * 1_000_000),
    "3 MB of closed tags": ("a.html", "<h1>x</h1>" + "</a>" * 750_000),
    "3 MB of no tags": ("a.html", "<h1>x</h1>" + "<>" * 1_500_000),
    "6 MB of attributes": ("a.html", "<h1>x</h1><a " + "b " * 3_000_000),
    "calls of nothing": ("a.py", "()()\nprint((()))()\n@()\ndef f(): 1\n"),
    "an open comment in Perl": ("a.pl", "use#"),
    "a number without its column in COBOL": ("a.cob", '/"'),
    "half a notebook": ("a.ipynb", '{"cells": [{"source": ["a\\n", "b' * 1000),
    "no path": ("", "text"),
    "odd path": ("../\x00/..", "text"),
    "200,000 lines of text": ("a.txt", "a line of text\n" * 200_000),
}


_LONG = {
    *("open elements", "brackets in a heading", "3 MB of no tags"),
    *("one org line of 5 MB", "6 MB of attributes", "200,000 lines of text"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if n in _LONG else ()) for n in CASES],
)
def test_bad_input_gives_facts(name: str) -> None:
    path, text = CASES[name]
    started = time.thread_time()
    facts = parse_file(path, text)
    assert bool(facts.chunks) == bool(text.strip())
    assert time.thread_time() - started < 10


@pytest.mark.slow
def test_50_000_types_of_graphql_are_symbols() -> None:
    text = "".join(f"type T{n} {{ a: Int b: T{n} }}\n" for n in range(50_000))
    assert len(parse_file("a.graphql", text, timeout_seconds=60).symbols) == 50_000


@pytest.mark.slow
def test_200_000_lines_of_python() -> None:
    text = "def f(x):\n    return x\n\n\n" * 50_000
    facts = parse_file("a.py", text, timeout_seconds=60)
    assert facts.lines == 200_000
    assert len(facts.chunks) == 50_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("val x = " + "[(" * 2_501, "more than 5,000 of its brackets are open at once"),
        ("class A\n" * 60_001, "it has 60,001 definitions"),
    ],
)
def test_what_takes_too_much_memory_is_left_as_windows(text: str, reason: str) -> None:
    facts = parse_file("a.scala", text, timeout_seconds=60)
    assert facts.warnings == (f"a.scala is indexed as plain text: {reason}",)
    assert facts.symbols == ()


@pytest.mark.parametrize("path", ["a.py", "a.md"])
def test_a_parser_out_of_time_leaves_windows(path: str) -> None:
    started = time.thread_time()
    facts = parse_file(path, "a b ) ( \n\n" * 50_000, timeout_seconds=0.05)
    assert time.thread_time() - started < 5
    assert facts.symbols == ()
    assert {chunk.kind for chunk in facts.chunks} == {"window"}
    assert facts.warnings == (
        f"{path} is indexed as plain text: parsing it exceeded the time limit",
    )


def test_a_failing_parser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_source: object) -> None:
        raise RuntimeError("broken rule")

    monkeypatch.setitem(parse_file.__globals__["PARSERS"], "python", fail)
    facts = parse_file("a.py", "x = 1\n")
    assert [chunk.text for chunk in facts.chunks] == ["x = 1"]
    reason = "its python parser failed (RuntimeError: broken rule)"
    assert facts.warnings == (f"a.py is indexed as plain text: {reason}",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("a.adoc", "= a\n" * 50_000, marks=pytest.mark.slow),
        ("a.txt", "* a 2024-01-15\n" * 50_000),
    ],
)
def test_a_file_of_crumbs_is_left_as_windows(path: str, text: str) -> None:
    facts = parse_file(path, text)

    assert len(facts.chunks) < 1_000
    assert "chunks" in facts.warnings[0]


def test_many_chunks_of_ordinary_length_stay() -> None:
    line = '{"title": "a day", "text": "what was done and thought on it"}\n'

    assert len(parse_file("a.jsonl", line * 21_000).chunks) == 21_000

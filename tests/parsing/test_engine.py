from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


def test_definitions_on_one_long_line_do_not_each_repeat_it() -> None:
    methods = "".join(f"/** d{i} */ int f{i}() {{ return {i}; }}" for i in range(300))
    facts = parse_file("A.java", f"class A {{{methods}}}\n")
    assert len(facts.symbols) == 301
    assert sum(len(chunk.text) for chunk in facts.chunks) < 2 * len(methods)


def test_captures_that_begin_together_come_outermost_first() -> None:
    facts = parse_file("A.java", "class A { int f() { return a.b().c().d(); } }\n")
    names = facts.symbols[1].called_functions
    assert names == ("a.b().c().d", "a.b().c", "a.b")


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.c", "int a, *b = 0, c[3];\n", ["a", "b", "c"]),
        ("a.cpp", "namespace n { int a, b; }\n", ["n", "a", "b"]),
        ("A.java", "class A { static final int B = 1, C = 2; }\n", ["A", "B", "C"]),
        ("A.cs", "class A { const int B = 1, C = 2; }\n", ["A", "B", "C"]),
        ("a.go", "package a\nvar b, c int\n", ["b", "c"]),
        ("a.php", "<?php const A = 1, B = 2;\n", ["A", "B"]),
    ],
)
def test_each_name_of_a_list_is_a_symbol(
    path: str, text: str, names: list[str]
) -> None:
    assert [s.name for s in parse_file(path, text).symbols] == names


@pytest.mark.parametrize(
    ("path", "text", "signature"),
    [
        ("a.js", 'function f(a = "http://b/c") {}\n', 'function f(a = "http://b/c")'),
        ("a.js", "function f(a /* b */, c) { // d\n}\n", "function f(a , c)"),
        ("a.c", 'char *a = "// b"; // c\n', 'char *a = "// b"'),
    ],
)
def test_a_string_holds_no_comment(path: str, text: str, signature: str) -> None:
    assert parse_file(path, text).symbols[-1].signature == signature


def test_functions_in_thousands_of_functions_are_still_symbols() -> None:
    facts = parse_file("a.js", "function a(){" * 3_000 + "}" * 3_000)
    assert len(facts.symbols) > 100
    assert facts.warnings == ()


@pytest.mark.parametrize(
    "text", ["type A = {}B{};\n", "let x: {}B{};\n", "f{}B{}();\n"]
)
def test_types_in_thousands_of_types_are_read_in_time(text: str) -> None:
    nested = text.format("C<" * 5_000, ">" * 5_000)
    assert parse_file("a.ts", nested, timeout_seconds=2).warnings == ()

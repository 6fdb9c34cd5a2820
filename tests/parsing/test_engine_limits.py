from __future__ import annotations

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

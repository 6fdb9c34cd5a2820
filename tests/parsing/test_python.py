from __future__ import annotations

import pytest

from devrag.parsing.api import estimate_tokens, parse_file
from devrag.parsing.types import ReferenceFacts, SymbolFacts


def _symbol(text: str, name: str) -> SymbolFacts:
    found = [s for s in parse_file("pkg/mod.py", text).symbols if s.name == name]
    assert len(found) == 1
    return found[0]


def _references(text: str, kind: str, path: str = "pkg/sub/mod.py") -> list[str]:
    found: tuple[ReferenceFacts, ...] = parse_file(path, text).references
    return [reference.name for reference in found if reference.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("if a: pass\n elif b: pass\n else: pass", 3),
        ("for a in b:\n  while c: pass", 3),
        ("try: pass\n except A: pass\n except B: pass", 3),
        ("return a and b or c", 3),
        ("return a if b else c", 2),
        ("return [a for a in b if a]", 2),
        ("match a:\n  case 1: pass\n  case _: pass", 3),
        ("def inner():\n  if a: pass", 1),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    assert _symbol(f"def f():\n {body}\n", "f").complexity == complexity


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("import os.path", "os.path"),
        ("import numpy as np", "numpy"),
        ("from a.b import c as d", "a.b.c"),
        ("from . import c", "pkg.sub.c"),
        ("from .x import c", "pkg.sub.x.c"),
        ("from ..x import c", "pkg.x.c"),
        ("from .x import *", "pkg.sub.x.*"),
    ],
)
def test_imports_are_full_paths(statement: str, name: str) -> None:
    assert _references(statement + "\n", "import") == [name]


def test_an_init_file_is_its_package() -> None:
    names = _references("from .x import c\n", "import", "src/pkg/sub/__init__.py")
    assert names == ["pkg.sub.x.c"]


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("f(1)", ["f"]),
        ("a.b.c(1)", ["a.b.c"]),
        ("a.b(1).c()", ["a.b().c", "a.b"]),
        ("x[0].go()", ["x[].go"]),
        ("', '.join(x)", ["str.join"]),
        ("(a or b).go()", []),
        ("f'{g(1)}'", ["g"]),
    ],
)
def test_calls_are_named_as_written(expression: str, names: list[str]) -> None:
    assert _references(expression + "\n", "call") == names


def test_types_are_taken_apart() -> None:
    text = "def f(a: 'dict[str, m.Foo] | None', b: Literal['x']) -> list[Bar]: ...\n"
    assert _references(text, "type") == ["m.Foo", "Literal", "Bar"]
    assert _symbol(text, "f").used_types == (
        "dict",
        "str",
        "m.Foo",
        "None",
        "Literal",
        "list",
        "Bar",
    )


def test_a_decorator_is_no_call_but_its_arguments_are() -> None:
    text = "@app.get(build('/x'))\ndef f(): ...\n"
    assert _references(text, "decorator") == ["app.get"]
    assert _references(text, "call") == ["build"]


def test_the_module_is_a_symbol_with_its_docstring() -> None:
    module = parse_file("src/pkg/mod.py", '# c\n"""Does it.\n\n    More."""\n').symbols[
        0
    ]
    assert (module.kind, module.name, module.qualified_name) == (
        "module",
        "mod",
        "pkg.mod",
    )
    assert module.docstring == "Does it.\n\nMore."


@pytest.mark.parametrize("literal", ['f"""x"""', 'b"x"', "1", '"a" + "b"'])
def test_only_a_plain_string_is_a_docstring(literal: str) -> None:
    assert _symbol(f"def f():\n    {literal}\n", "f").docstring == ""


def test_module_variables_are_symbols_once() -> None:
    found = parse_file("m.py", "A = 1\nA = 2\nb: int\nclass C:\n    d = 1\n").symbols
    assert [(s.kind, s.name) for s in found[1:]] == [
        ("constant", "A"),
        ("variable", "b"),
        ("class", "C"),
    ]


def test_a_type_alias_is_a_symbol() -> None:
    assert _symbol("type Pair[T] = tuple[T, T]\n", "Pair").kind == "type"


def test_a_base_of_the_same_file_brings_its_own_bases() -> None:
    text = (
        "class A(X): ...\nclass B(A): ...\nclass C(B, Generic[T], metaclass=M): ...\n"
    )
    assert _symbol(text, "C").class_hierarchy == ("X", "A", "B", "Generic", "C")


def test_columns_count_characters() -> None:
    symbol = _symbol("def f(): return 'é漢'\n", "f")
    assert (symbol.start_column, symbol.end_column) == (0, 20)


def test_a_syntax_error_warns_and_the_rest_is_kept() -> None:
    facts = parse_file("m.py", "def a():\n    return 1\n\nx = = 2\n\ndef b(): ...\n")
    assert {"a", "b"} <= {symbol.name for symbol in facts.symbols}
    said = "m.py: line 4 could not be read as Python; the rest is indexed"
    assert facts.warnings == (said,)


def test_places_that_could_not_be_read_are_counted() -> None:
    facts = parse_file("m.py", "x = = 1\ny = = 2\n\ndef f(): ...\n\nz = = 3\n")
    said = "2 places, the first at line 1, could not be read as Python"
    assert facts.warnings == (f"m.py: {said}; the rest is indexed",)


def test_a_line_in_a_hundred_is_worth_no_warning() -> None:
    facts = parse_file("m.py", "x = = 1\n" + "y = 2\n" * 100)
    assert facts.warnings == ()


def test_a_file_in_another_language_becomes_windows() -> None:
    facts = parse_file("m.py", "<?php\nfunction f($a) { return $a->b; }\n" * 50)
    assert facts.symbols == ()
    assert facts.warnings == (
        "m.py is indexed as plain text: most of it could not be read as Python",
    )


def test_a_function_chunk_has_decorators_and_comments_above() -> None:
    text = "x = 1\n\n# why\n@cached\ndef f():\n    return 1\n\ny = 2\n"
    chunks = parse_file("m.py", text).chunks
    assert [(c.kind, c.start_line, c.end_line) for c in chunks] == [
        ("window", 1, 1),
        ("symbol", 3, 6),
        ("window", 8, 8),
    ]
    assert chunks[1].text == "# why\n@cached\ndef f():\n    return 1"
    assert chunks[1].header == "m.py > def f()"


def test_a_class_chunk_is_a_skeleton() -> None:
    text = (
        'class A(B):\n    """Doc."""\n\n    x = 1\n\n    # about\n    @prop\n'
        "    def m(\n        self,\n    ) -> int:\n        return 1\n\n    y = 2\n"
    )
    skeleton, method = parse_file("m.py", text).chunks
    assert skeleton.text == (
        'class A(B):\n    """Doc."""\n\n    x = 1\n\n    def m(\n        self,\n'
        "    ) -> int:\n\n    y = 2"
    )
    assert (method.parent, method.header) == (0, "m.py > A > def m(self) -> int")
    assert method.text.startswith("    # about\n    @prop\n")


def test_a_nested_function_has_its_own_chunk_below_the_outer_one() -> None:
    chunks = parse_file("m.py", "def f():\n    def g():\n        return 1\n").chunks
    assert [(c.start_line, c.end_line, c.parent) for c in chunks] == [
        (1, 3, None),
        (2, 3, 0),
    ]


def test_a_long_function_is_split_where_statements_begin() -> None:
    statement = "    total = compute(\n        first,\n        second,\n    )\n"
    text = "def f():\n" + statement * 150
    chunks = parse_file("m.py", text).chunks
    assert len(chunks) > 1
    assert {chunk.symbol for chunk in chunks} == {1}
    assert "\n".join(chunk.text for chunk in chunks) == text.rstrip("\n")
    for chunk in chunks:
        assert chunk.tokens <= 1200
        assert chunk.text.startswith(("def f", "    total"))
        assert chunk.tokens == estimate_tokens(chunk.text)


def test_equal_input_gives_equal_order() -> None:
    text = "a.b(1).c().d()\n" * 20
    assert _references(text, "call") == ["a.b().c().d", "a.b().c", "a.b"] * 20

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.types import ReferenceFacts, SymbolFacts


def _symbol(text: str, name: str) -> SymbolFacts:
    found = [s for s in parse_file("a/b/m.go", text).symbols if s.name == name]
    assert len(found) == 1
    return found[0]


def _references(text: str, kind: str, path: str = "a/b/m.go") -> list[ReferenceFacts]:
    found = parse_file(path, f"package b\n{text}\n").references
    return [reference for reference in found if reference.kind == kind]


def _bound(text: str) -> list[tuple[str, str]]:
    return [(r.target, r.via) for r in _references(text, "call")]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return", 1),
        ("if a {} else if b {} else {}", 3),
        ("for {}\nfor range a {}", 3),
        ("switch a { case 1: case 2, 3: default: }", 3),
        ("switch a.(type) { case int: default: }", 2),
        ("select { case <-a: default: }", 2),
        ("_ = a && b || c", 3),
        ("f := func() { if a {} }", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    text = f"package b\nfunc f() {{\n{body}\n}}\n"
    assert _symbol(text, "f").complexity == complexity


@pytest.mark.parametrize(
    ("specification", "path", "alias"),
    [
        ('"fmt"', "fmt", "fmt"),
        ('"net/http"', "net.http", "http"),
        ('h "net/http"', "net.http", "h"),
        ('"x.io/shop/v2"', "x.io.shop.v2", "shop"),
        ('"gopkg.in/yaml.v3"', "gopkg.in.yaml.v3", "yaml"),
        ('"x.io/go-sqlite3"', "x.io.go-sqlite3", "sqlite3"),
    ],
)
def test_an_import_binds_the_package_name(
    specification: str, path: str, alias: str
) -> None:
    text = f"import {specification}\nfunc f() {{ {alias}.G() }}"
    assert [r.name for r in _references(text, "import")] == [path]
    assert _bound(text) == [(f"{path}.G", "import")]


@pytest.mark.parametrize("alias", ["_", "."])
def test_a_blank_or_dot_import_binds_no_name(alias: str) -> None:
    assert _bound(f'import {alias} "x/y"\nfunc f() {{ y.G() }}') == [("", "")]


def test_the_namespace_is_the_folder() -> None:
    assert parse_file("a/b/m.go", "package c\n").module == "a.b"


def test_tests_from_outside_a_package_have_their_own_namespace() -> None:
    assert parse_file("a/b/m_test.go", "package b_test\n").module == "a.b_test"


def test_a_receiver_is_the_object_itself() -> None:
    text = "func (s *Store) A() { s.B(); s.db.C() }"
    assert _bound(text) == [("Store.B", "member"), ("Store.db.C", "type")]


def test_a_local_variable_hides_receiver_and_import() -> None:
    text = 'import "net/url"\nfunc (s S) A() { url := g(); s := 1; url.B(); s.C() }'
    assert _bound(text) == [("", ""), ("g().B", "type"), ("", "local")]


def test_a_parameter_of_an_imported_type_leads_there() -> None:
    text = 'import "database/sql"\nfunc f(db *sql.DB, x []sql.Row) { db.Q(); x.Y() }'
    assert _bound(text) == [("database.sql.DB.Q", "type"), ("", "local")]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("a.b(1).c()", ["a.b().c", "a.b"]),
        ("a[0].b()", ["a[].b"]),
        ("(a).b()", []),
        ("Map[int](x)", ["Map"]),
        ("Map[time.Time](x, y)", ["Map"]),
        ("handlers[i](x)", []),
        ("handlers[c.index](x, y)", []),
        ("string(x)", []),
        ("[]byte(x)", []),
    ],
)
def test_calls_are_named_as_written(call: str, names: list[str]) -> None:
    found = _references(f"func f() {{ _ = {call} }}", "call")
    assert [r.name for r in found] == names


def test_type_parameters_and_own_names_are_no_used_types() -> None:
    text = (
        "type Set[T any] map[T]Item\nfunc (s Set[T]) Add(item T) error { return nil }"
    )
    assert [r.name for r in _references(text, "type")] == ["Item", "Set"]


def test_embedded_types_are_bases() -> None:
    text = "package b\ntype S struct { *Base; x.Y; name Z }\n"
    assert _symbol(text, "S").class_hierarchy == ("Base", "x.Y", "S")


def test_methods_of_an_interface_stay_in_its_chunk() -> None:
    text = "package b\n\ntype I interface {\n\t// Get it.\n\tGet() int\n}\n"
    facts = parse_file("b/m.go", text)
    assert [s.qualified_name for s in facts.symbols] == ["I", "I.Get"]
    assert [(c.start_line, c.end_line) for c in facts.chunks] == [(1, 1), (3, 6)]
    assert "Get() int" in facts.chunks[1].text


def test_a_directive_is_no_documentation() -> None:
    text = "package b\n\n// F does it.\n//\n//go:noinline\nfunc F() {}\n"
    assert _symbol(text, "F").docstring == "F does it."


def test_a_declaration_of_several_names_gives_each() -> None:
    text = "package b\nvar (\n\ta, b int\n\t_ = 1\n)\nfunc f() { var c int }\n"
    assert [s.name for s in parse_file("m.go", text).symbols] == ["a", "b", "f"]


def test_deep_nesting_takes_bounded_time() -> None:
    text = "package b\nfunc f() { x" + ".b()" * 50_000 + " }\n"
    assert parse_file("m.go", text).symbols[0].name == "f"

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file


def _references(text: str, kind: str) -> list[str]:
    found = parse_file("app/a.php", f"<?php\n{text}\n").references
    return [r.name for r in found if r.kind == kind]


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1;", 1),
        ("if ($a) {} elseif ($b) {} else if ($c) {} else {}", 4),
        ("foreach ($a as $b) {} for (;;) {} while (1) {} do {} while (0);", 5),
        ("switch ($a) { case 1: case 2: break; default: }", 3),
        ("return match (1) { 1, 2 => 3, default => 4 };", 2),
        ("try {} catch (A | B $e) {} finally {}", 2),
        ("return $a && $b || $c and $d ?? $e;", 5),
        ("return $a ? $b : $c?->d;", 2),
    ],
)
def test_complexity(body: str, complexity: int) -> None:
    symbols = parse_file("a.php", f"<?php function f() {{ {body} }}").symbols
    assert symbols[0].complexity == complexity


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        (r"use A\B;", ["A.B"]),
        (r"use A\B as C, D;", ["A.B", "D"]),
        (r"use A\{B, C\D as E};", ["A.B", "A.C.D"]),
        (r"use function A\b;", ["A.b"]),
        ("require 'lib/b.php';", ["lib/b.php"]),
        ("include_once(__DIR__ . '/../b.php');", ["b.php"]),
        ("require $file;", []),
        ('require "$folder/b.php";', []),
    ],
)
def test_imports_are_full_paths(statement: str, names: list[str]) -> None:
    assert _references(statement, "import") == names


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("f(1)", ["f"]),
        (r"\A\f(1)", ["A.f"]),
        ("$this->a->b(1)", ["this.a.b"]),
        ("$a?->b(1)", ["$a.b"]),
        ("A::b(1)->c()", ["A.b().c", "A.b"]),
        ("self::b()", ["self.b"]),
        (r"new A\B()", ["A.B"]),
        ("new static()", []),
        ("new class {}", []),
        ("$f(1)", []),
        ("$a->$b()", []),
    ],
)
def test_calls_are_named_with_dots(expression: str, names: list[str]) -> None:
    assert sorted(_references(f"{expression};", "call")) == sorted(names)


def test_an_alias_stands_for_what_is_used() -> None:
    text = "<?php\nnamespace A;\nuse B\\C as D;\nfunction f(D $d) { $d->run(); }\n"
    facts = parse_file("a.php", text)
    assert facts.module == "A"
    assert [(r.name, r.target) for r in facts.references if r.kind == "call"] == [
        ("$d.run", "B.C.run")
    ]

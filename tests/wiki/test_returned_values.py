"""What is returned is told whole, of a conditional expression both values."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.returned_values import ReturnedValue, returned_value

CONDITIONAL = """return ~type.indexOf('/')
  ? acceptParams(type)
  : { value: (lookup(type) || 'a ? b'), params: {} }
"""


def value(code: str, language: str = "javascript") -> ReturnedValue | None:
    lines = code.split("\n")
    return returned_value(lines, 1, len(lines), language)


@pytest.mark.parametrize(
    ("code", "language", "parts"),
    [
        (
            CONDITIONAL,
            "javascript",
            (
                "~type.indexOf('/')",
                "acceptParams(type)",
                "{ value: (lookup(type) || 'a ? b'), params: {} }",
            ),
        ),
        ("return a ? b : c;", "javascript", ("a", "b", "c")),
        (
            "return first if is_known(x) else None",
            "python",
            ("is_known(x)", "first", "None"),
        ),
        ("return x", "python", ("", "x", "")),
    ],
)
def test_both_values_of_a_condition_are_known(
    code: str, language: str, parts: tuple[str, str, str]
) -> None:
    found = value(code, language)
    assert found is not None
    assert (found.test, found.text, found.otherwise) == parts


def test_an_expression_goes_on_in_the_lines_below() -> None:
    found = value("return start(\n  name,\n  last\n)\nother()")
    assert found == ReturnedValue("start(name, last)", 1, 4)
    found = value("return items\n  .filter(isKnown);\n")
    assert found == ReturnedValue("items.filter(isKnown)", 1, 2)


@pytest.mark.parametrize(
    "code",
    [
        "return a ? b : c ? d : e",
        "return ~type.indexOf('/')\n  ? " + "a" * 90 + "\n  : c",
        "return start(\n  name,",
        "return function () {\n  run()\n  run()\n  run()\n  run()\n  run()\n  run()\n}",
        "return;",
        "returned = 3",
        "return 'never closed",
        "return f('a' + b\n  + 'c)",
    ],
)
def test_what_cannot_be_told_whole_is_not_told(code: str) -> None:
    assert value(code) is None


def test_a_comment_behind_it_is_no_part_of_it() -> None:
    assert value("return x; // as before") == ReturnedValue("x", 1, 1)


@pytest.mark.parametrize(
    ("code", "language", "told"),
    [
        ("return total // count", "python", "total // count"),
        ('return "issue # " + n', "python", '"issue # " + n'),
        ("return 'a  b' + n  # it's one", "python", "'a  b' + n"),
        ("return x#it's one", "python", "x"),
        ("return $#", "bash", "$#"),
        ('return "http://" + host // as it was', "go", '"http://" + host'),
        ("return a /* one */ + b", "c", "a + b"),
        ("return this.#size; //of it", "javascript", "this.#size"),
        ("return a # as before", "php", "a"),
        ("return a / 2 -- half of it", "lua", "a / 2"),
        ('return f( "( a )" )', "python", 'f("( a )")'),
    ],
)
def test_what_begins_a_comment_is_told_by_the_language(
    code: str, language: str, told: str
) -> None:
    found = value(code, language)
    assert found is not None
    assert found.text == told


def test_a_condition_keeps_its_division() -> None:
    found = value("return n // 2 if n else 0", "python")
    assert found == ReturnedValue("n // 2", 1, 1, "n", "0")


def test_many_blanks_are_one() -> None:
    blanks = " " * 400_000
    found = value(f"return a{blanks}+ b({blanks}c{blanks}){blanks}", "python")
    assert found is not None
    assert found.text == "a + b(c)"


def test_a_condition_that_is_one_of_several_values_is_not_told() -> None:
    assert value("return name if found else None, found, rest[1:]", "python") is None
    found = value("return call(a, b) if ok else [c, d]", "python")
    assert found is not None
    assert (found.text, found.otherwise) == ("call(a, b)", "[c, d]")

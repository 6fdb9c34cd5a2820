"""The lines that say what a definition is, and whether its name is called."""

from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.wiki.analysis.declarations import (
    Declaration,
    declaration_of,
    is_abstract,
    is_called,
)
from devrag.wiki.analysis.survey import SurveySymbol

PYTHON = '''\
class Store(
    Base,
):
    """Keeps rows.

    All of them.
    """

    @property
    def size(self) -> int:
        """How many there are."""
        return 1

    @command(
        name="put",
    )
    def put(
        self,
        key: str,
        value: str,
    ) -> tuple[
        str, str
    ]:
        """Keep a value."""
        return key, value

    def find(self, key: str) -> str:
        """Look a value up."""
        raise NotImplementedError

    def silent(self, key):
        first = key
        second = first
        third = second
        return third
'''
CSHARP = """\
class Chain {
\t/// <summary>
\t/// The <see cref="Name"/>s in it
\t/// </summary>
\t[Obsolete]
\tpublic int Count => _names.Count;

\t/// <summary>Adds a name.</summary>
\tpublic void Add<T>(
\t\tstring name,
\t\tint at = 0)
\t\twhere T : class {
\t}

\tpublic string Label { get { return ""; } }
}
"""
SCRIPT = """\
export class Box {
  /**
   * The width.
   */
  get width(): number { return 1 }
  grow(by: number): void {}
}
"""


def symbol_of(path: str, text: str, name: str) -> SurveySymbol:
    found = next(s for s in parse_file(path, text).symbols if s.name == name)
    return SurveySymbol(
        id=1,
        file=1,
        kind=found.kind,
        name=found.name,
        qualified_name=found.qualified_name,
        start_line=found.start_line,
        end_line=found.end_line,
        signature=found.signature,
        docstring=found.docstring,
    )


@pytest.mark.parametrize(
    ("path", "text", "name", "whole"),
    [
        ("a.py", PYTHON, "Store", (1, 7)),
        ("a.py", PYTHON, "put", (14, 24)),
        ("a.py", PYTHON, "silent", (31, 33)),
        ("a.cs", CSHARP, "Count", (2, 6)),
        ("a.cs", CSHARP, "Add", (8, 12)),
        ("a.ts", SCRIPT, "width", (2, 5)),
    ],
)
def test_signature_and_description_are_found_whole(
    path: str, text: str, name: str, whole: tuple[int, int]
) -> None:
    symbol = symbol_of(path, text, name)
    assert declaration_of(symbol, text.split("\n")).whole == whole


def test_a_decorated_definition_is_named_below_its_decorators() -> None:
    symbol = symbol_of("a.py", PYTHON, "put")
    assert declaration_of(symbol, PYTHON.split("\n")).named == 17


def test_a_name_in_an_attribute_is_not_the_definition() -> None:
    text = '[Obsolete("IMaker goes")]\npublic interface IMaker {\n\tint A();\n}\n'
    symbol = symbol_of("a.cs", text, "IMaker")
    assert declaration_of(symbol, text.split("\n")).named == 2


@pytest.mark.parametrize(
    ("path", "text", "name", "called"),
    [
        ("a.py", PYTHON, "size", False),
        ("a.py", PYTHON, "put", True),
        ("a.py", PYTHON, "Store", False),
        ("a.cs", CSHARP, "Count", False),
        ("a.cs", CSHARP, "Label", False),
        ("a.cs", CSHARP, "Add", True),
        ("a.ts", SCRIPT, "width", False),
        ("a.ts", SCRIPT, "grow", True),
    ],
)
def test_properties_are_not_called(
    path: str, text: str, name: str, *, called: bool
) -> None:
    symbol = symbol_of(path, text, name)
    language = parse_file(path, text).language
    assert is_called(symbol, language, text.split("\n")) is called


@pytest.mark.parametrize(("name", "abstract"), [("find", True), ("put", False)])
def test_what_only_raises_is_abstract(name: str, *, abstract: bool) -> None:
    symbol = symbol_of("a.py", PYTHON, name)
    assert is_abstract(symbol, PYTHON.split("\n")) is abstract


def test_what_does_not_fit_one_citation_is_cut_into_pieces() -> None:
    long = Declaration(named=1, signature=(1, 50), description=(51, 120))
    assert list(long.pieces(40)) == [(1, 40), (41, 50), (51, 90)]
    short = Declaration(named=9, signature=(9, 12), description=(1, 8))
    assert list(short.pieces(40)) == [(1, 12)]

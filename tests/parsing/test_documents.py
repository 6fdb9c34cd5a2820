"""Formats other than Markdown: sections, data by key, declarations."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devrag.parsing.api import parse_file
from devrag.parsing.types import FileFacts

from .cases import PATHS, fixture_text

FILL = "word " * 80  # Enough to be split into sections.
COVERED = [
    "openapi.yaml",
    "manual.rst",
    "manual.adoc",
    "notes.org",
    "tea.proto",
    "tea.graphql",
    "tea.sql",
]
EDITS = st.lists(
    st.tuples(st.integers(0, 3000), st.integers(0, 60), st.text(max_size=12)),
    max_size=5,
)


def _check_words(facts: FileFacts, lines: dict[int, str]) -> None:
    """Each word of each line stands in a chunk whose lines include it."""
    for number, line in lines.items():
        around = [c for c in facts.chunks if c.start_line <= number <= c.end_line]
        for word in re.findall(r"\w+", line):
            assert any(word in chunk.text for chunk in around), (number, line)


def _numbered(text: str) -> dict[int, str]:
    return dict(enumerate(text.split("\n"), start=1))


def _sections(path: str, text: str) -> list[tuple[int | None, str]]:
    chunks = parse_file(path, text).chunks
    return [(c.depth, c.heading) for c in chunks if c.kind == "section"]


@pytest.mark.parametrize("name", COVERED)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_mutated_documents_keep_every_word(
    name: str, edits: list[tuple[int, int, str]]
) -> None:
    text = fixture_text(name)
    for start, length, inserted in edits:
        at = start % (len(text) + 1)
        text = text[:at] + inserted + text[at + length :]
    text = re.sub(r"[\r\x00-\x08\x0b-\x1f\ud800-\udfff]", "", text)
    _check_words(parse_file(PATHS[name], text), _numbered(text))


@pytest.mark.parametrize(
    ("path", "line"),
    [("a.yaml", "key{}: value of {}"), ("a.toml", "[key{}]\nv = {}"), ("a.json", "")],
)
def test_big_data_files_are_cut_at_their_keys(path: str, line: str) -> None:
    if path == "a.json":
        text = json.dumps({f"key{n}": [n] * 5 for n in range(300)}, indent=1)
    else:
        text = "\n".join(line.format(n, n) for n in range(300))
    facts = parse_file(path, text)
    assert len(facts.chunks) > 1
    assert all("key" in chunk.heading for chunk in facts.chunks)
    assert facts.chunks[0].heading.startswith("key0, key1, ")
    _check_words(facts, _numbered(text))


def test_a_big_key_is_cut_at_the_keys_below() -> None:
    service = "\n".join(f"      - name: variable {n}" for n in range(60))
    text = "version: '3'\nservices:\n" + "".join(
        f"  {name}:\n    environment:\n{service}\n" for name in ("web", "db", "cache")
    )
    facts = parse_file("deploy.yaml", text)
    assert [(c.header, c.heading) for c in facts.chunks] == [
        ("deploy.yaml", "version"),
        ("deploy.yaml > services", "web"),
        ("deploy.yaml > services", "db"),
        ("deploy.yaml > services", "cache"),
    ]
    _check_words(facts, _numbered(text))


def test_a_small_data_file_is_one_window() -> None:
    (chunk,) = parse_file("a.yaml", "a: 1\nb:\n  c: 2\n").chunks
    assert (chunk.kind, chunk.header, chunk.heading) == ("window", "a.yaml", "")


def test_an_alias_is_not_followed() -> None:
    text = "a: &a [lol]\n" + "".join(
        f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}]\n" for n in range(1, 300)
    )
    assert 1 < len(parse_file("a.yaml", text).chunks) < 20


@pytest.mark.parametrize("text", ["{" * 4000, '{"a": [1,' * 500, "{{ x }}\n" * 600])
@pytest.mark.parametrize("path", ["a.json", "a.yaml", "a.toml", "a.ipynb", "a.html"])
def test_broken_data_is_still_searchable(path: str, text: str) -> None:
    facts = parse_file(path, text)
    assert facts.chunks
    _check_words(facts, _numbered(text))


def test_adornments_give_the_levels_of_rst_in_their_order() -> None:
    text = f"A\n~~~\n\n{FILL}\n\nB\n===\n\nx\n\nC\n~~~\n\ny\n"
    assert _sections("a.rst", text) == [(0, ""), (1, "A"), (2, "B"), (1, "C")]


@pytest.mark.parametrize("text", ["a\nb\n---\n", "  a\n  ---\n", "abc\n--\n", "===\n"])
def test_text_that_is_no_title_of_rst(text: str) -> None:
    assert _sections("a.rst", f"{FILL}\n\n{text}") == [(0, "")]


def test_wide_characters_count_two_columns_under_a_title() -> None:
    assert _sections("a.rst", f"茶\n--\n\n{FILL}") == [(0, ""), (1, "茶")]


def test_a_listing_hides_titles_of_asciidoc_and_org() -> None:
    adoc = f"= A\n\n{FILL}\n\n....\n== no\n....\n\n== B\n\nx\n"
    assert _sections("a.adoc", adoc) == [(0, ""), (1, "A"), (2, "B")]
    org = f"* A\n{FILL}\n#+begin_src\n* no\n#+end_src\n** B\nx\n"
    assert _sections("a.org", org) == [(0, ""), (1, "A"), (2, "B")]


def test_the_lines_of_a_notebook_are_those_of_its_file() -> None:
    text = fixture_text("tea.ipynb")
    facts = parse_file("a.ipynb", text)
    lines = _numbered(text)
    (code,) = [c for c in facts.chunks if "import tea" in c.text]
    assert "import tea" in lines[code.start_line]
    assert "hot" in lines[code.end_line]
    assert code.language == "code"
    water = facts.chunks[2]
    assert (water.heading, water.language) == ("Water", "ja")
    assert "## Water" in lines[water.start_line]
    assert not any("iVBOR" in chunk.text for chunk in facts.chunks)


def test_a_page_keeps_the_words_that_people_see() -> None:
    text = fixture_text("tea.html")
    visible = {
        number: re.sub(r"<[^>]*>?|^href.*?>|&\w+;", " ", line)
        for number, line in _numbered(text).items()
    }
    _check_words(parse_file("a.html", text), visible)


def test_headings_on_one_line_of_a_page_are_sections() -> None:
    text = f"<h1>A</h1><p>{FILL}</p><h2>B</h2><p>x</p>"
    assert _sections("a.html", text) == [(0, ""), (1, "A"), (2, "B")]


def test_a_page_takes_all_lines_of_its_file() -> None:
    text = f"<!DOCTYPE html>\n<body>\n<h1>A</h1>\n<p>{FILL}\n</body>\n</html>\n"
    (whole, _) = parse_file("a.html", text).chunks
    assert (whole.depth, whole.start_line, whole.end_line) == (0, 1, 6)


def test_comments_of_a_page_stand_apart_from_its_text() -> None:
    text = f"<h1>A</h1>\n<!-- Licence: MIT -->\n<!-- - -->\n<p>{FILL}</p>\n"
    *_, comment = parse_file("a.html", text).chunks
    assert (comment.kind, comment.start_line) == ("window", 2)
    assert comment.text == "<!-- Licence: MIT -->"


@pytest.mark.parametrize(
    "mark", ["{% if x %}", "{{ x }}", "<?php ?>", '<p hx-get="x">']
)
def test_a_template_is_code(mark: str) -> None:
    text = f"<h1>A</h1>\n{mark}<p>{FILL}</p>\n"
    (chunk,) = parse_file("a.html", text).chunks
    assert (chunk.kind, chunk.text) == ("window", text.rstrip())


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 'a;b';",
        "SELECT ';' -- no; end\n;",
        "SELECT $x$ ; $x$;",
        "CREATE TRIGGER t BEGIN\nSELECT CASE 1 WHEN 1 THEN 2 END;\nEND;",
        "SELECT '\\';",
        'SELECT ";" /* ; */;',
    ],
)
def test_a_semicolon_within_a_statement_does_not_end_it(statement: str) -> None:
    text = f"{statement}\nCREATE TABLE t (a int);\n"
    (*_, table) = parse_file("a.sql", text).symbols
    assert (table.name, table.start_line) == ("t", statement.count("\n") + 2)


@pytest.mark.parametrize(
    ("written", "parameters"),
    [
        ("a int, INOUT b numeric(10, 2) DEFAULT 1.0", ["a int", "b numeric(10, 2)"]),
        ("text, double precision, int[]", [" text", " double precision", " int[]"]),
        ("@a int = 1, @b varchar(10) OUTPUT", ["@a int", "@b varchar(10)"]),
        ("VARIADIC a int[] = '{1,2}' -- b, c\n", ["a int[]"]),
        ("", []),
    ],
)
def test_a_routine_of_sql_has_parameters(written: str, parameters: list[str]) -> None:
    text = f"CREATE FUNCTION f({written}) RETURNS SETOF numeric(10, 2) AS 'x';\n"
    (routine,) = parse_file("a.sql", text).symbols
    assert [f"{p.name} {p.type}" for p in routine.parameters] == parameters
    assert routine.return_type == "SETOF numeric(10, 2)"


def test_a_schema_is_a_type_of_its_own() -> None:
    text = json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "description": "A tea.",
            "properties": {"name": {}, "leaf": {}},
        },
        indent=1,
    )
    facts = parse_file("api/tea.schema.json", text)
    (symbol,) = facts.symbols
    assert (symbol.name, symbol.signature) == ("tea", "tea {name, leaf}")
    assert (symbol.docstring, symbol.start_line) == ("A tea.", 1)
    assert symbol.end_line == facts.lines
    assert [chunk.symbol for chunk in facts.chunks] == [0]


@pytest.mark.parametrize(
    "heading", [".. code-block:: python", "Like this::", "::", ".. code:: sh"]
)
def test_a_code_block_of_rst_stays_whole(heading: str) -> None:
    block = "\n\n".join(f"    line {n} {'word ' * 20}" for n in range(20))
    text = "\n\n".join([FILL] * 8 + [heading, block] + [FILL] * 8)
    chunks = parse_file("a.rst", text).chunks
    assert any(block in chunk.text for chunk in chunks if chunk.kind == "window")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.graphql", '"茶" type Tea { a: Int }\n'),
        ("a.proto", "/* 茶 */ message Tea { int32 a = 1; }\n"),
    ],
)
def test_columns_are_counted_in_characters(path: str, text: str) -> None:
    (symbol,) = parse_file(path, text).symbols
    assert symbol.end_column == len(text) - 1

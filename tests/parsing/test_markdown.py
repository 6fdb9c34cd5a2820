from __future__ import annotations

import pytest

from devrag.parsing.api import parse_file
from devrag.parsing.documents.sections import HeadingNode, build_content

FILL = "word " * 80  # Enough to be split into sections.


def _sections(text: str) -> list[tuple[int | None, str]]:
    facts = parse_file("a.md", text)
    return [(chunk.depth, chunk.heading) for chunk in facts.chunks]


def test_build_content_includes_children() -> None:
    npm = HeadingNode("npm", 3, lines=["Run npm install."])
    setup = HeadingNode("Setup", 2, lines=["Steps:"], children=[npm])
    node = HeadingNode("Node.js", 1, lines=["Intro."], children=[setup])
    root = HeadingNode("", 0, lines=["Preface."], children=[node])
    below = "# Node.js\n\nIntro.\n\n## Setup\n\nSteps:\n\n### npm\n\nRun npm install."
    assert build_content(root) == f"Preface.\n\n{below}"
    assert build_content(node) == below
    assert build_content(npm) == "### npm\n\nRun npm install."


def test_build_content_of_a_heading_without_own_text() -> None:
    child = HeadingNode("B", 2, lines=["text"])
    node = HeadingNode("A", 1, children=[child])
    assert build_content(node) == "# A\n\n\n\n## B\n\ntext"


def test_sections_are_the_document_and_h1_to_h3() -> None:
    text = f"# A\n\n{FILL}\n\n## B\n\n{FILL}{FILL}\n\n### C\n\nx\n\n#### D\n\n##### E\n"
    assert _sections(text) == [(0, ""), (1, "A"), (2, "B"), (3, "C")]
    last = parse_file("a.md", text).chunks[-1]
    assert last.text == "### C\n\nx\n\n#### D\n\n##### E"


def test_a_document_below_100_tokens_is_not_split() -> None:
    text = "# A\n\n" + "漢" * 95 + "\n\n## B\n\n"
    assert _sections(text) == [(0, "")]
    assert _sections(text + "漢")[:2] == [(0, ""), (1, "A")]


@pytest.mark.parametrize(("characters", "is_warned"), [(2000, False), (2001, True)])
def test_a_long_section_is_warned_about(characters: int, is_warned: bool) -> None:
    text = "漢" * characters + "\n"
    expected = (
        "The section “(document root)” is long (2001 tokens) and is indexed in parts."
    )
    facts = parse_file("a.md", text)
    assert facts.warnings == ((expected,) if is_warned else ())
    assert len([c for c in facts.chunks if c.kind == "section"]) == 1


@pytest.mark.parametrize(("characters", "windows"), [(3000, 0), (3001, 2)])
def test_long_own_text_has_windows_under_its_heading(
    characters: int, windows: int
) -> None:
    text = f"# A\n\n{'x' * characters}\n\n## B\n\ntext\n"
    found = [c for c in parse_file("a.md", text).chunks if c.kind == "window"]
    assert len(found) == windows
    assert {(c.heading, c.depth, c.parent) for c in found} <= {("A", None, 1)}


def test_setext_headings_are_headings_and_fences_hide_them() -> None:
    text = f"A\n===\n\n```\n# no\n```\n\n~~~\n## no\n~~~\n\n{FILL}\n\nB\n---\n\ntext\n"
    assert _sections(text) == [(0, ""), (1, "A"), (2, "B")]


def test_headings_in_lists_and_quotes_make_no_sections() -> None:
    assert _sections(f"# A\n\n- # b\n\n> # c\n\n{FILL}\n") == [(0, ""), (1, "A")]


def test_a_heading_may_come_before_its_parent_level() -> None:
    text = f"### C\n\n{FILL}\n\n# A\n\n## B\n"
    assert _sections(text) == [(0, ""), (3, "C"), (1, "A")]


def test_front_matter_gives_title_date_and_tags() -> None:
    facts = parse_file(
        "a.md", "---\ntitle: T\ndate: 2024-01-15\ntags: [a, b]\n---\nx\n"
    )
    assert facts.title == "T"
    assert (facts.chunks[0].date, facts.chunks[0].tags) == ("2024-01-15", ("a", "b"))
    assert facts.chunks[0].text == "x"


def test_broken_front_matter_costs_only_itself() -> None:
    facts = parse_file("a.md", "---\ntitle: [\n---\n# H\n")
    assert facts.title == "H"


def test_the_first_h1_is_the_title_without_markup() -> None:
    facts = parse_file("a.md", "---\ntitle: T\n---\n# A `b` [c](d.md)\n")
    assert facts.title == "A b c"


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("[a](b.md)", "docs/b.md"),
        ("[a](../b.md#part)", "b.md"),
        ("[a](/b%20c.md)", "b c.md"),
        ("[a][r]\n\n[r]: x/y.py", "docs/x/y.py"),
        ("![i](i.png)", "docs/i.png"),
        ("[a](https://e.org/b.md)", None),
        ("[a](#part)", None),
        ("[a](../../out.md)", None),
        ("`[a](b.md)`", None),
    ],
)
def test_links_to_files_are_references(link: str, name: str | None) -> None:
    found = [r.name for r in parse_file("docs/a.md", f"see {link}\n").references]
    assert found == ([name] if name else [])


def test_language_of_a_section() -> None:
    assert parse_file("a.md", "これは日本語です。\n").chunks[0].language == "ja"
    assert parse_file("a.md", "This is English.\n").chunks[0].language == "en"


def test_front_matter_with_more_keys_is_searchable() -> None:
    text = "---\ntitle: T\ndescription: How to brew\n---\nx\n"
    section, window = parse_file("a.md", text).chunks
    assert (section.kind, section.text) == ("section", "x")
    assert (window.kind, window.start_line, window.end_line) == ("window", 1, 4)
    assert window.text == text.removesuffix("\nx\n")


@pytest.mark.parametrize(
    "block", ["```sh\n%s```", "~~~\n%s~~~", "| a | b |\n|---|---|\n%s"]
)
def test_windows_never_cut_a_code_block_or_table(block: str) -> None:
    prose = "\n\n".join("A paragraph of words. " * 12 for _ in range(7))
    gap = "\n" if "|--" in block else "\n\n"
    code = block % (f"| make | demo |{gap}" * 90)
    text = f"# A\n\n{prose}\n\n{code}\n\n{prose}\n"
    windows = [c for c in parse_file("a.md", text).chunks if c.kind == "window"]
    assert len(windows) > 2
    assert any(code.strip() in c.text for c in windows)


def test_windows_of_a_section_overlap_by_paragraphs() -> None:
    text = "\n\n".join(f"P{n} " + "word " * 40 for n in range(40))
    first, second, *_ = (
        c for c in parse_file("a.md", text).chunks if c.kind == "window"
    )
    repeated = second.text.split("\n\n")[0]
    assert first.start_line < second.start_line < first.end_line
    assert repeated in first.text
    assert len(repeated) <= 200 * 3.5


def test_links_in_tables_and_lists_have_their_lines() -> None:
    text = "- a\n- ![b](b.png)\n\n| a |\n|---|\n| [c](c.md) |\n"
    found = [(r.name, r.line) for r in parse_file("a.md", text).references]
    assert found == [("b.png", 2), ("c.md", 6)]

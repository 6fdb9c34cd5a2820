"""Blocks as Markdown, and the bounds of what is read of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.sources.notion.notion_server import Workspace
from tests.sources.notion.records import Json, block, rich
from tests.sources.pages.reading import Open, texts, unlisted

Body = Callable[..., str]


@pytest.fixture
def body(workspace: Workspace, opened: Open) -> Body:
    """Return what a page of blocks becomes, below its title."""

    def read(*blocks: Json) -> str:
        workspace.page("Page", *blocks)
        return texts(opened())["Page.md"].partition("# Page\n\n")[2].rstrip("\n")

    return read


def item(kind: str, words: str, *inside: Json, **own: Any) -> Json:
    return block(kind, words, children=list(inside), **own)


def test_headings_are_below_the_title(body: Body) -> None:
    levels = [block(f"heading_{level}", f"Level {level}") for level in (1, 2, 3, 4)]
    assert body(*levels) == (
        "## Level 1\n\n### Level 2\n\n#### Level 3\n\n##### Level 4"
    )


def test_lists_with_what_is_nested_in_them(body: Body) -> None:
    assert body(
        item("bulleted_list_item", "one", item("numbered_list_item", "inner")),
        item("bulleted_list_item", "two", block("paragraph", "more")),
        item("numbered_list_item", "first", list_start_index=3),
        item("numbered_list_item", "second"),
        item("to_do", "open", checked=False),
        item("to_do", "done", checked=True),
    ) == (
        "- one\n  1. inner\n- two\n  more\n\n3. first\n4. second\n\n"
        "- [ ] open\n- [x] done"
    )


def test_toggles_callouts_and_quotes(body: Body) -> None:
    icon = {"type": "emoji", "emoji": "💡"}
    assert body(
        item("toggle", "Details", block("paragraph", "inside")),
        item("callout", "Mind the gap", block("paragraph", "and more"), icon=icon),
        block("quote", "line one\nline two"),
        item("heading_2", "Folded", block("paragraph", "below"), is_toggleable=True),
    ) == (
        "**Details**\n\ninside\n\n> 💡 Mind the gap\n>\n> and more\n\n"
        "> line one\n> line two\n\n### Folded\n\nbelow"
    )


def test_tables(body: Body) -> None:
    def row(*cells: str) -> Json:
        return {"type": "table_row", "table_row": {"cells": [rich(c) for c in cells]}}

    rows = [row("Plan", "Price"), row("a|b", "1\n2")]
    own = {"has_column_header": True, "table_width": 2, "children": rows}
    assert body({"type": "table", "table": own}) == (
        "| Plan | Price |\n| --- | --- |\n| a\\|b | 1 2 |"
    )


def test_code_and_equations(body: Body) -> None:
    inline = [*rich("so "), equation("a<b"), *rich(" holds")]
    assert body(
        block("code", "def f():\n    return '```'", language="python", caption=[]),
        block("code", "plain", language="plain text", caption=rich("Listing 1")),
        {"type": "equation", "equation": {"expression": "e=mc^2"}},
        block("paragraph", inline),
    ) == (
        "````python\ndef f():\n    return '```'\n````\n\n```\nplain\n```\n\nListing 1"
        "\n\n$$\ne=mc^2\n$$\n\nso $a<b$ holds"
    )


def test_marks_of_rich_text_do_not_touch(body: Body) -> None:
    words = [
        *rich("Pay ", bold=True),
        *rich("twice", bold=True),
        *rich(" or "),
        *rich("never", italic=True, strikethrough=True),
        *rich(" with "),
        *rich("pay()", code=True),
        *rich(" at "),
        *rich("the shop", href="https://shop.example/a b"),
    ]
    assert body(block("paragraph", words)) == (
        "**Pay twice** or *~~never~~* with `pay()` at "
        "[the shop](https://shop.example/a%20b)"
    )


def test_words_that_look_like_marks_stay_words(body: Body) -> None:
    assert body(
        block("paragraph", "# no heading"),
        block("paragraph", "<script>alert(1)</script>"),
        block("paragraph", "\0<script>\0"),
        block("paragraph", rich("run", href="javascript:alert(1)")),
    ) == ("\\# no heading\n\n\\<script>alert(1)\\</script>\n\n\\<script>\n\nrun")


def test_a_table_that_is_none_hides_no_other_page(
    workspace: Workspace, opened: Open
) -> None:
    row = {"type": "table_row", "table_row": {"cells": [None, 7]}}
    workspace.page("Odd", {"type": "table", "table": {"children": [row]}})
    workspace.page("Plain")
    connector = opened()
    assert set(texts(connector)) == {"Plain.md"}
    assert unlisted(connector) == {("Odd.md", "cannot be read (TypeError)")}


def test_mentions(body: Body) -> None:
    def mention(kind: str, words: str, **own: Any) -> Json:
        made = {"type": kind, kind: own}
        return {"type": "mention", "mention": made, "plain_text": words}

    words = [
        mention("user", "@Aoi", id="u"),
        *rich(" by "),
        mention("date", "2026-03-04", start="2026-03-04"),
    ]
    assert body(block("paragraph", words)) == "@Aoi by 2026-03-04"


def test_media_are_links(body: Body) -> None:
    def external(kind: str, url: str, **own: Any) -> Json:
        made = {"type": "external", "external": {"url": url}, "caption": [], **own}
        return {"type": kind, kind: made}

    assert body(
        external("image", "https://a.example/shot.png", caption=rich("A shot")),
        external("video", "https://a.example/film"),
        external("file", "https://a.example/a.zip", name="a.zip"),
        {"type": "bookmark", "bookmark": {"url": "https://b.example", "caption": []}},
        {"type": "embed", "embed": {"url": "https://c.example", "caption": rich("C")}},
        {"type": "link_preview", "link_preview": {"url": "https://d.example"}},
    ) == (
        "![A shot](https://a.example/shot.png)\n\n[Video](https://a.example/film)\n\n"
        "[a.zip](https://a.example/a.zip)\n\n[https://b.example](https://b.example)\n\n"
        "[C](https://c.example)\n\n[https://d.example](https://d.example)"
    )


def test_columns_dividers_and_blocks_of_no_text(body: Body) -> None:
    columns = [
        {"type": "column", "column": {"children": [block("paragraph", side)]}}
        for side in ("left", "right")
    ]
    assert body(
        {"type": "column_list", "column_list": {"children": columns}},
        {"type": "divider", "divider": {}},
        {"type": "table_of_contents", "table_of_contents": {}},
        {"type": "breadcrumb", "breadcrumb": {}},
        {"type": "unsupported", "unsupported": {}},
        block("of_next_year", "words all the same"),
    ) == ("left\n\nright\n\n---\n\nwords all the same")


def test_a_link_to_a_page_has_its_title(workspace: Workspace, body: Body) -> None:
    target = workspace.page("Refunds")
    own = {"type": "page_id", "page_id": target}
    found = body({"type": "link_to_page", "link_to_page": own})
    assert found == "[Refunds](Refunds.md)"


# -- synced blocks --


def synced(of: str = "", *inside: Json) -> Json:
    source = {"type": "block_id", "block_id": of} if of else None
    own = {"synced_from": source, "children": list(inside)}
    return {"type": "synced_block", "synced_block": own}


def test_a_synced_block_is_shown_on_each_page_once(
    workspace: Workspace, opened: Open
) -> None:
    first = workspace.page("First")
    original = workspace.add(first, synced("", block("paragraph", "Shared words")))
    workspace.add(first, synced(original))
    workspace.page("Second", synced(original), synced(original))
    found = texts(opened())
    assert [
        found[f"{name}.md"].count("Shared words") for name in ("First", "Second")
    ] == [
        1,
        1,
    ]
    asked = [path for path in workspace.requests if "/blocks/" in path]
    assert len(asked) == 3  # of two pages and one synced block


def test_a_page_in_a_synced_block_lies_where_the_original_is(
    workspace: Workspace, opened: Open
) -> None:
    copying, first = workspace.page("Copying"), workspace.page("First")
    original = workspace.add(first, synced("", block("paragraph", "Shared")))
    workspace.page("Inner", parent=original)
    workspace.add(copying, synced(original))
    found = texts(opened())
    assert set(found) == {"Copying.md", "First.md", "First/Inner.md"}


def test_a_synced_block_that_shows_itself_ends(
    workspace: Workspace, body: Body
) -> None:
    page = workspace.page("Circle")
    original = workspace.add(page, synced("", block("paragraph", "Once")))
    other = workspace.add(page, synced("", block("paragraph", "Other")))
    workspace.add(original, synced(other))
    workspace.add(other, synced(original))
    assert body(synced(original)) == "Once\n\nOther"
    assert len(workspace.requests) < 20


def test_a_synced_block_of_a_page_that_is_not_shared_shows_nothing(
    workspace: Workspace, body: Body
) -> None:
    missing = "0" * 8 + "-0000-0000-0000-" + "f" * 12
    workspace.inside.pop(missing, None)
    workspace.faults = [
        lambda made, path: (
            (404, {"code": "object_not_found"}, {})
            if "children" in path and path.split("/")[3] not in made.pages
            else None
        )
    ]
    assert body(block("paragraph", "Before"), synced(missing)) == "Before"


# -- bounds --


def test_blocks_nested_without_end_are_cut(workspace: Workspace, opened: Open) -> None:
    page = workspace.page("Deep")
    at = page
    for number in range(50):
        at = workspace.add(at, block("bulleted_list_item", f"level {number}"))
    text = texts(opened())["Deep.md"]
    assert "level 30" in text
    assert "level 31" not in text


def test_a_block_that_contains_itself_is_cut(workspace: Workspace, body: Body) -> None:
    page = workspace.page("Circle")
    made = workspace.add(page, block("toggle", "Again"))
    workspace.inside[made] = [made]
    body(block("paragraph", "Other"))
    assert len(workspace.requests) < 60


def test_a_page_of_too_many_nested_blocks_is_named(
    workspace: Workspace, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devrag.sources.connectors.notion.content._MAX_NESTED", 5)
    items = [item("toggle", str(n), block("paragraph", "x")) for n in range(7)]
    workspace.page("Nested", *items)
    assert unlisted(opened()) == {("Nested.md", "too many nested blocks")}


def equation(expression: str) -> Json:
    made = {"expression": expression}
    return {"type": "equation", "equation": made, "plain_text": expression}

"""Storage format as Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.connectors.confluence.links import KnownPages, PageLinks
from devrag.sources.connectors.confluence.storage import storage_to_markdown

LINKS = PageLinks(
    "https://wiki.example/wiki",
    "ENG",
    "ENG/Architecture/Payment flow",
    KnownPages(
        {"Refunds (new)": "ENG/Refunds (new).md"}, {"77": "ENG/Architecture/Deep/X.md"}
    ),
)


def written(body: str) -> str:
    return storage_to_markdown(body, LINKS)


def macro(name: str, inside: str = "", **parameters: str) -> str:
    given = "".join(
        f'<ac:parameter ac:name="{key}">{value}</ac:parameter>'
        for key, value in parameters.items()
    )
    return (
        f'<ac:structured-macro ac:name="{name}">{given}{inside}</ac:structured-macro>'
    )


def rich(inside: str) -> str:
    return f"<ac:rich-text-body>{inside}</ac:rich-text-body>"


def plain(inside: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{inside}]]></ac:plain-text-body>"


def test_headings_paragraphs_and_marks() -> None:
    body = "<h2>A &amp; B</h2><p>One <strong>two </strong><em>three</em>, a_b*c.</p>"
    assert written(body) == "## A & B\n\nOne **two** *three*, a_b*c."


def test_names_of_characters_are_those_of_html() -> None:
    assert written("<p>caf&eacute;&nbsp;&rarr; &unknown; R&D</p>") == (
        "café\xa0→ &unknown; R&D"
    )


def test_code_keeps_its_lines_and_language() -> None:
    code = 'def f(a) -> "x":\n    return a["b"] && 1 < 2'
    body = macro("code", plain(code), language="py", title="f.py")
    assert written(body) == f"**f.py**\n\n```python\n{code}\n```"


def test_code_that_holds_a_fence_gets_a_longer_one() -> None:
    assert written(macro("noformat", plain("```\nx\n```"))) == "````\n```\nx\n```\n````"


@pytest.mark.parametrize(
    ("name", "title"),
    [("info", "Info"), ("note", "Note"), ("tip", "Tip"), ("warning", "Warning")],
)
def test_panels_are_quotations_that_say_their_kind(name: str, title: str) -> None:
    body = macro(name, rich("<p>Stop</p><ul><li>now</li></ul>"), title="First")
    assert written(body) == f"> **{title}: First**\n>\n> Stop\n>\n> - now"


def test_expand_and_layouts_keep_what_is_in_them() -> None:
    inside = macro("expand", rich("<p>Below</p>"), title="More")
    layout = (
        "<ac:layout><ac:layout-section><ac:layout-cell>"
        f"{inside}</ac:layout-cell></ac:layout-section></ac:layout>"
    )
    assert written(layout) == "**More**\n\nBelow"


def test_tasks_are_done_or_not() -> None:
    tasks = "".join(
        f"<ac:task><ac:task-id>1</ac:task-id><ac:task-status>{status}</ac:task-status>"
        f"<ac:task-body>{text}</ac:task-body></ac:task>"
        for status, text in (("complete", "Did"), ("incomplete", "Do <em>it</em>"))
    )
    body = f"<ac:task-list>{tasks}</ac:task-list>"
    assert written(body) == "- [x] Did\n- [ ] Do *it*"


def test_lists_within_lists() -> None:
    body = "<ol start='3'><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ol>"
    assert written(body) == "3. a\n   - b\n4. c"


def test_a_table_with_its_head() -> None:
    body = (
        "<table><colgroup><col /></colgroup><tbody><tr><th>Key</th><th>a|b</th></tr>"
        f"<tr><td><p>1</p><p>2</p></td><td>{macro('code', plain('x = 1'))}</td></tr>"
        "</tbody></table>"
    )
    assert written(body) == ("| Key | a\\|b |\n| --- | --- |\n| 1 2 | `x = 1` |")


def test_cells_that_span_are_said_in_each_row() -> None:
    body = (
        '<table><tbody><tr><td rowspan="2">A</td><td colspan="2">B</td></tr>'
        "<tr><td>C</td><td>D</td></tr></tbody></table>"
    )
    assert written(body) == (
        "|  |  |  |\n| --- | --- | --- |\n| A | B |  |\n| A | C | D |"
    )


def test_a_table_within_a_cell_is_words() -> None:
    inner = "<table><tbody><tr><td>x</td><td>y</td></tr></tbody></table>"
    body = f"<table><tbody><tr><td>{inner}</td></tr></tbody></table>"
    assert written(body).endswith("| x, y |")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            '<ac:link><ri:page ri:content-title="Refunds (new)" /></ac:link>',
            "[Refunds (new)](../Refunds%20%28new%29.md)",
        ),
        (
            (
                '<ac:link ac:anchor="top"><ri:page ri:content-title="Refunds (new)" />'
                "<ac:plain-text-link-body><![CDATA[here]]></ac:plain-text-link-body>"
                "</ac:link>"
            ),
            "[here](../Refunds%20%28new%29.md#top)",
        ),
        (
            '<ac:link><ri:page ri:content-title="A b" ri:space-key="OPS" /></ac:link>',
            "[A b](https://wiki.example/wiki/display/OPS/A+b)",
        ),
        (
            '<a href="https://wiki.example/wiki/spaces/ENG/pages/77/X">smart</a>',
            "[smart](Deep/X.md)",
        ),
        ('<a href="/wiki/pages/viewpage.action?pageId=77">old</a>', "[old](Deep/X.md)"),
        (
            '<a href="/wiki/pages/viewpage.action?pageId=78">new</a>',
            "[new](https://wiki.example/wiki/pages/viewpage.action?pageId=78)",
        ),
        (
            '<a href="https://other.example/pages/77">o</a>',
            "[o](https://other.example/pages/77)",
        ),
        ('<a href="javascript:alert(1)">run</a>', "run"),
        ('<ac:link><ri:user ri:username="ken" /></ac:link>', "@ken"),
        (
            '<ac:link><ri:attachment ri:filename="a b.pdf" /></ac:link>',
            "[a b.pdf](Payment%20flow/a%20b.pdf)",
        ),
        (
            (
                '<ac:image ac:alt="Plan"><ri:attachment ri:filename="p.png">'
                '<ri:page ri:content-title="Refunds (new)" />'
                "</ri:attachment></ac:image>"
            ),
            "![Plan](../Refunds%20%28new%29/p.png)",
        ),
        (
            '<ac:image><ri:url ri:value="https://x.example/a.png" /></ac:image>',
            "![https://x.example/a.png](https://x.example/a.png)",
        ),
    ],
)
def test_links_and_images(body: str, expected: str) -> None:
    assert written(f"<p>{body}</p>") == expected


def test_words_of_a_line_stay_in_it() -> None:
    status, jira = macro("status", title="DONE"), macro("jira", key="PAY-12")
    assert written(f"<p>Is {status} by {jira}.</p>") == "Is **DONE** by PAY-12."


def test_an_unknown_macro_says_its_name_and_keeps_its_text() -> None:
    body = macro("chart3d", rich("<p>Numbers</p>"), type="pie")
    assert written(body) == "*chart3d* (type: pie)\n\nNumbers"
    assert written(f"<h2>About {body}</h2>") == "## About *chart3d* (type: pie) Numbers"


def test_a_page_that_includes_a_page_names_it() -> None:
    inside = '<ac:link><ri:page ri:content-title="Refunds (new)" /></ac:link>'
    body = f'<ac:structured-macro ac:name="include"><ac:parameter ac:name="">{inside}'
    assert written(f"{body}</ac:parameter></ac:structured-macro>") == (
        "*include* ([Refunds (new)](../Refunds%20%28new%29.md))"
    )


def test_what_the_new_editor_writes_is_read_from_its_fallback() -> None:
    body = (
        '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-content><p>x</p>'
        "</ac:adf-content></ac:adf-node><ac:adf-fallback><p>Shown</p>"
        "</ac:adf-fallback></ac:adf-extension>"
    )
    assert written(body) == "Shown"


def test_a_paragraph_does_not_become_a_heading_or_a_tag() -> None:
    assert written("<p># no heading</p><p>List&lt;String&gt; 1 &lt; 2</p>") == (
        "\\# no heading\n\nList\\<String> 1 < 2"
    )


@pytest.mark.parametrize(
    "body",
    [
        "<p>one <b>two</p> <p>three",
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><p>one two three &a;</p>',
        "<p>one two three</p>]]>",
        "<p>one two three \x00\x0b</p><unknown:tag>",
    ],
)
def test_what_is_not_well_formed_keeps_its_words(body: str) -> None:
    assert "three" in written(body)
    assert "<p>" not in written(body)


def test_nesting_is_bounded() -> None:
    depth = 20_000
    assert written("<div>" * depth + "deep" + "</div>" * depth) == "deep"
    panels = "<ac:structured-macro ac:name='panel'><ac:rich-text-body>" * 2_000
    ends = "</ac:rich-text-body></ac:structured-macro>" * 2_000
    assert len(written(f"{panels}<p>deep</p>{ends}")) < 1_000


@given(st.text())
def test_any_text_is_kept(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    words = "".join(char for char in text if char.isalnum())
    assert words == "".join(
        char for char in written(f"<p>{escaped}</p>") if char.isalnum()
    )


@pytest.mark.parametrize("number", ["²", "9" * 5_000])
def test_numbers_that_are_none_count_as_one(number: str) -> None:
    assert written(f'<ol start="{number}"><li>A</li></ol>') == "1. A"
    table = f'<table><tr><th colspan="{number}">A</th></tr></table>'
    assert written(table).startswith("| A |\n")


@pytest.mark.parametrize("address", ["java&#10;script:x()", " javascript:x()"])
def test_scripts_are_no_addresses(address: str) -> None:
    assert written(f'<p><a href="{address}">A</a></p>') == "A"


def test_a_table_of_very_many_columns_stays_small() -> None:
    wide = '<td colspan="50">cell</td>' * 300
    rows = "<tr><td>1</td></tr>" * 300
    text = written(f"<table><tr>{wide}</tr>{rows}</table>")
    assert text.count("cell") == 300
    assert len(text) < 300_000

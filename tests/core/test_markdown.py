"""Markdown to HTML: anchors, links, citations, diagrams, and nothing unsafe."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.core.markdown import Citation, TocEntry, render_markdown, split_sections


def test_headings_become_a_table_of_contents() -> None:
    page = render_markdown("# Search\n\n## How it ranks\n")
    assert page.toc == (
        TocEntry(1, "Search", "search"),
        TocEntry(2, "How it ranks", "how-it-ranks"),
    )
    assert '<h2 id="how-it-ranks">How it ranks</h2>' in page.html


def test_japanese_headings_keep_their_words_in_the_anchor() -> None:
    page = render_markdown("## 検索の仕組み\n")
    assert page.toc[0].anchor == "検索の仕組み"
    assert 'id="検索の仕組み"' in page.html


def test_equal_headings_get_distinct_stable_anchors() -> None:
    page = render_markdown("# Use\n\n# Use\n\n# Use\n")
    assert [heading.anchor for heading in page.toc] == ["use", "use-1", "use-2"]


def test_an_anchor_cannot_take_an_id_of_the_page_around_it() -> None:
    assert render_markdown("# dr-main").toc[0].anchor == "section-dr-main"


def test_code_in_a_heading_counts_as_text() -> None:
    assert render_markdown("# Call `run()` now").toc[0].text == "Call run() now"


def test_fenced_code_is_highlighted_by_classes() -> None:
    html = render_markdown("```python\ndef f(): pass\n```\n").html
    assert '<span class="k">def</span>' in html
    assert "style=" not in html


def test_mermaid_stays_readable_source() -> None:
    page = render_markdown("```mermaid\ngraph TD; A-->B\n```\n")
    assert page.has_mermaid
    assert "graph TD; A--&gt;B" in page.html
    assert 'class="mermaid-source"' in page.html


def test_relative_links_go_through_the_resolver() -> None:
    html = render_markdown(
        "[x](features/x.md#a)", resolve_link=lambda href: f"/wiki/{href}"
    ).html
    assert 'href="/wiki/features/x.md#a"' in html


def test_a_link_that_leads_nowhere_keeps_its_text() -> None:
    html = render_markdown("see [this](gone.md)", resolve_link=lambda href: None).html
    assert html == "<p>see this</p>\n"


def test_absolute_links_are_left_to_the_browser() -> None:
    html = render_markdown(
        "[x](https://example.org/a)", resolve_link=lambda href: "/wrong"
    ).html
    assert 'href="https://example.org/a"' in html


def test_citations_become_chips() -> None:
    html = render_markdown(
        "It ranks.[1](cite:7)",
        resolve_citation=lambda key: Citation(f"/f#L{key}", "a.py:7"),
    ).html
    assert 'class="cite"' in html
    assert 'href="/f#L7"' in html
    assert 'title="a.py:7"' in html


def test_a_citation_whose_lines_changed_says_so_in_its_language() -> None:
    chip = Citation("/f", "a.py:7", stale="geändert", language="de")
    html = render_markdown(
        "It ranks.[1](cite:7) [So](/x)", resolve_citation=lambda _: chip
    ).html
    assert 'class="cite cite-stale"' in html
    assert 'title="a.py:7, geändert"' in html
    assert 'lang="de"' in html
    assert '1<span class="visually-hidden">, geändert</span></a> <a href="/x"' in html
    assert html.count("geändert") == 2


def test_an_unknown_citation_disappears() -> None:
    assert render_markdown("It ranks.[1](cite:7)").html == "<p>It ranks.</p>\n"


def test_table_alignment_is_a_class() -> None:
    html = render_markdown("| a |\n|--:|\n| 1 |\n").html
    assert '<td class="align-right">1</td>' in html
    assert "style=" not in html


def test_images_show_their_words() -> None:
    html = render_markdown("![Build](https://example.org/badge.svg)").html
    assert "<img" not in html
    assert ">Build</span>" in html


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](javascript:alert(1))",
    "```html\n<script>alert(1)</script>\n```",
    '```x"onmouseover="alert(1)\ncode\n```',
    "```mermaid\n</pre><script>alert(1)</script>\n```",
    '# <b onclick="alert(1)">x</b>',
    '<div hx-get="/x" data-hx-trigger="load">',
    '[x](http://a "onmouseover=alert(1) x=")',
]


@pytest.mark.parametrize("text", ATTACKS)
def test_attacks_stay_text(text: str) -> None:
    html = render_markdown(text, resolve_link=lambda href: href).html
    tags = re.findall(r"<[^>]*>", html)
    assert not [tag for tag in tags if re.search(r"<script|<img|\shx-|\sdata-", tag)]
    assert not [tag for tag in tags if re.search(r"\son\w+=", _without_values(tag))]
    assert 'href="javascript' not in html.lower()
    assert 'href="data:' not in html.lower()


@settings(deadline=None)  # a busy machine stalls
@given(st.text(alphabet="#*`[]()<>!|-_\n aé漢\"'&:/.x1", max_size=200), st.booleans())
def test_any_text_renders_without_style_or_script(text: str, drops_html: bool) -> None:
    html = render_markdown(text, drops_html=drops_html).html
    tags = re.findall(r"<[^>]*>", html)
    assert not [tag for tag in tags if "style=" in _without_values(tag)]
    assert not [tag for tag in tags if tag.startswith("<script")]


def _without_values(tag: str) -> str:
    return re.sub(r'"[^"]*"', '""', tag)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('<div align="center"><img src="x.png"></div>\n\n# A\n', '<h1 id="a">A</h1>\n'),
        ('<h1 align="center">Fast <b>tea</b></h1>\n', "<p>Fast tea</p>\n"),
        ("<!-- hidden -->\n\nSee <kbd>x</kbd>.\n", "<p>See x.</p>\n"),
        ("<script>alert(1)</script>\n", ""),
        ("<p onclick=x>a &lt;script&gt;</p>\n", "<p>a &lt;script&gt;</p>\n"),
    ],
)
def test_of_dropped_html_the_words_stay(text: str, html: str) -> None:
    assert render_markdown(text, drops_html=True).html == html


def test_sections_have_the_anchors_and_lines_of_their_headings() -> None:
    text = (
        "# Use\n\nRead [on](a.md)[1](cite:1).\n\n## Use\n\n- `run`\n\n#### Deep\n\nx\n"
    )
    first, second = split_sections(text)
    assert (first.anchor, first.start_line, first.end_line) == ("use", 1, 4)
    assert first.text == "Read on."
    assert (second.anchor, second.start_line, second.end_line) == ("use-1", 5, 11)
    assert second.text == "run\nDeep\nx"


def test_sections_leave_diagrams_out_and_keep_code() -> None:
    text = "Before.\n\n# A\n\n```mermaid\ngraph TD\n```\n\n```sh\nmake\n```\n"
    before, section = split_sections(text)
    assert (before.level, before.text) == (0, "Before.")
    assert section.text == "make"


def test_nodes_of_a_diagram_are_links_by_name() -> None:
    diagram = 'graph LR\n  a["<b>Tea</b>"] --> b\n  click a href "tea.md"\n'
    more = '  click b href "https://x.example"\n'
    page = render_markdown(
        f"```mermaid\n{diagram}{more}```\n", resolve_link=lambda href: f"/wiki/{href}"
    )
    assert '<ul class="mermaid-links"><li><a data-node="a" href="/wiki/tea.md"' in (
        page.html
    )
    assert "&lt;b&gt;Tea&lt;/b&gt;</a></li></ul>" in page.html
    assert page.html.count("<a ") == 1

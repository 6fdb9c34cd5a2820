"""What Textile and Markdown of Redmine share: links, macros; telling them apart."""

from __future__ import annotations

import pytest

from devrag.sources.connectors.redmine.address import ProjectAddress
from devrag.sources.connectors.redmine.links import TextLinks, wiki_title
from devrag.sources.connectors.redmine.markup import Format, format_of, to_markdown

ADDRESS = ProjectAddress("https://r.example", "shop")
PAGES = {"refunds": "wiki/Payments/Refunds.md"}
ISSUE = TextLinks(ADDRESS, "issues/5", PAGES)
BASE = "https://r.example/projects"
REFUNDS = "../wiki/Payments/Refunds.md"


@pytest.mark.parametrize("usual", ["textile", "markdown"])
@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("see [[Refunds]]", f"see [Refunds]({REFUNDS})"),
        ("[[refunds#How|so]]", f"[so]({REFUNDS}#How)"),
        ("[[shop:Refunds]]", f"[Refunds]({REFUNDS})"),
        ("[[New page?]]", f"[New page?]({BASE}/shop/wiki/New_page)"),
        (
            "[[other:]] [[other:A|b]]",
            f"[other]({BASE}/other/wiki) [b]({BASE}/other/wiki/A)",
        ),
        ("![[Refunds]]", "[[Refunds]]"),
        (
            "#12, (#13)",
            "[#12](https://r.example/issues/12), ([#13](https://r.example/issues/13))",
        ),
        (
            "##7 #8-2",
            "[#7](https://r.example/issues/7) [#8-2](https://r.example/issues/8#note-2)",
        ),
        ("a#1 https://a.b/#2 #x &#39; v=#3", "a#1 https://a.b/#2 #x &#39; v=#3"),
        ("attachment:a.log.", "[a.log](5/a.log)."),
        ('attachment:"a b.log"', "[a b.log](5/a%20b.log)"),
        ("commit:abc1 r12 @ken", "commit:abc1 r12 @ken"),
        ("{{toc}}\n\nText {{>toc}}", "Text"),
        ("!{{toc}}", "{{toc}}"),
        ("{{include(Refunds)}}", f"[Refunds]({REFUNDS})"),
        ("{{thumbnail(a.png, size=9)}}", "![a.png](5/a.png)"),
        ("{{issue(#7, project=true)}}", "[#7](https://r.example/issues/7)"),
        ("{{plugin(a, b=c)}}", "plugin: a, b=c"),
        ("{{collapse(More)\n[[Refunds]]\n}}", f"More\n\n[Refunds]({REFUNDS})"),
        ("{{outer\n{{inner\na\n}}\n}}", "outer\n\ninner\n\na"),
    ],
)
def test_links_and_macros(text: str, markdown: str, usual: Format) -> None:
    assert to_markdown(text, ISSUE, usual) == markdown


def test_markdown_stays_as_it_is() -> None:
    text = (
        "# Title\n\n**b** `#12 [[x]]`\n\n```ruby\n#12 {{toc}} [[x]]\n```\n"
        "~~~\n@a@\n~~~\n\n| a |\n|---|\n| b |\n\n- [x] done\n- <b>"
    )
    assert to_markdown(text, ISSUE, "markdown") == text


def test_an_open_fence_ends_with_the_text() -> None:
    assert to_markdown("```\n#12", ISSUE, "markdown") == "```\n#12\n```"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h2. Title", "textile"),
        ("# one\n# two", "textile"),
        ('"a":https://b', "textile"),
        ("## Title\n\n# A", "markdown"),
        ("[a](https://b) `c`", "markdown"),
        ("# Title\n\n```\nx\n```\n\n- a", "markdown"),
        ("- a\n- b", "markdown"),
    ],
)
def test_a_text_tells_its_format(text: str, expected: str) -> None:
    assert format_of([text], "textile") == format_of([text], "markdown") == expected


def test_a_text_that_does_not_tell_has_the_usual_format() -> None:
    assert to_markdown("a *b*", ISSUE, "textile") == "a **b**"
    assert to_markdown("a *b*", ISSUE, "markdown") == "a *b*"


def test_titles_follow_the_rule_of_the_wiki() -> None:
    assert wiki_title(" payment flow, v1.2: a/b? ") == "Payment_flow_v12_ab"


def test_a_page_links_to_those_beside_it() -> None:
    page = TextLinks(ADDRESS, "wiki/Payments/Cards", PAGES)
    assert to_markdown("[[Refunds]] [[#Top]]", page, "textile") == (
        "[Refunds](Refunds.md) [Top](#Top)"
    )
    assert to_markdown("!card.png!", page, "textile") == "![card.png](Cards/card.png)"

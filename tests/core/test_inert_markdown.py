"""Markdown of somebody else: no links and HTML, in no viewer."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from devrag.core.inert_markdown import make_inert

# As a viewer that shows all that there may be.
VIEWER = MarkdownIt("commonmark", {"html": True}).enable("table")
BAD = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "text",
    [
        BAD,
        f"an open ` on the line before\n{BAD} and one ` more\n",
        f"an open `\n\n`{BAD}",
        f"a `\n`{BAD}` b",
        f"a `\n{BAD}` {BAD}`",
        f"> a `\n> {BAD}` {BAD}`",
        f"text\n    ```\n{BAD}\n    ```\n",
        f"```\ncode\n``` no end\n```\n{BAD}\n",
        f"```\ncode\n    ```\n```\n{BAD}\n",
        f"~~~ `\ncode\n~~~\n{BAD} `",
        f"[~~~](https://x)\n~~~\n{BAD}\n~~~\n",
        f"[a `](https://x) `{BAD}`",
        f"[a](b`c) {BAD} `",
        f"\\`{BAD}`",
        f"\\\\{BAD}",
        f"| a | b |\n|---|---|\n| ` {BAD} | ` |\n",
        f"> a `\n\n{BAD} `",
        f"one\r`\r\r{BAD} `",
        "<script\nsrc=x>",
        "[two\nlines](https://evil.example)",
        "[two](\nhttps://evil.example)",
        "[a [b] c](https://evil.example)",
        "![a](https://evil.example/x_(1).png)",
        "![1](cite:1)",
        "<[script](https://evil.example)>",
        "[a](<https://evil.example>)",
        "[a][x] [x]\n\n[x]: https://evil.example",
        "[x]\n\n> [x]:\n> https://evil.example",
        "<https://evil.example>",
        "# Title",
        "   # Title\n\n> # Title\n",
        "Title\n===",
    ],
)
def test_no_viewer_sees_links_html_or_a_title(text: str) -> None:
    html = VIEWER.render(make_inert(text)).replace('<a href="cite:1">', "")
    for bad in ("<script", "<a ", "<img", "<h1"):
        assert bad not in html


@pytest.mark.parametrize(
    "text",
    [
        "It takes `List<String>` and ``a ` <b>``, 1 < 2 [1](cite:1).",
        "It takes `List<String,\nint>` [1](cite:1).",
        "- item\n\n  ```java\n  List<String> [a](b)\n  ```\n",
        "~~~\n``` <b>\n~~~\n",
        "text\n\n    indented <b>\n",
        "| a | b |\n|---|---|\n| `x<y>` | `p\\|<q>` [2](cite:2) |\n",
    ],
)
def test_code_and_citations_stay_as_they_are(text: str) -> None:
    assert make_inert(text) == text


def test_a_link_is_its_label() -> None:
    text = make_inert("See [the guide](https://x) and ![it](y.png).\n\n# One")
    assert text == "See the guide and it.\n\n## One"

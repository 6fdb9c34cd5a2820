"""The kind of the page on example programs."""

from __future__ import annotations

from devrag.wiki.planning.page_kind import PageKind
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.examples_page import (
    count_examples,
    example_files,
    write_examples,
)

EXAMPLES: PageKind[PageContext] = PageKind(
    name="examples",
    is_on_code=True,
    path="examples.md",
    title=phrase("Examples"),
    files=example_files,
    write=write_examples,
    summary=phrase("What the examples explain, with their code: {count}."),
    summary_places=count_examples,
    queries=("example programs and what they show", "how the main concepts are used"),
    wording={
        "ja": {
            "Examples": "サンプル",
            "What the examples explain, with their code: {count}.": (
                "{count}の説明とコードを紹介します。"
            ),
            "The sources come with {programs}. This page quotes what their authors "
            "explain in them, with the code that it is about.": (
                "ソースには{programs}があります。このページでは、作者がコメントで説明"
                "している内容を、対象のコードとともに引用します。"
            ),
            "Other examples": "そのほかのサンプル",
            "More programs": "そのほかのプログラム",
        }
    },
)

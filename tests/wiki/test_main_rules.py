"""The strictest rules of documents stand near the top of their page."""

from __future__ import annotations

import re

import pytest

from tests.wiki.written import write

GUIDE = """\
# Guide to services

How the services of the shop are written.

## Introduction

Readers must know what a service is.

## Names

A name has two words. Names must be in lower case. Names should be short.

## Errors

Avoid these:

- Always retry without an end
- Never wait between two tries

Every error must be logged once. It should not be raised again.

## Colours

The colours of the shop are green and blue.

## Data

Copies of data should have an owner.

## Releases

We recommend a release a week.
"""
SIMPLE = "# {0}\n\nHow {0} are kept in the shop, and who looks after them.\n"


def _page(guide: str) -> str:
    tree = {"README.md": "# Rules\n\nThe rules of the shop.\n", "guide.md": guide}
    for name in ("stock", "orders", "bills"):
        tree[f"{name}/{name}.md"] = SIMPLE.format(name)
    drafts = write(tree).values()
    assert [draft.findings for draft in drafts if draft.findings] == []
    pages = (draft.markdown for draft in drafts)
    return next(page for page in pages if "# Guide to services" in page)


@pytest.fixture(scope="module")
def page() -> str:
    return _page(GUIDE)


def _rules(page: str) -> str:
    return page.partition("## Main rules\n\n")[2].partition("\n## ")[0]


def test_the_strictest_rule_of_each_chapter_is_listed_with_its_citation(
    page: str,
) -> None:
    items = _rules(page).strip().split("\n")
    bare = [re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", item) for item in items]
    assert bare == [
        "- **Names**: Names must be in lower case.",
        "- **Errors**: Every error must be logged once.",
        "- **Data**: Copies of data should have an owner.",
        "- **Releases**: We recommend a release a week.",
    ]
    assert all("](cite:" in item for item in items)


def test_a_list_of_what_is_wrong_gives_no_rule(page: str) -> None:
    assert "retry without an end" not in _rules(page)


def test_rules_come_before_the_quotes(page: str) -> None:
    assert page.index("## Main rules") < page.index("## What the documents say")


def test_documents_without_rules_have_no_list_of_them() -> None:
    told = re.sub(r"\b(must|should)\b", "may", GUIDE)
    assert "## Main rules" not in _page(told.replace("recommend", "like"))


def test_a_rule_stands_with_what_its_item_is_about_and_its_chapter() -> None:
    text = "# 規約\n\n社内の規約です。\n\n"
    for chapter, head in (
        ("名前", "引数と変数の名前を同じにしない"),
        ("例外", "例外は一度だけ記録する"),
    ):
        text += (
            f"## {chapter}\n\n### 全般\n\n- {head}。下線での区別は原則禁止とする。\n\n"
        )
        text += f"### {chapter}の長さ\n\n- {chapter}は必ず八十字以内にする。\n\n"
    tree = {"README.md": "# 規約集\n\n店の規約です。\n", "guide.md": text}
    for name in ("stock", "orders", "bills"):
        tree[f"{name}/{name}.md"] = SIMPLE.format(name)
    pages = [draft.markdown for draft in write(tree, language="ja").values()]
    page = next(page for page in pages if "## 主な規則" in page)
    bare = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", page)
    said = "引数と変数の名前を同じにしない。下線での区別は原則禁止とする。"
    assert f"- **名前 › 全般**：{said}" in bare

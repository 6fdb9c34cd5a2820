"""What pages quote of documents: lists as deep as they are, samples as code."""

from __future__ import annotations

import re

import pytest

from devrag.wiki.drafts.page import DraftedPage
from tests.wiki.written import write

INTRODUCTION = "# はじめに\n\n本書は、{0} の書き方の規約である。\n"
NOTICE = "本規約は無償で公開する。一切の責任を負わない。ご了承ください。\n\n"
RULES = """
# 書式

## 予約語

予約語は大文字で書き、{0} の予約語でない語と見分けられるようにする。

## 検索

検索についての規約を下記に示す。

- {0} では次の書き方をしない
  - 列を含む演算に対する条件の指定

    悪い例：

    ```sql
    WHERE
    \tTOTAL + 1 > 100
    ```

- 条件は次の順に書く
  1. 最初に {0} の表を絞り込む
  2. その後に結合する

# 性能

## 索引

索引のない列で {0} の大きな表を検索しない。
"""
OWN = (
    "\n# {0}\n\n{1}書き、ほかの書き方は読みにくいので使わないようにする。"
    "使う必要があるときは、理由をコメントに残し、管理者に相談する。\n"
)


def document(name: str) -> str:
    head = f"---\ntitle: SQL 規約（{name}）\n---\n\n"
    return head + NOTICE + INTRODUCTION.format(name) + RULES.format(name)


STANDARDS = {
    "README.md": "# 規約集\n\n開発で守る規約を集めています。\n",
    "sql/index.md": "---\ntitle: SQL 規約\n---\n\n"
    "SQL の書き方の規約をまとめています。\n",
    "sql/oracle.md": document("Oracle") + OWN.format("外部結合", "外部結合は (+) で"),
    **{
        f"java/{name}.md": f"# {name}の書き方\n\n{name}は読む人が迷わないように書く。\n"
        for name in ("クラス", "メソッド", "変数", "例外")
    },
    "sql/postgres.md": document("PostgreSQL") + OWN.format("採番", "採番は serial で"),
}


@pytest.fixture(scope="module")
def pages() -> dict[str, DraftedPage]:
    return write(STANDARDS, language="ja")


@pytest.fixture(scope="module")
def sql(pages: dict[str, DraftedPage]) -> str:
    (page,) = (page for page in pages.values() if page.title == "SQL 規約")
    assert page.findings == ()
    return re.sub(r"\s?\[[^\]]*\]\(cite:\d+\)", "", page.markdown)


def test_a_sample_in_a_list_stays_code(sql: str) -> None:
    assert "```sql\nWHERE\n    TOTAL + 1 > 100\n```" in sql
    assert sql.count("TOTAL") == sql.count("悪い例：\n\n```sql")


def test_lists_are_as_deep_as_in_the_document(sql: str) -> None:
    text = sql.replace("Oracle", "PostgreSQL")
    assert (
        "- PostgreSQL では次の書き方をしない。\n  - 列を含む演算に対する条件の指定"
        in text
    )
    assert (
        "- 条件は次の順に書く。\n  1. 最初に PostgreSQL の表を絞り込む。\n"
        "  2. その後に結合する。" in text
    )


def test_each_document_has_one_heading_and_its_own_below(sql: str) -> None:
    headings = re.findall(r"^#+ (?!「).*規約（.*$", sql, re.MULTILINE)
    assert sorted(headings) == ["## SQL 規約（Oracle）", "## SQL 規約（PostgreSQL）"]
    assert "\n### 採番\n" in sql
    assert "\n### 書式\n\n#### 予約語\n" in sql


def test_the_sections_of_a_document_keep_their_order() -> None:
    last = OWN.format("SQL の採番", "採番は serial で")  # as the topic is called
    tree = {**STANDARDS, "sql/postgres.md": document("PostgreSQL") + last}
    text = "".join(page.markdown for page in write(tree, language="ja").values())
    own = text.partition("## SQL 規約（PostgreSQL）\n")[2].partition("\n## ")[0]
    written = [own.index(f"# {title}\n") for title in ("検索", "SQL の採番")]
    assert written == sorted(written)


def test_disclaimers_are_not_told(pages: dict[str, DraftedPage], sql: str) -> None:
    assert "**SQL 規約（Oracle）**：本書は、Oracle の書き方の規約である。" in sql
    assert not [page for page in pages.values() if "一切の責任" in page.markdown]


def test_the_overview_that_opens_a_page_is_not_told_again(sql: str) -> None:
    assert sql.count("SQL の書き方の規約をまとめています。") == 1


def test_a_table_of_addresses_is_not_quoted(pages: dict[str, DraftedPage]) -> None:
    rows = "".join(f"| 規約 {n} | https://example.com/{n} |\n" for n in range(4))
    head = "\n# 参照\n\n参照した規約を以下に示す。\n\n| 規約 | URL |\n| - | - |\n"
    table = head + rows
    tree = {**STANDARDS, "sql/oracle.md": STANDARDS["sql/oracle.md"] + table}
    text = "".join(page.markdown for page in write(tree, language="ja").values())
    assert "example.com" not in text
    assert "以下に示す" not in text


def test_a_table_keeps_its_head_of_names(pages: dict[str, DraftedPage]) -> None:
    table = (
        "\n# 計測\n\nリストの種類ごとの処理時間を計測した結果である。\n\n"
        "| 件数 | `ArrayList` | `LinkedList` |\n| - | - | - |\n"
        "| 1 万件 | 0 | 73 |\n| 10 万件 | 0 | 7,576 |\n"
    )
    tree = {**STANDARDS, "sql/oracle.md": STANDARDS["sql/oracle.md"] + table}
    drafts = write(tree, language="ja").values()
    assert [page.findings for page in drafts if page.findings] == []
    text = "".join(page.markdown for page in drafts)
    assert "| 件数 | ArrayList | LinkedList |\n| --- | --- | --- |\n" in text


def test_editions_of_a_document_are_named_and_not_quoted() -> None:
    rule = "## 規則 {0}\n\n名前 {0} は短く、意味の分かる語にする。\n\n"
    texts = "".join(map(rule.format, range(12)))
    tree = {
        **STANDARDS,
        "naming/new.md": f"# 命名規約\n\n{texts}## 追加\n\n略語は大文字にしない。\n",
        "naming/old.md": f"# 命名規約（旧版）\n\n{texts}",
        "naming/index.md": "# 命名\n\n- [旧版](old.md) ... 以前の開発で使う規約\n",
        "naming/other.md": "# 用語の選び方\n\n用語は辞書にあるものから選ぶ。\n",
    }
    pages = write(tree, language="ja").values()
    (page,) = (page for page in pages if "共通です" in page.markdown)
    text = re.sub(r"\s?\[[^\]]*\]\(cite:\d+\)", "", page.markdown)
    assert (
        "- **命名規約（旧版）**：以前の開発で使う規約。内容の大部分は「命名規約」と"
        in text
    )
    assert text.count("名前 3 は短く") <= 1


def quoted(oracle: str, postgres: str) -> str:
    """Return the page of two editions of the SQL rules with these chapters."""
    tree = {
        **STANDARDS,
        "sql/oracle.md": STANDARDS["sql/oracle.md"] + oracle,
        "sql/postgres.md": STANDARDS["sql/postgres.md"] + postgres,
    }
    pages = write(tree, language="ja").values()
    (page,) = (page for page in pages if page.title == "SQL 規約")
    assert page.findings == ()
    return re.sub(r"\s?\[[^\]]*\]\(cite:\d+\)", "", page.markdown)


def test_a_rule_keeps_the_sentences_that_another_document_has_too() -> None:
    rule = "\n# 演算子\n\n「等しくない」は「!=」で書く。「{0}」も動くが使わない。\n"
    text = quoted(rule.format("^="), rule.format("<>"))
    assert text.count("「等しくない」は「!=」で書く。「") == 2


def test_a_chapter_that_is_the_same_elsewhere_is_named_and_not_quoted() -> None:
    rule = "\n# 集約\n\n`{0}` には列の名前を書く。\n\n集約関数は省略しない。\n"
    text = quoted(rule.format("GROUP BY"), rule.format("group by"))
    quotes = text.partition("\n## SQL 規約（Oracle）\n")[2]
    assert quotes.count("集約関数は省略しない。") == 1
    assert "「SQL 規約（Oracle）」と同じ内容の章：集約。" in text


def test_a_long_document_is_told_in_excerpts_of_all_chapters() -> None:
    rule = "{0} の{1}番目の決まりは、名前を短くして意味の分かる語を選ぶことである。"
    chapters = "".join(
        f"\n# {name}規約\n"
        + "".join(
            f"\n## {name} {n}\n\n" + "".join(rule.format(name, k) for k in range(8))
            for n in range(12)
        )
        for name in ("命名", "書式", "例外")
    )
    text = quoted(chapters, "")
    oracle = text.partition("## SQL 規約（Oracle）\n")[2].partition("\n## ")[0]
    assert oracle.startswith("\n文書からの抜粋です。\n")
    for name in ("命名", "書式", "例外"):
        assert f"\n### {name}規約\n\n#### {name} 0\n" in oracle
        left_out = rf"^- \*\*{name}規約\*\*\n  - \*\*{name} \d+\*\*：{name} の0番目の"
        assert re.search(left_out, oracle, re.MULTILINE)
    assert "ここに引用していない章（それぞれ最初の規則または文）：" in oracle
    postgres = text.partition("## SQL 規約（PostgreSQL）\n")[2]
    assert "抜粋" not in postgres


def test_a_document_is_described_by_its_introduction_alone() -> None:
    tree = {
        **STANDARDS,
        "sql/oracle.md": "---\ntitle: SQL 規約（Oracle）\n---\n\n# 環境\n\n"
        "開発では複数の環境を用意し、互いに区別して運用することが多い。\n",
    }
    pages = write(tree, language="ja").values()
    (page,) = (page for page in pages if page.title == "SQL 規約")
    assert "- **SQL 規約（Oracle）** [" in page.markdown


def test_the_name_of_another_document_does_not_end_with_a_citation() -> None:
    rule = "## 規則 {0}\n\n名前 {0} は短く、意味の分かる語にする。\n\n"
    texts = "".join(map(rule.format, range(12)))
    tree = {
        **STANDARDS,
        "naming/new.md": f"# 命名規約\n\n{texts}## 追加\n\n略語は大文字にしない。\n",
        "naming/old.md": f"# 命名規約（旧版）\n\n{texts}",
        "naming/other.md": "# 用語の選び方\n\n用語は辞書にあるものから選ぶ。\n",
    }
    text = "".join(page.markdown for page in write(tree, language="ja").values())
    assert re.search(r"「命名規約」と共通です \[\d+\]\(cite:\d+\)。", text)

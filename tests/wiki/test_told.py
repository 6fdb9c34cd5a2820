"""What a page quotes reads as its source does, whatever Markdown that is written in."""

from __future__ import annotations

import html
import re

import pytest

from devrag.core.markdown import render_markdown
from tests.wiki.written import write

# Each of them a section: its source, and what a reader sees of it line by line.
JAPANESE = {
    "コメント記号": (
        "コメントは`/**`で開始し、`*/`で終わること。C 風は`/*`と`*/`を用いる。",
        ["コメントは/**で開始し、*/で終わること。", "C 風は/*と*/を用いる。"],
    ),
    "半角の記号": (
        "単数行コメントは、`/*（半角スペース）本文（半角スペース）*/` で記述する。",
        ["単数行コメントは、/*（半角スペース）本文（半角スペース）*/ で記述する。"],
    ),
    "改行のある段落": (
        (
            "カンマは行の先頭に記述する。（以下の例を参照のこと）  \n"
            "末尾の`;`（セミコロン）は記述しない。"
        ),
        ["カンマは行の先頭に記述する。", "末尾の;（セミコロン）は記述しない。"],
    ),
    "論理和": (
        "論理演算子（ `||` 、`&&`）と `|` の前後には空白文字を挿入する。",
        ["論理演算子（ || 、&&）と | の前後には空白文字を挿入する。"],
    ),
    "型の注記": (
        "`List<String>` を使い、`Map<String, Integer>` は使わないようにする。",
        ["List<String> を使い、Map<String, Integer> は使わないようにする。"],
    ),
    "強調": (
        "名前は **必ず** 小文字で書き、*省略* しないようにする。",
        ["名前は 必ず 小文字で書き、省略 しないようにする。"],
    ),
    "正規表現": (
        "利用可能な文字は `[a-zA-Z0-9_.-]+` と `^\\d{3}$` だけとする。",
        ["利用可能な文字は [a-zA-Z0-9_.-]+ と ^\\d{3}$ だけとする。"],
    ),
    "リンク": (
        "名前は [全体の規約](#規約) に従い、一意となるように付ける。",
        ["名前は 全体の規約 に従い、一意となるように付ける。"],
    ),
    "入れ子の箇条書き": (
        (
            "- 検索では次のことを守る\n  - 索引のある列で絞り込む\n"
            "    - 関数を通した値は使わない\n- 更新では主キーを変えない"
        ),
        ["検索では次のことを守る", "索引のある列で絞り込む", "主キーを変えない"],
    ),
    "計測": (
        (
            "件数ごとの処理時間を計測した結果である。\n\n"
            "| 件数 | `get(int)` による<br>ループ | 合計 `a\\|b` |\n"
            "| :-- | :-: | --: |\n"
            "| 1 万件 | 0(計測不能) | 73 |\n| 10 万件 | **88** | `x \\| y` |"
        ),
        [
            "件数|get(int) による ループ|合計 a|b",
            "1 万件|0(計測不能)|73",
            "10 万件|88|x | y",
        ],
    ),
}
ENGLISH = {
    "Comment marks": (
        "A comment begins with `/**` and ends with `*/`, never with `/*` alone.",
        ["A comment begins with /** and ends with */, never with /* alone."],
    ),
    "Generics": (
        "Return `Result<T, E>` and not `Option<T>` from a function that can fail.",
        ["Return Result<T, E> and not Option<T> from a function that can fail."],
    ),
    "Globs": (
        "Match files by `**/*.py` and `src/*_test.go`, but not by `[a](b)` at all.",
        ["Match files by **/*.py and src/*_test.go, but not by [a](b) at all."],
    ),
    "Emphasis": (
        "Names *must* be short, and __never__ hold more than **two** words.",
        ["Names must be short, and never hold more than two words."],
    ),
    "Starred areas": (
        "The area is 3 * 4 * 5, and snake_case_names stay as they are written.",
        ["The area is 3 * 4 * 5, and snake_case_names stay as they are written."],
    ),
    "Quotations": (
        "> Every service must have an owner, who answers for it at night.",
        ["Every service must have an owner, who answers for it at night."],
    ),
    "Ways to ship": (
        (
            "A release is made in these steps:\n\n1. Tag the commit with its version\n"
            "2. Build the packages from the tag\n"
            "   - the source package\n   - the wheel"
        ),
        [
            "Tag the commit with its version",
            "Build the packages from the tag",
            "the wheel",
        ],
    ),
    "Limits": (
        (
            "Each service has these limits of its own:\n\n"
            "| Limit | Default | Unit |\n|-------|:-------:|------|\n"
            "| Memory | 512 | MiB |\n| `a | b` of `x` | 2 | \\* |"
        ),
        ["Limit|Default|Unit", "Memory|512|MiB"],
    ),
}
HEAD = "---\ntitle: {0}\nauthor: nobody-in-particular\ntags:\n  - hidden-tag\n---\n\n"


def _document(title: str, sections: dict[str, tuple[str, list[str]]]) -> str:
    texts = (f"## {name}\n\n{source}\n\n" for name, (source, _) in sections.items())
    return HEAD.format(title) + "".join(texts)


@pytest.fixture(scope="module")
def shown() -> str:
    """What a reader sees of all pages, a line for each block and row."""
    tree = {
        "README.md": "# 規約集\n\n開発で守る規約を集めています。\n",
        "ja/書式.md": _document("書式の規約", JAPANESE),
        "en/style.md": _document("Style of services", ENGLISH),
        **{
            f"java/{name}.md": f"# {name}\n\n{name}は読む人が迷わないように書く。\n"
            for name in ("クラス", "メソッド", "変数", "例外")
        },
    }
    drafts = write(tree, language="ja").values()
    assert [draft.findings for draft in drafts if draft.findings] == []
    return "\n".join(_visible(draft.markdown) for draft in drafts)


def _visible(markdown: str) -> str:
    bare = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", markdown)
    text = render_markdown(bare).html
    text = re.sub(r"</t[dh]>\s*<t[dh][^>]*>", "|", text)
    text = re.sub(
        r"</?(p|li|ul|ol|tr|h\d|div|table|thead|tbody|pre)\b[^>]*>", "\n", text
    )
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def _squeezed(text: str) -> str:
    return re.sub(r"[ \t\u200b]+", "", text)


CASES = [
    (name, line)
    for sections in (JAPANESE, ENGLISH)
    for name, (_, lines) in sections.items()
    for line in lines
]


@pytest.mark.parametrize(("name", "line"), CASES)
def test_a_quote_reads_as_its_source(shown: str, name: str, line: str) -> None:
    own = _squeezed(shown).partition(f"\n{_squeezed(name)}\n")[2]
    assert _squeezed(line) in own


def test_front_matter_is_never_shown(shown: str) -> None:
    assert "nobody-in-particular" not in shown
    assert "hidden-tag" not in shown


def test_nested_lists_stay_nested() -> None:
    tree = {"README.md": "# A\n\nRules.\n", "a.md": _document("書式", JAPANESE)}
    text = "".join(draft.markdown for draft in write(tree, language="ja").values())
    bare = re.sub(r"\s?\[\d+\]\(cite:\d+\)", "", text)
    assert re.search(r"^- 検索.*\n  - 索引.*\n    - 関数.*\n- 更新", bare, re.MULTILINE)


def test_columns_stay_aligned_as_they_were() -> None:
    tree = {"README.md": "# A\n\nRules.\n", "a.md": _document("書式", JAPANESE)}
    text = "".join(draft.markdown for draft in write(tree, language="ja").values())
    assert "| :--- | :---: | ---: |\n| 1 万件" in text

"""The sections of a document, with the lines where they stand."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.documents import read_sections


@pytest.mark.parametrize("separator", ["\f", "\x0b", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line(separator: str) -> None:
    sections = read_sections(
        f"# One\n\nFirst{separator}and more.\n\n# Two\n\nSecond.\n"
    )
    assert [section.line for section in sections] == [1, 5]
    assert sections[1].blocks[0].start_line == 7


def test_a_code_block_without_an_end_ends_with_the_document() -> None:
    (section,) = read_sections("# One\n\n```\ncode\n")
    (block,) = section.blocks
    assert (block.text, block.end_line) == ("code", 4)


def test_the_title_of_a_japanese_item_is_apart_from_its_text() -> None:
    (section,) = read_sections("# 句\n\n- 論理名の記載  \n  左辺をカラムにする。\n")
    assert [block.text for block in section.blocks] == [
        "論理名の記載：左辺をカラムにする。"
    ]


def test_a_line_that_ends_with_a_break_is_a_japanese_sentence() -> None:
    (section,) = read_sections("# 句\n\n改行を入れること  \n字下げもそろえること\n")
    assert section.blocks[0].text == "改行を入れること。字下げもそろえること"


def test_japanese_lines_are_joined_without_a_blank() -> None:
    (section,) = read_sections(
        "# 句\n\nこの規約は、SQL を読みやすく\n書くためにある。\n"
    )
    assert section.blocks[0].text == "この規約は、SQL を読みやすく書くためにある。"


LISTS = """\
# 検索

- 次の書き方をしない
  - 列を含む演算

    悪い例：

    ```sql
    (
    \tTOTAL + 1 > 100
    )
    ```

  1. 先に絞り込む
  2. 次に結合する
- 終わり

    make rules
        check
"""


def test_what_is_indented_below_an_item_is_a_part_of_it_and_no_code() -> None:
    (section,) = read_sections(LISTS)
    assert [(b.kind, b.text, b.mark, b.indent) for b in section.blocks] == [
        ("item", "次の書き方をしない", "", 0),
        ("item", "列を含む演算", "", 2),
        ("text", "悪い例：", "", 0),
        ("code", "    (\n    \tTOTAL + 1 > 100\n    )", "", 0),
        ("item", "先に絞り込む", "1.", 2),
        ("item", "次に結合する", "2.", 2),
        ("item", "終わり", "", 0),
        ("text", "make rules check", "", 0),
    ]


def test_code_that_is_indented_keeps_its_deeper_lines() -> None:
    (section,) = read_sections("# Use\n\nCheck it:\n\n    if rules:\n        check()\n")
    assert [(b.kind, b.text) for b in section.blocks] == [
        ("text", "Check it:"),
        ("code", "if rules:\n    check()"),
    ]


def test_lines_of_a_paragraph_are_joined_with_a_blank() -> None:
    (section,) = read_sections("# One\n\n- First  \n  and more.\n\nA line\\\nends.\n")
    assert [block.text for block in section.blocks] == [
        "First and more.",
        "A line ends.",
    ]


MYST = """\
# Output

```{admonition} Take care
:class: hint

Pages are written to a terminal.
```

```{code-block} python
:caption: page.py

print("page")
```

```{eval-rst}
.. click:example::

    @command()
    def pages(): ...

.. click:run::

    invoke(pages)
```

```{toctree}
:maxdepth: 1

first
```
"""


def test_directives_of_myst_are_prose_code_or_nothing() -> None:
    (section,) = read_sections(MYST)
    assert [(b.kind, b.text, b.language) for b in section.blocks] == [
        ("text", "Pages are written to a terminal.", ""),
        ("code", '\nprint("page")', "python"),
        ("code", "@command()\ndef pages(): ...", "python"),
    ]
    assert [b.start_line for b in section.blocks] == [6, 9, 16]


def test_options_of_a_directive_are_no_code() -> None:
    text = "Usage\n=====\n\n.. code-block:: go\n    :linenos:\n\n    run()\n"
    (section,) = read_sections(text)
    (block,) = section.blocks
    assert (block.text, block.language) == ("run()", "go")


def test_a_reference_that_the_document_defines_has_no_brackets() -> None:
    text = (
        "# [shop] 1.0\n\n[shop]は[Pandoc]で作成し、[x] は印である。\n\n"
        "[shop]: https://shop.example/\n[pandoc]: https://pandoc.example/\n"
    )
    (section,) = read_sections(text)
    assert section.title == "shop 1.0"
    assert section.blocks[0].text == "shopはPandocで作成し、[x] は印である。"


def test_a_role_over_two_lines_is_one_text() -> None:
    (section,) = read_sections("# One\n\n* be {ref}`told there\n  <told-there>`.\n")
    assert section.blocks[0].text == "be {ref}`told there <told-there>`."


def test_attributes_of_a_heading_are_no_part_of_it() -> None:
    (section,) = read_sections(
        "## Best practices {#best-practices}\n\nKeep it short.\n"
    )
    assert section.title == "Best practices"


def test_a_label_behind_a_sentence_is_that_of_the_sample_below_it() -> None:
    text = (
        "- 空の配列を戻すようにする。\n  良い例：\n\n"
        "  ```java\n  return EMPTY;\n  ```\n"
    )
    (section,) = read_sections(text)
    assert [(b.kind, b.text) for b in section.blocks] == [
        ("item", "空の配列を戻すようにする。"),
        ("text", "良い例："),
        ("code", "  return EMPTY;"),
    ]

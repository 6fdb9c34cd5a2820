"""Lines of documents as an answer quotes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.quotations import plain_words, quoted_blocks, read_blocks

TEXT = """# Values

Unrelated words.

A value is looked up in *this* order:

1. The [command](x.md) line
   and its flags
2. The environment

```sh
shop --tea  # ``` here
```
| Name | Use |
|---|---|
| a | b*c |
"""


def quote(word: str) -> str:
    return quoted_blocks(TEXT, lambda text: word in text, "   ")


def test_blocks_are_read_in_their_order() -> None:
    kinds = [each.kind for each in read_blocks(TEXT)]
    assert kinds == ["heading", "text", "text", "list", "code", "table"]


def test_a_list_stays_a_list_below_the_sentence_that_introduces_it() -> None:
    expected = (
        "   A value is looked up in \\*this\\* order:\n\n"
        "   1. The command line\n      and its flags\n   2. The environment"
    )
    assert quote("looked up").startswith(expected)
    assert quote("environment").startswith(expected)


def test_code_and_tables_stay_what_they_are() -> None:
    assert quote("--tea") == "   ````sh\n   shop --tea  # ``` here\n   ````"
    assert quote("Name") == "   | Name | Use |\n   |---|---|\n   | a | b\\*c |"


@pytest.mark.parametrize("last", ["  db:", "clean:"])
def test_code_keeps_a_last_line_with_a_colon(last: str) -> None:
    code = f"services:\n  db: image\n\n{last}"
    assert quoted_blocks(f"```\n{code}\n```\n", len, "") == f"```\n{code}\n```"
    long = "\n".join([*(f"a{each}: b" for each in range(13)), last, "more"])
    cut = quoted_blocks(f"```\n{long}\n```\n", len, "")
    assert cut.endswith(f"a12: b\n{last}\n```")


def test_a_list_loses_what_introduces_nothing_only_where_it_is_cut() -> None:
    items = [f"- a{each}" for each in range(13)]
    assert quoted_blocks("- one\n- those:", len, "") == "- one\n- those:"
    long = "\n".join([*items, "- those:", "  - this"])
    assert quoted_blocks(long, len, "") == "\n".join(items)


def test_a_sentence_alone_is_not_a_block() -> None:
    assert quote("Unrelated") == ""
    assert quote("nowhere") == ""


def test_roles_and_marks_around_code_are_left_out() -> None:
    assert plain_words("**`a_b` entry** of {class}`Context`") == "a_b entry of Context"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", []),
        ("```\nopen", [("code", ("open",))]),
        ("- a\n\n  b\n\n- c", [("list", ("- a", "  b", "- c"))]),
        ("|x|\n", [("table", ("|x|",))]),
    ],
    ids=["nothing", "fence", "list", "table"],
)
def test_unfinished_blocks_are_read(
    text: str, blocks: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert [(each.kind, each.lines) for each in read_blocks(text)] == blocks


@given(st.text("`-|#1. ab\n:~", max_size=60))
def test_every_text_can_be_quoted(text: str) -> None:
    assert isinstance(quoted_blocks(text, lambda each: 1, ""), str)

"""Lines of documents as an answer quotes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.quotations import BlockKind, plain_words, quote_blocks, read_blocks

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
    return quoted(TEXT, lambda text, _: word in text, "   ")


def quoted(text: str, worth: Callable[[str, BlockKind], float], indent: str) -> str:
    found = quote_blocks(text, worth, indent)
    return found.markdown if found else ""


def length(text: str, _: BlockKind) -> float:
    return len(text)


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
    assert quoted(f"```\n{code}\n```\n", length, "") == f"```\n{code}\n```"
    long = "\n".join([*(f"a{each}: b" for each in range(13)), last, "more"])
    cut = quoted(f"```\n{long}\n```\n", length, "")
    assert cut.endswith(f"a12: b\n{last}\n```")


def test_a_list_loses_what_introduces_nothing_only_where_it_is_cut() -> None:
    items = [f"- a{each}" for each in range(13)]
    assert quoted("- one\n- those:", length, "") == "- one\n- those:"
    long = "\n".join([*items, "- those:", "  - this"])
    assert quoted(long, length, "") == "\n".join(items)


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
    assert isinstance(quoted(text, lambda *_: 1, ""), str)


def test_the_lines_of_a_quotation_are_known() -> None:
    found = quote_blocks(TEXT, lambda text, _: "looked up" in text, "")
    assert found
    lines = TEXT.split("\n")[found.first : found.last + 1]
    assert lines[0].startswith("A value is looked up")
    assert lines[-1] == "| a | b*c |"


def test_the_first_of_equals_is_quoted_and_a_wanted_kind_before_it() -> None:
    text = "An order.\n\n```\nthe order\n```\n\nThe order:\n\n1. one\n2. two\n"
    wanted = quoted(text, lambda text, kind: 2 if kind == "list" else 1, "")
    assert wanted == "The order:\n\n1. one\n2. two"
    assert quoted(text, lambda *_: 1, "").startswith("An order.")


def test_a_list_that_ends_with_a_colon_brings_its_example() -> None:
    text = "- Use tea\n  Good:\n\n```\ntea\n```\n\n- Next\n"
    assert quoted(text, lambda text, _: "Use" in text, "") == (
        "- Use tea\n  Good:\n\n```\ntea\n```"
    )

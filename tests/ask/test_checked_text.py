"""Which blocks of an answer stay, and what goes with a removed sentence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.writing.checked_text import CheckedText, check_text
from devrag.ask.writing.sentence_checks import SentenceChecks
from devrag.wiki.evidence.blocks import join_blocks
from tests.ask.passages import ASKED, PASSAGES, TILL, passage

TRUE = "`charge` adds the tax to the amount [[E1]]."
FALSE = "`refund` pays it back [[E1]]."


def new_checks() -> SentenceChecks:
    return SentenceChecks(
        PASSAGES, question=ASKED, fence="qwertyuiopas", diagram_error=lambda _: None
    )


def check(text: str, *, is_ended: bool = True, is_cut: bool = False) -> CheckedText:
    return check_text(text, new_checks(), is_ended=is_ended, is_cut=is_cut)


def shown(text: str, *, is_ended: bool = True, is_cut: bool = False) -> str:
    blocks = check(text, is_ended=is_ended, is_cut=is_cut).blocks
    return join_blocks(blocks).strip() if blocks else ""


def test_a_sentence_that_leans_on_a_removed_one_goes_with_it() -> None:
    found = check(f"{TRUE} {FALSE} It takes the money from the customer [[E1]].")
    assert join_blocks(found.blocks).strip() == TRUE
    assert [each.sentence for each in found.removed] == [
        "`refund` pays it back.",
        "It takes the money from the customer.",
    ]


def test_a_sentence_that_stands_by_itself_stays() -> None:
    assert shown(f"{FALSE} {TRUE}") == TRUE


def test_the_opening_may_sum_up_what_no_passage_says_alone() -> None:
    opening = "**Two places:** `charge` works on what `total` of the cart gives."
    assert shown(f"{opening}\n\n{TRUE}") == f"{opening}\n\n{TRUE}"
    assert shown(f"{TRUE}\n\n{opening}") == TRUE
    assert shown(f"{FALSE}\n\n{TRUE}") == TRUE


@pytest.mark.parametrize(
    "opening",
    [
        "`charge` works on what `total` of the cart gives.",
        "`charge` adds the tax to the amount [[E1]].",
    ],
)
def test_an_opening_goes_when_a_second_model_refuses_it(opening: str) -> None:
    checks, text = new_checks(), f"{opening}\n\nThe cart has items [[E2]]."
    passed = check_text(text, checks, is_ended=True, is_cut=False)
    checks.refuse({passed.sentences[0]: "it adds no tax"})
    found = check_text(text, checks, is_ended=True, is_cut=False)
    assert join_blocks(found.blocks).strip() == "The cart has items [[E2]]."
    assert [each.reason for each in found.removed] == ["it adds no tax"]


def test_an_entry_of_a_list_goes_with_those_below_it() -> None:
    text = f"- {FALSE} {TRUE}\n  - The cart has items and their total [[E2]].\n- {TRUE}"
    assert shown(text) == f"- {TRUE}"


def test_what_was_removed_leaves_no_gap_in_the_numbers_of_a_list() -> None:
    text = f"1. {FALSE}\n2. {TRUE}\n\n```\ntotal\n```\n\n3. The cart has items [[E2]]."
    numbers = re.findall(r"^\d+(?=\.)", shown(text), re.MULTILINE)
    assert numbers == ["1", "2"]


def test_what_leads_to_nothing_goes() -> None:
    assert shown(f"{TRUE}\n\nThe steps are:\n\n- {FALSE}") == TRUE


def test_what_leads_to_a_list_cites_nothing() -> None:
    text = f"The steps are:\n\n- {TRUE}"
    assert shown(text) == text


def test_a_heading_goes_with_what_stood_below_it() -> None:
    assert shown(f"{TRUE}\n\n### Refunds\n\n{FALSE}") == TRUE


def test_a_paragraph_of_bold_words_is_a_heading() -> None:
    text = f"**税の計算**\n\n{TRUE}\n\n**Refunds:**\n\n{FALSE}"
    assert shown(text) == f"### 税の計算\n\n{TRUE}"


def test_invented_code_goes() -> None:
    found = check(f"{TRUE}\n\n```python\nrefund(3)\n```")
    assert [block.kind for block in found.blocks] == ["paragraph"]
    assert "stand in no passage" in found.removed[0].reason


def test_what_leads_to_code_cites_its_passage() -> None:
    assert shown(f"In `charge`:\n\n```python\n{TILL}\n```").startswith(
        "In `charge` [[E1]]:"
    )


def test_code_without_a_sentence_gets_a_line_that_cites_it() -> None:
    assert shown(f"```python\n{TILL}\n```").startswith("`shop/till.py` [[E1]]:")


def test_what_leads_to_copied_lines_need_not_share_their_words() -> None:
    lead = "Otherwise it hands over to others [[E1]]:"
    assert shown(lead) == ""
    text = f"{lead}\n\n```python\n{TILL}\n```"
    assert shown(text).startswith(f"{lead}\n\n```python")
    text = f"Otherwise it hands over to others [[E1]] [[E9]]:\n\n- {TRUE}"
    assert shown(text).startswith(lead)


def test_copied_lines_stay_without_what_led_to_them() -> None:
    text = f"`Refund` is made here [[E1]]:\n\n```python\n{TILL}\n```"
    assert shown(text).startswith("`shop/till.py` [[E1]]:\n\n```python")


def test_a_word_before_a_colon_is_no_address() -> None:
    entry = f"**Prepare the data:** {TRUE}"
    assert shown(f"1. {entry}") == f"1. {entry}"
    assert shown(f"{TRUE} The data:text/html;base64,AAAA shows the tax [[E1]].") == TRUE


def test_an_endless_paragraph_goes() -> None:
    text = f"{TRUE}\n\n" + "A. " * 5000
    assert shown(text) == shown(text, is_ended=False) == TRUE


def test_the_name_of_a_file_cannot_be_markup() -> None:
    odd = passage("E1", "a`![x](y)`\n.py", TILL)
    checks = SentenceChecks(
        [odd], question=ASKED, fence="qwertyuiopas", diagram_error=lambda _: None
    )
    block = check_text(f"```python\n{TILL}\n```", checks).blocks[0]
    assert block.text == "`a'![x](y)'\\x0a.py` [[E1]]:"


def test_code_within_a_list_is_code() -> None:
    code = 'rate = int(os.environ.get("TAX_RATE", "10"))'
    text = f"- {TRUE}\n\n  ```python\n  {code}\n  ```"
    assert [block.kind for block in check(text).blocks] == ["item", "fence"]


def test_rows_of_a_table_that_fail_go() -> None:
    table = "| setting | default |\n|---|---|\n| `TAX_RATE` | 10 [[E1]] |\n"
    text = shown(f"{table}| `REFUNDS` | 3 [[E1]] |")
    assert text == table.strip()


def test_a_table_without_rows_goes() -> None:
    assert shown("| setting |\n|---|\n| `REFUNDS` [[E1]] |") == ""


def test_yes_goes_with_the_sentence_that_explains_it() -> None:
    assert shown(f"Yes. {TRUE}") == f"Yes. {TRUE}"
    assert shown(f"Yes. {FALSE}") == ""


def test_a_sentence_said_twice_is_shown_once() -> None:
    assert shown(f"{TRUE} {TRUE}") == TRUE


def test_the_last_sentence_waits_until_it_has_ended() -> None:
    assert shown(TRUE, is_ended=False) == ""
    assert shown(f"{TRUE} The", is_ended=False) == TRUE
    assert shown("`charge` adds the tax to the amount. [[E", is_ended=False) == ""


def test_an_open_code_block_waits() -> None:
    text = f"{TRUE}\n\n```python\ndef charge(amount: int) -> int:\n"
    assert shown(text, is_ended=False) == TRUE


def test_a_cut_answer_ends_with_its_last_whole_sentence() -> None:
    assert shown(f"{TRUE} The cart calls `charge` with the", is_cut=True) == TRUE
    assert shown(TRUE, is_cut=True) == TRUE


def test_the_line_that_nothing_is_found_is_read() -> None:
    assert check("\n[[NONE]]\n").is_none
    assert not check(f"{TRUE}\n\n[[NONE]]").is_none
    assert shown(f"{TRUE}\n\n[[NONE]]") == TRUE


@pytest.mark.parametrize("mark", ["[E1]", "【E1】", "[[E1, E2]]"])
def test_odd_marks_are_read_as_they_are_meant(mark: str) -> None:
    assert "[[E1]]" in shown(f"`charge` adds the tax to the amount {mark}.")


@given(st.text(alphabet="ab`*[]()<>!|#-.:\n E1", max_size=120))
def test_any_text_can_be_checked(text: str) -> None:
    for at in (len(text) // 2, len(text)):
        check(text[:at], is_ended=at == len(text))

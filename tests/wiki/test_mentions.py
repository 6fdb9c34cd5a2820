"""A text is about the files whose rare names it uses."""

from __future__ import annotations

import time
from collections.abc import Sequence

from devrag.wiki.analysis.documents import read_sections
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.analysis.topics.mentions import MentionIndex, weigh_mentions
from tests.wiki.topic_inputs import code_files

FILES = code_files(["app/cart.py", "app/order.py", "app/bill.py", "app/tax.py"])
CART, ORDER, BILL, TAX = (file.id for file in FILES)


def symbol(number: int, file: int, name: str, kind: str = "class") -> SurveySymbol:
    return SurveySymbol(number, file, kind, name, name, 1, 2)


INDEX = MentionIndex(
    FILES,
    [
        symbol(1, CART, "Cart"),
        symbol(2, ORDER, "PurchaseOrder"),
        symbol(3, TAX, "tax_rate", "function"),
        symbol(4, BILL, "Error", "method"),
        *(symbol(10 + f, f, "get", "function") for f in (CART, ORDER, BILL, TAX)),
    ],
    [SurveyFact(BILL, "setting", "BILL_CURRENCY", 1, 1)],
)


def about(*texts: str) -> list[dict[int, float]]:
    named = [
        INDEX.names_in(block for s in read_sections(text) for block in s.blocks)
        for text in texts
    ]
    return weigh_mentions(INDEX, named)


def names(text: str) -> Sequence[str]:
    blocks = [block for s in read_sections(text) for block in s.blocks]
    return sorted(INDEX.names_in(blocks))


def test_marked_names_paths_and_settings_are_names() -> None:
    text = "A `Cart` in `app/bill.py` reads `BILL_CURRENCY`."
    assert names(text) == ["/app/bill.py", "BILL_CURRENCY", "Cart"]


def test_prose_names_only_what_looks_like_code() -> None:
    assert names("The Cart calls tax_rate and makes a PurchaseOrder.") == [
        "PurchaseOrder",
        "tax_rate",
    ]


def test_methods_that_languages_prescribe_name_nothing() -> None:
    assert names("It prints `Error: no cart`.") == []


def test_options_of_a_command_line_name_nothing() -> None:
    assert names("It has `--Cart-size` and `-tax_rate`.") == []


def test_the_output_of_a_session_is_prose() -> None:
    assert names("```console\n$ buy\nCart: not found tax_rate\n```\n") == ["tax_rate"]


def test_code_blocks_name_what_they_use() -> None:
    assert names("```python\ncart = Cart()\n```\n") == ["Cart"]


def test_names_of_other_files_are_not_known() -> None:
    assert names("`Unknown` and `nothing/here.py`.") == []


def test_shares_sum_to_at_most_one_and_sure_texts_have_more() -> None:
    poor, rich = about("`Cart`.", "`Cart` `PurchaseOrder` `tax_rate` " * 3)
    assert sum(poor.values()) < sum(rich.values()) <= 1
    assert set(poor) == {CART}


def test_a_name_of_many_files_weighs_less() -> None:
    shares = about("`Cart` and `get`.", "Nothing.", "Nothing else.")[0]
    assert shares[CART] > 3 * shares.get(TAX, 0.0)


def test_what_all_texts_talk_about_counts_little() -> None:
    texts = [f"`Cart` {extra}" for extra in ("`tax_rate`", *(["here"] * 9))]
    shares = about(*texts)[0]
    assert shares[TAX] > 3 * shares[CART]


def test_a_long_word_is_read_at_once() -> None:
    started = time.process_time()
    assert names("A `Cart` and " + "x_" * 30_000) == ["Cart"]
    assert time.process_time() - started < 2

"""The lines of a long passage that a sentence is cited with."""

from __future__ import annotations

from devrag.ask.writing.bearing_lines import bearing_lines
from tests.ask.passages import passage
from tests.ask.test_citation_numbers import LONG

FILLER = [f"    value_{n} = {n}" for n in range(40)]
WHOLE = ((100, 182),)


def test_a_definition_that_a_page_shows_is_cited_whole() -> None:
    lines = ["def close(order):", *FILLER, "    order.close()"]
    said = "`close` calls `order.close()` at the end [[E5]]."
    assert bearing_lines(said, passage("E5", "a.py", "\n".join(lines))) == ((1, 42),)


def test_lines_of_a_method_are_cited_with_all_of_it() -> None:
    method = ["    def close(", "        self,", "    ) -> None:"]
    method += [f"        step_{n}()" for n in range(30)]
    method += ["        return self.file.close()", ""]
    text = "\n".join(["class File:", *FILLER, *method, *FILLER])
    said = "`step_11` and then `step_12` are called [[E5]]."
    assert bearing_lines(said, passage("E5", "shop/file.py", text)) == ((42, 75),)


def test_lines_end_with_their_block_though_a_longer_one_goes_on() -> None:
    steps = [f"        step_{n}()" for n in range(12)]
    text = "\n".join(["class File:", *FILLER, "    if late:", *steps, *FILLER])
    said = "`value_39` is set before `step_0` is called [[E5]]."
    ((_, last),) = bearing_lines(said, passage("E5", "shop/file.py", text))
    assert last == 54


def test_an_unclear_sentence_cites_the_whole_passage() -> None:
    assert bearing_lines("It is written [[E4]].", LONG) == WHOLE
    far = "`line_0` comes before `last_39` [[E4]]."
    assert bearing_lines(far, LONG) == WHOLE


def test_a_number_of_the_sentence_stays_in_its_lines() -> None:
    said = "`refund` cancels the order and calls `pay_back`, after 39 [[E4]]."
    assert bearing_lines(said, LONG) == ((136, 145),)


def test_what_a_sentence_quotes_is_cited_too() -> None:
    said = "`refund` calls `pay_back`, and “last_33 = 33” is set [[E4]]."
    first, second = bearing_lines(said, LONG)
    assert first[0] <= 140
    assert 142 <= first[1] < 173
    assert second == (173, 179)


def test_the_definition_of_a_name_is_cited_too() -> None:
    users = [f"use(Order, {n})" for n in range(45)]
    text = "\n".join(
        [*users, "class Order:", "    price: int", "", *FILLER, "go(Order)"]
    )
    said = "`Order` is used with 3 [[E5]]."
    places = bearing_lines(said, passage("E5", "shop/order.py", text))
    assert any(first <= 46 and last >= 47 for first, last in places)
    assert any(first <= 4 <= last for first, last in places)


def test_a_branch_is_cited_with_what_it_is_a_branch_of() -> None:
    loop = ["    for item in items:", "        if item.is_late:"]
    loop += ["            remind(item)", "        else:", "            keep(item)"]
    text = "\n".join(["def check(items):", *loop, "", *FILLER, *FILLER])
    said = "`remind` is called with the `item` [[E5]]."
    ((first, last),) = bearing_lines(said, passage("E5", "shop/late.py", text))
    assert first <= 2
    assert last >= 6


def test_the_one_line_that_calls_a_name_is_cited() -> None:
    text = "\n".join([*FILLER, "fields of the order", *FILLER, *FILLER, "pay(order)"])
    said = "It knows the fields of the order, value_39 and 39, and calls `pay` [[E5]]."
    places = bearing_lines(said, passage("E5", "shop/order.py", text))
    assert any(first <= 122 <= last for first, last in places)

"""Lines are compared with a sentence by its names and words, the rare counting more."""

from __future__ import annotations

import pytest

from devrag.wiki.writing.model.sentence_terms import (
    best_window,
    is_name,
    shown_terms,
    terms_of,
)

LONG = [
    "class Till:",
    *["x = 1"] * 60,
    "    def charge(self, amount):",
    '        """Take the money, tax included."""',
    "        return amount + self.tax",
    *["x = 1"] * 60,
    "    def 在庫確認(self):  # 在庫を数える",
]


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("`charge()` takes the money with its tax [[E1]].", (61, 62)),
        ("It is a `Till` [[E1]].", (0, 0)),
        ("ここで在庫を数える [[E1]]。", (124, 124)),
        ("Nothing of that is there [[E1]].", (0, 39)),
    ],
)
def test_the_window_holds_what_the_sentence_names(
    sentence: str, lines: tuple[int, int]
) -> None:
    assert best_window(terms_of(sentence), LONG, 40) == lines


def test_no_window_is_wider_than_the_most_lines() -> None:
    terms = terms_of("`Till` has `charge` and 在庫確認 [[E1]].")
    first, last = best_window(terms, LONG, 40)
    assert last - first < 40


def test_names_weigh_more_and_endings_do_not_count() -> None:
    terms = terms_of("`Till.charge()` copied the passes [[E1]].")

    words, names = {"copi": 1.0, "pass": 1.0}, {"till": 3.0, "charge": 3.0}
    assert terms == words | names | {"till.charge": 3.0}
    assert [term for term in terms if is_name(terms[term])] == [
        *("till.charge", "till", "charge")
    ]


def test_shown_terms_are_those_of_any_line() -> None:
    assert shown_terms({"till": 3.0, "tax": 1.0, "gone": 1.0}, LONG) == {
        "till": 3.0,
        "tax": 1.0,
    }

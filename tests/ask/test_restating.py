"""Follow-ups and misspelled names are restated as the questions that they mean."""

from __future__ import annotations

import pytest

from devrag.ask.restating import restate, restate_text
from devrag.ask.types import AskRequest, Exchange
from devrag.core.principal import SYSTEM
from devrag.sources.models import GitRef
from tests.ask.test_trace_answer import store

SHOP = {
    "shop/till.py": (
        "class Till:\n"
        "    def open_drawer(self):\n"
        "        return 1\n\n"
        "    def charge_card(self, amount):\n"
        "        return amount\n\n"
        "def close_till():\n"
        "    return None\n"
    ),
    "tests/test_till.py": "def test_charge_cart():\n    assert True\n",
}


@pytest.fixture
def shop() -> GitRef:
    return store("shop", SHOP)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("And where is it called?", "Where is `Till.open_drawer` called?"),
        ("What does this method return?", "What does `Till.open_drawer` return?"),
        ("What is its default?", "What is the default of `Till.open_drawer`?"),
        ("それはどこから呼ばれますか？", "`Till.open_drawer` はどこから呼ばれますか？"),
        ("その定義はどこですか？", "`Till.open_drawer` の定義はどこですか？"),
        ("What about close_till?", "How does `close_till` work?"),
        ("では close_till は？", "How does `close_till` work?"),
    ],
)
def test_a_follow_up_gets_the_name_before_it(question: str, meant: str) -> None:
    assert restate_text(question, "How does Till.open_drawer work?") == meant


@pytest.mark.parametrize(
    ("question", "before"),
    [
        ("Where is close_till called?", "How does Till.open_drawer work?"),
        ("And where is it called?", "How are orders paid?"),
        ("Which errors can occur?", "How does Till.open_drawer work?"),
    ],
)
def test_other_questions_stay_as_they_are(question: str, before: str) -> None:
    assert restate_text(question, before) is None


@pytest.mark.django_db
def test_a_follow_up_goes_on_about_a_follow_up(shop: GitRef) -> None:
    history = (
        Exchange("How does Till.open_drawer work?", ""),
        Exchange("And where is it called?", ""),
    )
    request = AskRequest("What about close_till?", SYSTEM, history=history)
    meant, notes = restate(request)
    assert meant.question == "Where is `close_till` called?"
    assert meant.history == ()
    assert notes == ("Understood as: Where is close_till called?",)


@pytest.mark.django_db
def test_a_follow_up_about_a_name_that_is_nowhere_is_not_restated(
    shop: GitRef,
) -> None:
    history = (Exchange("How does Till.refund work?", ""),)
    request = AskRequest("Where is it called?", SYSTEM, history=history)
    assert restate(request) == (request, ())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Till.opn_drawer", "Till.open_drawer"),
        ("open_drawr", "Till.open_drawer"),
        ("Till.chargeCard", "Till.charge_card"),
    ],
)
def test_a_misspelled_name_is_told_and_corrected(
    shop: GitRef, written: str, meant: str
) -> None:
    request, notes = restate(AskRequest(f"How does {written} work?", SYSTEM))
    assert request.question == f"How does {meant} work?"
    said = f"No definition is named “{written}”; this is about “{meant}”."
    assert notes == (said,)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    ["Till.open_drawer", "Drawer.opn_drawer", "Till.refund", "http.createServer"],
)
def test_names_that_are_right_or_of_others_stay_as_they_are(
    shop: GitRef, name: str
) -> None:
    request = AskRequest(f"How does {name} work?", SYSTEM)
    assert restate(request) == (request, ())

"""Where a definition is used, answered by the list of its references."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from devrag.ask.named.uses import uses_answer
from devrag.ask.trace.answer import trace_answer
from devrag.ask.types import Answer, AskRequest, Scope
from devrag.core.errors import NotFound
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.sources.models import GitRef
from tests.ask.test_trace_answer import store

pytestmark = pytest.mark.django_db

SHOP = {
    "shop/till.py": (
        "def charge(amount):\n"
        '    """Take the money."""\n'
        "    return amount\n\n"
        "def idle():\n"
        "    return None\n"
    ),
    "shop/cart.py": (
        "from shop.till import charge\n\n"
        "def checkout(amount):\n"
        "    return charge(amount)\n"
    ),
    "examples/pay.py": "from shop.till import charge\n\ncharge(1)\n",
    "tests/test_till.py": (
        "from shop.till import charge\n\ndef test_charge():\n    assert charge(1)\n"
    ),
}


@pytest.fixture
def shop() -> GitRef:
    return store("shop", SHOP)


def ask(question: str) -> Answer:
    answer = uses_answer(AskRequest(question, SYSTEM))
    assert answer is not None
    return answer


def test_uses_are_listed_with_their_lines_code_before_tests(shop: GitRef) -> None:
    answer = ask("Where is charge used?")
    assert answer.outcome == "answered"
    assert answer.markdown.startswith(
        "`charge` is used in 3 places. Code: 1, Examples: 1, Tests: 1."
        " 3 more lines only import it."
        " It is defined in `shop/till.py`, line 1. [1](cite:1)\n\n"
        "**Code**\n\n"
        "- `shop/cart.py`, line 4, in `checkout` [2](cite:2)\\\n"
        "  `return charge(amount)`\n"
    )
    groups = [answer.markdown.index(f"**{each}**") for each in ("Code", "Examples")]
    assert groups == sorted(groups)
    assert answer.markdown.index("**Examples**") < answer.markdown.index("**Tests**")
    assert {p.kind for p in answer.citations} == {"definition", "caller", "test"}


def test_the_list_is_in_the_language_of_the_question(shop: GitRef) -> None:
    assert "checkout" in ask("charge はどこから呼ばれますか？").markdown


def test_what_nobody_uses_is_said_to_be_unused(shop: GitRef) -> None:
    answer = ask("Where is `idle` used?")
    assert answer.markdown.startswith("No use of `idle` was found")
    assert [p.path for p in answer.citations] == ["shop/till.py"]


def test_other_questions_are_not_answered_by_a_list(shop: GitRef) -> None:
    for question in ("What does charge do?", "Where is refund used?", "Who pays?"):
        assert uses_answer(AskRequest(question, SYSTEM)) is None


def test_uses_that_the_asker_cannot_see_do_not_exist(shop: GitRef) -> None:
    assert uses_answer(AskRequest("Where is charge used?", ANONYMOUS)) is None
    hidden = AskRequest("Where is charge used?", ANONYMOUS, Scope(products=("shop",)))
    with pytest.raises(NotFound):
        uses_answer(hidden)


def test_where_no_path_leads_both_definitions_are_shown(shop: GitRef) -> None:
    request = AskRequest("How does `idle` reach `charge`?", SYSTEM)
    answer = trace_answer(request, is_final=True)
    assert answer is not None
    assert "there is no call path from `idle` to `charge`" in answer.markdown
    assert "1. `idle` in `shop/till.py`, line 5" in answer.markdown
    assert "2. `charge` in `shop/till.py`, line 1" in answer.markdown
    assert trace_answer(request) is None


def test_names_with_their_files_are_traced_without_being_asked(shop: GitRef) -> None:
    asked = "How does a payment get from checkout in cart.py to charge in till.py?"
    answer = trace_answer(AskRequest(asked, SYSTEM))
    assert answer is not None
    assert "`checkout` reaches `charge` in 1 call:" in answer.markdown


def test_a_trace_of_one_name_shows_its_calls(shop: GitRef) -> None:
    answer = trace_answer(AskRequest("How does checkout work?", SYSTEM, mode="trace"))
    assert answer is not None
    assert answer.outcome == "answered"
    assert "- `checkout` in `shop/cart.py`, line 3" in answer.markdown
    assert "  - line 4: calls `charge`" in answer.markdown


def test_a_trace_of_a_definition_without_calls_asks_for_the_other(
    shop: GitRef,
) -> None:
    answer = trace_answer(AskRequest("How does idle work?", SYSTEM, mode="trace"))
    assert answer is not None
    assert answer.outcome == "ambiguous"
    assert "The question names one: `idle` in `shop/till.py`" in answer.markdown
    other = trace_answer(AskRequest("What is sold?", SYSTEM, mode="trace"))
    assert other is not None
    assert "How does `checkout` reach `charge`?" in other.markdown


STORES = {
    "shop/disk.py": (
        "from typing import overload\n\n"
        "class Store:\n"
        "    @overload\n"
        "    def save(self, order: int) -> int: ...\n"
        "    @overload\n"
        "    def save(self, order: str) -> str: ...\n"
        "    def save(self, order):\n"
        "        return order\n"
    ),
    "shop/cloud.py": (
        "class Store:\n    def save(self, order):\n        return order\n"
    ),
    "shop/far.py": (
        "from shop.cloud import Store\n\ndef keep_far(order):\n    Store.save(order)\n"
    ),
    "shop/unknown.py": "def guess(Store):\n    Store.save(1)\n",
}


def test_possible_uses_are_counted_apart() -> None:
    near = "from shop.disk import Store\n\nStore.save(1)\nStore.save(2)\n"
    store("shop", {**STORES, "shop/near.py": near})
    said = ask("Where is `disk.Store.save` used?").markdown
    assert said.startswith(
        "`Store.save` is used in 2 places, possibly in 1 more. It is defined"
    )
    assert "`shop/unknown.py`, line 2, in `guess` (possible)" in said


def test_possible_uses_alone_are_no_certain_ones() -> None:
    store("shop", STORES)
    said = ask("Where is `disk.Store.save` used?").markdown
    assert said.startswith(
        "`Store.save` may be used in 1 place; that is not certain. It is defined"
    )


def test_uses_of_another_definition_of_that_name_are_not_listed() -> None:
    store("shop", STORES)
    assert "far.py" not in ask("Where is `disk.Store.save` used?").markdown


def test_the_whole_name_is_looked_for_once(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    store("shop", STORES)
    with django_assert_max_num_queries(200) as context:
        ask("Where is `disk.Store.save` used?")
    asked = [each["sql"] for each in context.captured_queries]
    assert sum("\"name\" = 'Store.save'" in sql for sql in asked) == 1

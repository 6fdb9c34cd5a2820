"""The outline from which a model chooses what it reads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devrag.ask.agent.outline import MOST_TOKENS, make_outline
from devrag.ask.agent.reach import Reach
from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.types import AskRequest, Location, Scope
from devrag.core.principal import SYSTEM
from devrag.parsing.tokens import estimate_tokens
from devrag.products.models import Product
from tests.conftest import Repository

pytestmark = pytest.mark.django_db
ASKED = AskRequest("How is the customer charged at checkout?", SYSTEM)
_LONG = "".join(f"def brew_{n}_of_many_kinds():\n    pass\n\n\n" for n in range(400))


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return {
        "kettle.py": _LONG,
        "shop/gift.py": "from shop.cart import Cart\n\n\n"
        "class GiftCart(Cart):\n    def wrap(self):\n        return self.checkout()\n",
    }


def outline(*nearby: Location, question: str = ASKED.question) -> str:
    return make_outline(question, nearby, Reach.of(ASKED)).text("shop-git")


def at(path: str, title: str = "", line: int = 1) -> Location:
    source = Product.objects.get().sources.get()
    return Location(source.name, path, line, line, title)


def test_a_class_shows_what_was_not_found_of_it(indexed: Repository) -> None:
    lines = outline(at("shop/cart.py", "Cart.checkout", 17)).split("\n")
    assert lines[0].startswith("shop/cart.py")
    assert lines[1:] == [
        "1 class Cart 6-18",
        "  2 __init__ 9-10",
        "  3 add 12-14",
        "  4 checkout 16-18 calls charge",
    ]


def test_bases_and_calls_are_shown(indexed: Repository) -> None:
    text = outline(at("shop/gift.py", "GiftCart", 4))
    assert "class GiftCart(Cart) 4-6" in text
    assert "wrap 5-6 calls checkout" in text


def test_the_files_of_what_was_found_come_in_its_order(indexed: Repository) -> None:
    till, cart = at("shop/till.py", "charge", 6), at("shop/cart.py", "Cart", 6)
    text = outline(till, cart)
    assert text.index("shop/till.py") < text.index("shop/cart.py")


def test_lines_outside_of_definitions_are_entries(indexed: Repository) -> None:
    text = outline(Location(at("README.md").source, "README.md", 5, 7, "Running"))
    assert text.endswith("\n1 Running 5-7")


def test_it_stays_within_its_tokens(indexed: Repository) -> None:
    text = outline(at("kettle.py"), question="How are many kinds of brew made?")
    assert text.count("\n") > 50
    assert estimate_tokens(text) <= MOST_TOKENS * 1.2


def test_what_is_kept_from_models_is_not_in_it(indexed: Repository) -> None:
    nearby = gather_evidence(ASKED).nearby
    assert make_outline(ASKED.question, nearby, Reach.of(ASKED)).entries
    Product.objects.update(is_external_models_allowed=False)
    assert not make_outline(ASKED.question, nearby, Reach.of(ASKED)).entries


def test_only_the_folder_that_is_asked_about_is_in_it(indexed: Repository) -> None:
    reach = Reach.of(replace(ASKED, scope=Scope(path="shop/")))
    nearby = at("shop/till.py", "charge", 6), at("README.md", "Shop")
    outline = make_outline(ASKED.question, nearby, reach)
    assert {each.location.path for each in outline.entries} == {"shop/till.py"}


def test_all_that_may_be_of_use_is_near(indexed: Repository) -> None:
    nearby = gather_evidence(replace(ASKED, question="Where is checkout?")).nearby
    assert {each.title for each in nearby} >= {"Cart.checkout", "charge"}

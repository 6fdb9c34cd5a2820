"""What the wiki of a product answers, with the lines of the sources that it cites."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db.models import F

from devrag.ask.from_wiki.answer import wiki_answer
from devrag.ask.types import Answer, AskRequest, Scope
from devrag.core.errors import NotFound
from devrag.core.principal import ANONYMOUS, SYSTEM
from devrag.products.models import Product, SourceLimit
from devrag.sources.models import Source
from devrag.wiki.models import Page
from tests.conftest import Repository, Stand
from tests.standing import Standing
from tests.wiki.conftest import git_shop
from tests.wiki.gitshop import GitShop
from tests.wiki.shop import SHOP

__all__ = ["git_shop"]

_SERVICE = "shop/orders/service.py"
_STEPS = '''"""Place orders."""

from shop.orders.models import Order
from shop.stock import reserve


def check_size(books):
    """Fail where books are too many for one order."""
    if len(books) > 20:
        raise ValueError("more than 20 books")


def bill(order):
    """Return what an order costs."""
    return order.total


def place_order(books):
    """Reserve the books and keep the order. Nothing is kept on failure."""
    check_size(books)
    if not books:
        raise ValueError("no books")
    reserve(books)
    order = Order()
    bill(order)
    return order
'''


@pytest.fixture(scope="module")
def standing_git_shop(stand: Stand) -> Standing[GitShop]:
    def make(folder: Path) -> GitShop:
        made = GitShop(Repository(folder / "shop"))
        made.write({_SERVICE: _STEPS})
        return made

    return stand(make)


def asked(question: str) -> Answer | None:
    return wiki_answer(AskRequest(question, SYSTEM, Scope(products=("shop",))))


def test_the_steps_of_a_function_come_before_its_lines(git_shop: GitShop) -> None:
    answer = asked("How does place_order work?")
    assert answer
    steps, _, lines = answer.markdown.partition("```")
    assert "`check_size()`" in steps
    assert "**`place_order()`, step by step**" in steps
    assert "](/p/shop/wiki/" in steps
    assert "def place_order(books):" in lines
    assert _SERVICE in {each.path for each in answer.citations}


def test_what_happens_is_told_by_the_error_of_the_named_function(
    git_shop: GitShop,
) -> None:
    answer = asked("What happens when place_order is called without books?")
    assert answer
    error, _, steps = answer.markdown.partition("step by step")
    assert error.startswith("**Errors**")
    assert "`no books`" in error
    assert "more than 20" not in error
    assert "`check_size()`" in steps


def test_what_happens_is_told_by_an_error_with_all_words_and_what_raises_it(
    git_shop: GitShop,
) -> None:
    answer = asked("What happens with more than 20 books?")
    assert answer
    error, _, raiser = answer.markdown.partition("**`check_size`**")
    assert "`more than 20 books`" in error
    assert "def check_size(books):" in raiser
    assert asked("What happens with more than 20 green books?") is None


@pytest.mark.parametrize(
    ("question", "said", "path"),
    [
        ("What is shop for?", "Shop sells books over the web.", "README.md"),
        ("How do I install it?", "pip install shop", "README.md"),
        ("How do I run the tests?", "make test", "Makefile"),
        ("Which environment variables are there?", "SHOP_CURRENCY", "shop/settings.py"),
    ],
)
def test_what_a_whole_product_is_asked_is_told_with_its_lines(
    git_shop: GitShop, question: str, said: str, path: str
) -> None:
    answer = asked(question)
    assert answer
    assert said in answer.markdown
    assert path in {each.path for each in answer.citations}


def test_every_line_of_prose_cites_something(git_shop: GitShop) -> None:
    answer = asked("How do I install it?")
    assert answer
    prose = answer.markdown.split("```")[::2]
    lines = [line for part in prose for line in part.split("\n") if line.strip()]
    told = [line for line in lines if not line.startswith(("**", "More in the wiki"))]
    assert told
    assert all("](cite:" in line for line in told)


def test_links_of_the_front_page_lead_to_pages_of_the_wiki(git_shop: GitShop) -> None:
    front = Page.objects.get(path="index.md", version__wiki__current=F("version"))
    said = front.markdown.replace("sells books", "sells [books](stock.md#rules)")
    Page.objects.filter(pk=front.pk).update(markdown=said)
    answer = asked("What is shop for?")
    assert answer
    assert "[books](/p/shop/wiki/stock#rules)" in answer.markdown


def test_what_the_sources_no_longer_say_is_not_told(git_shop: GitShop) -> None:
    changed = SHOP["README.md"].replace("sells books", "lends books")
    git_shop.index({"README.md": changed}, is_wiki_wanted=False)
    assert asked("What is shop for?") is None
    assert asked("How does place_order work?")


def test_a_page_that_was_withdrawn_a_moment_ago_answers_nothing(
    git_shop: GitShop,
) -> None:
    """Its sections are still listed when the page is read."""
    Page.objects.filter(path="index.md").delete()
    assert asked("What is shop for?") is None


def test_a_source_that_is_hidden_hides_what_cites_it(git_shop: GitShop) -> None:
    SourceLimit.objects.create(
        product=git_shop.product, source_id=Source.objects.get().pk
    )
    assert asked("What is shop for?") is None


def test_who_cannot_see_the_product_is_told_nothing(git_shop: GitShop) -> None:
    Product.objects.update(visibility="members")
    with pytest.raises(NotFound):
        wiki_answer(
            AskRequest("What is shop for?", ANONYMOUS, Scope(products=("shop",)))
        )


def test_whatever_else_is_asked_is_not_answered_here(git_shop: GitShop) -> None:
    assert asked("Where is place_order defined?") is None
    assert asked("Which currency is usual?") is None
    assert asked("How does nothing_of_this_name work?") is None

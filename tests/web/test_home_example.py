"""What visitors see of a wiki before they sign in."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from devrag.products.models import Product
from devrag.web.pages.home_example import find_home_example
from devrag.wiki.models import Claim, Page, Version, Wiki

pytestmark = pytest.mark.django_db

SENTENCE = "`charge()` takes the money from the card and books it at once."
EXCERPT = "def charge(card):\n    return book(card)"


@pytest.fixture
def visitor(settings: Any) -> Client:
    """Somebody at the server itself, who need not sign in to read."""
    settings.IS_OPEN_READING = True
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def page() -> Page:
    product = Product.objects.create(name="till", visibility="everyone")
    wiki = Wiki.objects.create(product=product, language="en")
    version = Version.objects.create(wiki=wiki, number=1)
    wiki.current = version
    wiki.save()
    return Page.objects.create(
        version=version, path="payment.md", title="Payment", ordinal=0, kind="feature"
    )


def add_claim(page: Page, sentence: str, path: str = "till/card.py") -> None:
    Claim.objects.create(
        page=page,
        ordinal=page.claims.count(),
        sentence=sentence,
        source_name="till",
        path=path,
        start_line=7,
        end_line=8,
        version_identifier="1",
        content_hash="x",
        excerpt=EXCERPT,
    )


def test_visitors_see_a_sentence_with_its_lines(page: Page, visitor: Client) -> None:
    add_claim(page, "If `card`, it calls `charge()` and `book()`, then returns both.")
    add_claim(page, SENTENCE)
    shown = visitor.get("/").content.decode()
    assert "A sentence from the wiki of till" in shown
    assert "<code>charge()</code> takes the money" in shown
    assert "till/card.py:7–8" in shown
    assert 'href="/p/till/wiki/payment"' in shown


@pytest.mark.parametrize(
    ("sentence", "path"),
    [
        (SENTENCE, "tests/test_card.py"),
        (SENTENCE, "README.md"),
        (
            "| `charge()` | takes the money from the card and books it at once. |",
            "a.py",
        ),
        ("It takes the money from the card and books it at once, as ever.", "a.py"),
        ("Too short.", "a.py"),
        ("`charge()`: def charge, card; return book of the card.", "a.py"),
    ],
)
def test_only_a_sentence_that_stands_alone_is_shown(
    page: Page, sentence: str, path: str
) -> None:
    add_claim(page, sentence, path)
    wiki = page.version.wiki
    assert find_home_example([wiki.product], {wiki.product_id: wiki}) is None


def test_evidence_of_one_line_is_named_by_it(page: Page) -> None:
    add_claim(page, SENTENCE)
    Claim.objects.update(excerpt="charge = book.entry", end_line=7)
    wiki = page.version.wiki
    example = find_home_example([wiki.product], {wiki.product_id: wiki})
    assert example is not None
    assert example.label == "till/card.py:7"


def test_more_than_a_line_or_two_go_first(page: Page) -> None:
    add_claim(page, SENTENCE)
    add_claim(page, "`charge()` books the money that it took from the card at once.")
    longer = f"{EXCERPT}\n\n\ndef refund(card):"
    Claim.objects.filter(ordinal=1).update(excerpt=longer)
    found = find_home_example(
        [page.version.wiki.product], {page.version.wiki.product_id: page.version.wiki}
    )
    assert found is not None
    assert found.sentence.startswith("`charge()` books")


def test_a_wiki_in_the_readers_language_goes_first(page: Page) -> None:
    add_claim(page, SENTENCE)
    first = page.version.wiki
    product = Product.objects.create(name="bank", visibility="everyone")
    wiki = Wiki.objects.create(product=product, language="ja")
    wiki.current = Version.objects.create(wiki=wiki, number=1)
    wiki.save()
    other = Page.objects.create(
        version=wiki.current, path="a.md", title="支払い", ordinal=0, kind="feature"
    )
    add_claim(
        other, "`charge()` は `card` から代金を受け取り、`book()` にすぐに記帳します。"
    )
    products, wikis = [first.product, product], {first.product_id: first}
    wikis[product.pk] = wiki
    for language, name in (("ja", "bank"), ("en", "till")):
        with translation.override(language):
            example = find_home_example(products, wikis)
        assert example is not None
        assert example.product == name


def test_the_page_of_a_second_language_is_in_its_folder(page: Page) -> None:
    add_claim(page, SENTENCE)
    product = page.version.wiki.product
    product.wiki_settings = {"language": "en,ja"}
    product.save()
    wiki = Wiki.objects.create(product=product, language="ja")
    wiki.current = Version.objects.create(wiki=wiki, number=1)
    wiki.save()
    other = Page.objects.create(
        version=wiki.current, path="a.md", title="支払い", ordinal=0, kind="feature"
    )
    add_claim(
        other, "`charge()` は `card` から代金を受け取り、`book()` にすぐに記帳します。"
    )
    with translation.override("ja"):
        example = find_home_example([product], {product.pk: wiki})
    assert example is not None
    assert example.page_url == "/p/till/wiki/ja/a"
    product.wiki_settings = {"language": "en"}
    with translation.override("ja"):
        example = find_home_example([product], {product.pk: wiki})
    assert example is not None
    assert example.page_url == "/p/till/wiki/payment"


def test_without_one_devrag_shows_its_own_code(page: Page, visitor: Client) -> None:
    assert "Example: the source code of devrag" in visitor.get("/").content.decode()


def test_of_a_private_product_nothing_is_shown(page: Page, visitor: Client) -> None:
    add_claim(page, SENTENCE)
    Product.objects.update(visibility="private")
    assert "takes the money" not in visitor.get("/").content.decode()

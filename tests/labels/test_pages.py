"""Wiki pages have the labels of the files that they cite."""

from __future__ import annotations

from devrag.labels.api import label_pages, labels_of_page
from devrag.labels.pages import shared_labels
from tests.labels.conftest import Shelf


def test_a_page_has_the_labels_of_a_third_of_its_files() -> None:
    assert shared_labels([{1, 2}, {1}, {2}, set()]) == [(1, 0.5), (2, 0.5)]
    assert shared_labels([{1}, set(), set(), set()]) == []
    assert shared_labels([]) == []


def test_pages_are_labelled_by_current_files(shelf: Shelf) -> None:
    product = shelf.people.teahouse
    cited = [(shelf.source.name, "app/auth.py"), ("other", "app/cart.py")]
    label_pages(product.pk, "en", {"features/login.md": cited, "index.md": []})
    [label] = labels_of_page(product.pk, "en", "features/login.md")
    assert (label.name, label.title, label.origin) == ("auth", "Authentication", "page")
    assert labels_of_page(product.pk, "en", "index.md") == ()
    label_pages(product.pk, "en", {"features/login.md": []})
    assert labels_of_page(product.pk, "en", "features/login.md") == ()

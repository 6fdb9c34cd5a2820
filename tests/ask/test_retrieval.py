"""Search within the scope of a question, for what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.types import AskRequest, Scope
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from tests.conftest import Repository
from tests.indexing.test_index import index

pytestmark = pytest.mark.django_db
SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\noolong\n-----END PGP SIGNATURE-----\n"
FILES: dict[str, str | bytes | None] = {
    "tea.py": "def brew_oolong():\n    return 'oolong'\n",
    "release-oolong.asc": SIGNATURE,
    "package-lock.json": '{"name": "oolong"}\n',
}


@pytest.fixture
def indexed(repository: Repository, follow: Callable[[], Any]) -> Repository:
    repository.commit(FILES)
    index(repository)
    follow()
    return repository


def paths(question: str, scope: Scope = Scope()) -> set[str]:  # noqa: B008 - frozen
    found = gather_evidence(AskRequest(question, SYSTEM, scope)).passages
    return {each.path for each in found}


def test_a_question_about_all_products_is_asked_of_the_one_it_names(
    indexed: Repository,
) -> None:
    product = Product.objects.get()
    other = Product.objects.create(name="coffee", title="Coffee")
    asked = f"How is oolong brewed in {product.name}?"
    said = f"Only {product.name} was searched, because the question names it."
    assert said in gather_evidence(AskRequest(asked, SYSTEM)).notes
    asked = f"How is oolong brewed, {other.title}?"
    evidence = gather_evidence(AskRequest(asked, SYSTEM))
    assert evidence.passages
    assert not any("Only" in note for note in evidence.notes)


def test_what_looks_like_a_filter_in_a_question_is_not_noted(
    indexed: Repository,
) -> None:
    evidence = gather_evidence(AskRequest("How is oolong brewed? dir:ltr", SYSTEM))
    assert evidence.passages
    assert not any("filter" in note for note in evidence.notes)


def test_locks_and_signatures_are_evidence_only_on_request(indexed: Repository) -> None:
    assert paths("How is oolong brewed?") == {"tea.py"}
    assert "package-lock.json" in paths("Which oolong is in the lock file?")
    assert "release-oolong.asc" in paths("Who signed release-oolong.asc?")
    assert paths("oolong?", Scope(path="package-lock.json")) == {"package-lock.json"}

"""Code that builds a site of documents is no answer of it."""

from __future__ import annotations

from typing import Any

import pytest

from devrag.ask.evidence.retrieval import retrieve
from devrag.ask.evidence.tooling import without_tooling
from devrag.ask.types import AskRequest
from devrag.core.principal import SYSTEM
from devrag.search.types import Hit
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def more_files() -> dict[str, Any]:
    return {".site/tax.py": "def tax_menu():\n    return 'the tax of a cart'\n"}


def found(question: str) -> tuple[Hit, ...]:
    hits = retrieve(AskRequest(question, SYSTEM), question).hits
    assert any(hit.path == ".site/tax.py" for hit in hits)
    return without_tooling(hits, question, SYSTEM)


def test_code_in_hidden_folders_is_left_out(indexed: Repository) -> None:
    paths = {hit.path for hit in found("How is the tax of a cart charged?")}
    assert ".site/tax.py" not in paths
    assert "shop/till.py" in paths


@pytest.mark.parametrize(
    "question", ["Which script has the tax of a cart?", "What is the tax of the site?"]
)
def test_it_stays_where_it_is_asked_for(indexed: Repository, question: str) -> None:
    assert ".site/tax.py" in {hit.path for hit in found(question)}


def test_it_stays_where_nothing_else_is_found(indexed: Repository) -> None:
    question = "tax cart"
    hits = [h for h in found("Which script has the tax?") if h.path == ".site/tax.py"]
    assert without_tooling(hits, question, SYSTEM) == tuple(hits)

"""What agents are told of pages and tickets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from devrag.search.lexical.follower import catch_up
from tests.conftest import Stand
from tests.documents import PAY, TRACKER, index_documents
from tests.mcp.teahouse import Teahouse, open_teahouse
from tests.standing import Standing


@pytest.fixture(scope="module")
def standing_teahouse(stand: Stand) -> Standing[Teahouse]:
    def make(folder: Path) -> Teahouse:
        teahouse = open_teahouse(folder)
        index_documents(folder / "tracker", "tea", TRACKER)
        catch_up(Path(settings.LEXICAL_DIR))
        return teahouse

    return stand(make)


def test_a_ticket_comes_with_its_original(ask: Callable[..., Any]) -> None:
    found = ask(
        "search", query="checkout", status="open", author="jane", after="2026-01"
    )
    (piece,) = found["results"]
    assert piece["document"] == {
        "kind": "ticket",
        "title": "Checkout charges twice",
        "place": "Shop",
        "author": "Jane Doe",
        "changed": "2026-03-04T05:06:07+00:00",
        "status": "In Progress",
        "is_closed": False,
        "labels": ["payments", "customer reported"],
        "url": PAY.url,
        "version": "12",
    }


def test_an_answer_names_the_originals_of_its_sources(
    ask: Callable[..., Any],
) -> None:
    answer = ask("ask", question="What does the checkout charge twice?")
    assert any(f"<{PAY.url}>" in source for source in answer["sources"])

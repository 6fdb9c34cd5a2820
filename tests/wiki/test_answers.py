"""Source lines that a wiki leads to."""

from __future__ import annotations

import pytest

from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.wiki.answers import WikiEvidence, find_evidence
from devrag.wiki.models import Version
from tests.wiki.rows import index_source
from tests.wiki.shop import SHOP

SERVICE = "shop/orders/service.py"
QUESTION = "How is an order placed and reserved?"


@pytest.fixture
def version(written: Product) -> Version:
    return Version.objects.get()


def found_in(version: Version, limit: int = 8) -> WikiEvidence:
    return find_evidence(version, QUESTION, principal=SYSTEM, limit=limit)


def test_each_place_is_given_once(version: Version) -> None:
    evidence = found_in(version).claims
    places = [(e.state.file, e.state.start_line, e.state.end_line) for e in evidence]
    assert f"shop/{SERVICE}" in {file for file, *_ in places}
    assert len(places) == len(set(places))


def test_lines_that_changed_are_left_out_and_counted(version: Version) -> None:
    tree = {path: text for path, text in SHOP.items() if path != SERVICE}
    index_source(version.wiki.product, "shop", tree, "b" * 40)
    found = found_in(version)
    assert f"shop/{SERVICE}" not in {each.state.file for each in found.claims}
    assert found.stale > 0


def test_no_more_than_asked_for(version: Version) -> None:
    assert len(found_in(version, limit=1).claims) == 1

"""Claims against the sources as indexed now."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from devrag.products.models import Product
from devrag.wiki.analysis.selectors import current_versions
from devrag.wiki.evidence.freshness import (
    ClaimState,
    claim_states,
    page_freshness,
    stale_pages,
    version_freshness,
)
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.models import Claim, Version
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.shop import SHOP

SERVICE = "shop/orders/service.py"


@pytest.fixture
def version(written: Product) -> Version:
    return Version.objects.get()


def states_after(version: Version, text: str | None) -> list[ClaimState]:
    """Return the states of what cites the order service once it has this text."""
    tree = {path: body for path, body in SHOP.items() if path != SERVICE}
    if text is not None:
        tree[SERVICE] = text
    index_source(version.wiki.product, "shop", tree, "b" * 40)
    found = [s for s in claim_states(version) if s.file == f"shop/{SERVICE}"]
    assert found
    return found


def test_claims_of_an_unchanged_source_are_fresh(version: Version) -> None:
    assert {state.state for state in claim_states(version)} == {"fresh"}


def test_a_claim_below_an_added_line_has_moved(version: Version) -> None:
    before = {(s.page, s.ordinal): s for s in claim_states(version)}
    for state in states_after(version, "\n\n" + SHOP[SERVICE]):
        assert state.state == "moved"
        old = before[state.page, state.ordinal]
        assert state.start_line == old.start_line + 2


def test_a_claim_above_a_change_is_fresh(version: Version) -> None:
    states = states_after(version, SHOP[SERVICE] + "\n\ndef more():\n    pass\n")
    assert {state.state for state in states} == {"fresh"}


def test_a_claim_whose_lines_changed_is_stale_and_says_so(version: Version) -> None:
    states = states_after(version, SHOP[SERVICE].replace("Reserve the books", "Guess"))
    stale = [state for state in states if state.state == "stale"]
    assert stale
    assert {state.reason for state in stale} == {"the cited lines changed"}


def test_claims_of_a_deleted_file_are_stale(version: Version) -> None:
    states = states_after(version, None)
    assert {(s.state, s.reason) for s in states} == {("stale", "deleted or renamed")}


def test_pages_and_version_count_their_claims(version: Version) -> None:
    states_after(version, None)
    pages = {page.page: page for page in page_freshness(version)}
    orders = pages["features/orders.md"]
    assert orders.stale > 0
    assert orders.changes == {f"shop/{SERVICE}": "deleted or renamed"}
    counts = version_freshness(pages.values())
    assert counts["stale"] == sum(page.stale for page in pages.values())
    assert sum(counts.values()) == len(claim_states(version))


def test_pages_with_stale_claims_are_counted_without_the_others(
    version: Version,
) -> None:
    product_id = version.wiki.product_id
    with CaptureQueriesContext(connection) as queries:
        assert stale_pages(version.pk, current_versions(product_id)) == {}
    assert not any('"excerpt"' in query["sql"] for query in queries)
    states_after(version, SHOP[SERVICE].replace("Reserve the books", "Guess"))
    counts = {page.page: page.stale for page in page_freshness(version) if page.stale}
    assert counts
    assert stale_pages(version.pk, current_versions(product_id)) == counts


def test_one_page_may_be_asked_for(version: Version) -> None:
    assert {state.page for state in claim_states(version, "index.md")} == {"index.md"}


def test_files_that_did_not_change_are_not_read(version: Version) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        claim_states(version)
    assert not any('"text"' in query["sql"] for query in queries)


@pytest.mark.parametrize("edit", ["", "# new\n"])
def test_a_file_that_went_elsewhere_takes_its_claims_along(
    edit: str, version: Version
) -> None:
    new = "shop/sales/service.py"
    tree = {path: text for path, text in SHOP.items() if path != SERVICE}
    tree[new] = edit + SHOP[SERVICE]
    index_source(version.wiki.product, "shop", tree, "b" * 40)
    states = [s for s in claim_states(version) if s.file.endswith("/service.py")]
    assert {(s.file, s.state) for s in states} == {(f"shop/{new}", "moved")}


def test_a_file_of_the_same_name_is_not_taken_for_another(version: Version) -> None:
    tree = {path: text for path, text in SHOP.items() if path != SERVICE}
    tree["shop/sales/service.py"] = "def other():\n    pass\n"
    index_source(version.wiki.product, "shop", tree, "b" * 40)
    stale = [s for s in claim_states(version) if s.file == f"shop/{SERVICE}"]
    assert {(s.state, s.reason) for s in stale} == {("stale", "deleted or renamed")}


TWINS = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    y = 2\n    return x\n"


@pytest.mark.parametrize(
    ("edit", "state"),
    [(("x = 1\n    return x", "x = 1"), "stale"), (("y = 2", "y = 3"), "fresh")],
    ids=["it went", "its twin changed"],
)
def test_a_short_excerpt_is_not_taken_for_its_twin(
    edit: tuple[str, str], state: str, version: Version
) -> None:
    claim = Claim.objects.filter(path=SERVICE).latest("pk")
    claim.excerpt, claim.start_line, claim.end_line = "    return x", 3, 3
    claim.context = NormalisedLines(TWINS).context(claim.excerpt, 3)
    claim.save()
    states = states_after(version, TWINS.replace(*edit))
    own = (claim.page.path, claim.ordinal)
    assert {s.state for s in states if (s.page, s.ordinal) == own} == {state}


def test_a_published_claim_keeps_the_lines_around_a_twin(version: Version) -> None:
    product = version.wiki.product
    text = SHOP[SERVICE] + SHOP[SERVICE].replace("def place", "def put")
    index_source(product, "shop", {**SHOP, SERVICE: text}, "b" * 40)
    generate(product)
    claims = Claim.objects.filter(path=SERVICE, page__version__number=2)
    assert {bool(claim.context) for claim in claims} == {True, False}


def test_claims_come_without_the_text_of_their_pages(
    version: Version, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2) as found:
        claims = list(Claim.objects.filter(page__version=version).with_page())
        assert claims[0].page.title
        assert claims[0].page.markdown  # asked for then, and of this page alone
    assert "markdown" not in found[0]["sql"]

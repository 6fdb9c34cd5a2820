"""Versions: compared, rolled back, held, pinned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.use_cases import wiki as use_case
from devrag.wiki.models import Version, Wiki
from devrag.wiki.publishing.difference import PageText, compare_pages
from devrag.wiki.publishing.history import (
    check_may_write,
    diff_versions,
    find_version,
    held_version,
    pin_version,
    version_before,
)
from tests.conftest import Stand
from tests.people import People, principal
from tests.standing import Standing
from tests.wiki.runs import generate, write_versions
from tests.wiki.shop import CHANGED, SHOP


@pytest.fixture(scope="module")
def standing_wiki(stand: Stand) -> Standing[None]:
    return stand(lambda _: write_versions(SHOP, CHANGED))


@pytest.fixture
def twice(written: Product) -> Product:
    """A wiki of two versions; they differ in one sentence."""
    return written


def current(product: Product) -> Version:
    wiki = Wiki.objects.get(product=product)
    assert wiki.current is not None
    return wiki.current


def roll_back(product: Product, number: int = 1) -> Version:
    return use_case.roll_back(principal=SYSTEM, product=product, number=number)


def test_two_versions_differ_by_the_sentence_that_changed(twice: Product) -> None:
    (found,) = diff_versions(find_version(twice, 1), find_version(twice, 2))
    assert (found.path, found.kind) == ("documentation.md", "changed")
    assert (found.lines_added, found.lines_removed) == (1, 1)
    assert "second order" in found.diff


def test_pages_that_came_and_went_are_told() -> None:
    before = {"a.md": PageText("A", "x\ny"), "b.md": PageText("B", "same")}
    after = {"b.md": PageText("B", "same"), "c.md": PageText("C", "z")}
    came, went = compare_pages(before, after)
    assert (came.path, came.kind, came.lines_added) == ("c.md", "added", 1)
    assert (went.path, went.kind, went.lines_removed) == ("a.md", "removed", 2)


def test_numbers_of_citations_are_no_difference() -> None:
    before = {"a.md": PageText("A", "It adds [1](cite:1).")}
    after = {"a.md": PageText("A", "It adds [4](cite:4).")}
    assert compare_pages(before, after) == []


def test_rolling_back_shows_the_older_version_and_loses_none(
    twice: Product, tmp_path: Path
) -> None:
    roll_back(twice)
    assert current(twice).number == 1
    assert Version.objects.count() == 2
    exported = (tmp_path / "home" / "wikis" / "shop" / "documentation.md").read_text()
    assert "first order" in exported


def test_after_a_rollback_numbers_go_on(twice: Product) -> None:
    roll_back(twice)
    assert generate(twice, isAsked=True)["version"] == 3
    assert current(twice).number == 3


@pytest.mark.slow
def test_a_run_that_nobody_asked_for_leaves_a_rolled_back_wiki(
    twice: Product, tmp_path: Path
) -> None:
    roll_back(twice)
    report = generate(twice, isForced=True)
    assert (report["version"], report["isCurrent"]) == (3, False)
    assert current(twice).number == 1
    exported = (tmp_path / "home" / "wikis" / "shop" / "documentation.md").read_text()
    assert "first order" in exported


@pytest.mark.slow
def test_rolling_forward_lets_the_wiki_follow_again(twice: Product) -> None:
    roll_back(twice)
    assert held_version(twice) == find_version(twice, 1)
    roll_back(twice, 2)
    assert held_version(twice) is None
    assert generate(twice)["isCurrent"]


def test_a_version_that_is_not_there_is_named_with_those_that_are(
    twice: Product,
) -> None:
    with pytest.raises(NotFound, match=r"no version 7\. Stored versions: 2, 1"):
        roll_back(twice, 7)


def test_the_version_before_is_the_next_older_one(twice: Product) -> None:
    first, second = find_version(twice, 1), find_version(twice, 2)
    assert (version_before(second), version_before(first)) == (first, None)


def test_a_pin_is_set_and_taken_away(twice: Product) -> None:
    given: Any = {"principal": SYSTEM, "product": twice, "number": 1}
    assert pin_version(**given).is_pinned
    assert not pin_version(**given, is_pinned=False).is_pinned


def test_only_who_maintains_a_product_may_change_its_wiki(people: People) -> None:
    check_may_write(principal(people.alice), people.teahouse)
    for other in (people.bob, people.charlie):
        with pytest.raises(PermissionDenied):
            check_may_write(principal(other), people.teahouse)

"""What an older parser made is made anew after an upgrade, beside the old."""

from __future__ import annotations

import pytest

from devrag.operations.outdated import index_outdated
from devrag.sources.models import GitRef
from tests.conftest import Repository, run_job
from tests.indexing.test_index import index, manifest

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_index_of_this_version_is_left_alone(shop: Repository) -> None:
    index(shop)
    assert index_outdated() == []


def test_an_older_index_is_made_anew(shop: Repository) -> None:
    index(shop)
    before = manifest()
    GitRef.objects.update(facts_version=0)
    (job,) = index_outdated()
    done = run_job(job)
    assert "skipped" not in done.report
    assert manifest() == before
    assert index_outdated() == []


def test_another_ref_that_is_up_to_date_does_not_hide_an_older_one(
    shop: Repository,
) -> None:
    index(shop)
    shop.git("branch", "wild")
    index(shop, ref="wild")
    GitRef.objects.filter(name="main").update(facts_version=0)
    assert len(index_outdated()) == 1

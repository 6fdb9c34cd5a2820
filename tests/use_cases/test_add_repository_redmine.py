"""A project of Redmine from its address to rows that search reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.connectors.types import Credentials
from devrag.sources.hosts import AddressRules
from devrag.sources.models import Document, RefFile, Skip, Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from tests.conftest import run_job
from tests.sources.redmine.redmine_server import KEY, Tracker, serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def tracker() -> Tracker:
    made = Tracker()
    made.issue("Card is charged twice", "Press *Pay* twice")
    made.issue("Salaries", is_private=True)
    made.page("Payment_flow", "h2. Retries\n\nThree.")
    made.clock += timedelta(minutes=1)
    return made


@pytest.fixture
def url(
    tracker: Tracker, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    settings.GIT_ALLOW_HTTP = True
    settings.GIT_CLONE_DIR = tmp_path / "repos"
    monkeypatch.setattr(
        "devrag.sources.services.AddressRules",
        lambda **rules: AddressRules(**rules, allow_loopback=True),
    )
    with serving(tracker) as address:
        yield address


def add(url: str, key: str = KEY, **options: Any) -> Job:
    return add_repository(
        principal=SYSTEM,
        location=url,
        product_name="web",
        source_type="redmine",
        credentials=Credentials("", key),
        is_wiki_wanted=False,
        **options,
    )


def paths() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_tickets_and_pages_are_indexed_with_what_is_known_of_them(url: str) -> None:
    job = run_job(add(f"{url}/issues?set_filter=1"))
    assert job.state == "completed", job.error
    source = Source.objects.get()
    assert (source.source_type, source.name) == ("redmine", "shop")
    assert source.location == url
    assert paths() == {"project.md", "issues/1.md", "wiki/Payment flow.md"}
    known = Document.objects.get(file__path="issues/1.md")
    assert (known.kind, known.status, known.is_closed) == ("ticket", "New", False)
    assert (known.place, known.labels) == (["Web shop"], ["Bug"])
    assert [skip.reason for skip in Skip.objects.all()] == ["private issue"]
    assert KEY not in str(source.metadata)


def test_a_later_run_changes_what_changed(tracker: Tracker, url: str) -> None:
    run_job(add(url))
    tracker.clock += timedelta(hours=1)
    source = Source.objects.get()
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert "unchanged" in job.report["skipped"]
    tracker.edit(1, is_private=True)
    tracker.issue("New")
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error
    assert paths() == {"project.md", "issues/3.md", "wiki/Payment flow.md"}


def test_nothing_is_registered_with_a_wrong_key_or_without_the_project(
    tracker: Tracker, url: str
) -> None:
    with pytest.raises(PermissionDenied, match="rejected the token"):
        add(url, key="wrong")
    tracker.key = "other"
    with pytest.raises(NotFound):
        add(url)
    with pytest.raises(InvalidInput, match="is not the URL of a Redmine project"):
        add(url.partition("/projects")[0])
    assert not Product.objects.exists()

"""Tickets of GitHub and GitLab from their addresses to rows that search reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from devrag.core.errors import InvalidInput, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.connectors.types import Credentials
from devrag.sources.hosts import AddressRules
from devrag.sources.models import Document, RefFile, Skip, Source
from devrag.sources.server_access import ServerAccess
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from devrag.use_cases.locations import understand_location
from tests.conftest import run_job
from tests.sources.github import github_server
from tests.sources.github.github_server import Hub
from tests.sources.gitlab import gitlab_server
from tests.sources.gitlab.gitlab_server import Lab

pytestmark = pytest.mark.django_db


@pytest.fixture
def loopback(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.GIT_ALLOW_HTTP = True
    settings.GIT_CLONE_DIR = tmp_path / "repos"
    monkeypatch.setattr(
        "devrag.sources.services.AddressRules",
        lambda **rules: AddressRules(**rules, allow_loopback=True),
    )


@pytest.fixture
def hub(loopback: None) -> Iterator[tuple[Hub, str]]:
    made = Hub()
    number = made.pull("Charge once", "Fixes the card that is charged twice")
    made.comment(number, "Works in the shop of Sendai")
    made.clock += timedelta(hours=1)
    with github_server.serving(made) as url:
        yield made, url


@pytest.fixture
def lab(loopback: None) -> Iterator[tuple[Lab, str]]:
    made = Lab()
    made.issue("Salaries", confidential=True)
    made.issue("Card is charged twice", labels=["bug"], state="closed")
    made.clock += timedelta(hours=1)
    with gitlab_server.serving(made) as url:
        yield made, url


def add(url: str, token: str, kind: str | None = None) -> Job:
    return add_repository(
        principal=SYSTEM,
        location=url,
        product_name="web",
        source_type=kind,
        credentials=Credentials("", token),
        is_wiki_wanted=False,
    )


def paths() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_tickets_of_github_are_indexed_and_followed(hub: tuple[Hub, str]) -> None:
    server, url = hub
    job = run_job(add(f"{url}/pull/1", github_server.TOKEN, "github"))
    assert job.state == "completed", job.error
    source = Source.objects.get()
    assert (source.source_type, source.name) == ("github", "shop-issues")
    assert source.location == url
    assert github_server.TOKEN not in str(source.metadata)
    assert paths() == {"pulls/1.md"}
    known = Document.objects.get()
    assert (known.kind, known.status, known.is_closed) == ("ticket", "open", False)
    assert (known.place, known.url) == (["acme/shop"], f"{url}/pull/1")
    server.clock += timedelta(hours=1)
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert "unchanged" in job.report["skipped"]
    server.issue("New")
    server.merge(1, "c" * 40)
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error
    assert len(paths()) == 2
    assert Document.objects.filter(status="merged", is_closed=True).count() == 1


def test_tickets_of_gitlab_are_known_by_their_address(lab: tuple[Lab, str]) -> None:
    _, url = lab
    job = run_job(add(f"{url}/-/issues/2", gitlab_server.TOKEN))
    assert job.state == "completed", job.error
    source = Source.objects.get()
    assert (source.source_type, source.name) == ("gitlab", "shop-issues")
    assert source.location == url
    assert paths() == {"issues/2.md"}
    known = Document.objects.get(file__path="issues/2.md")
    assert (known.status, known.is_closed, known.labels) == ("closed", True, ["bug"])
    assert [skip.reason for skip in Skip.objects.all()] == ["confidential issue"]


def test_nothing_is_registered_with_a_wrong_token(
    hub: tuple[Hub, str], lab: tuple[Lab, str]
) -> None:
    for (_, url), kind in ((hub, "github"), (lab, "gitlab")):
        with pytest.raises(PermissionDenied, match="rejected the token"):
            add(url, "wrong", kind)
        with pytest.raises(InvalidInput, match="is not the URL of a"):
            add(url.partition("/acme")[0], "wrong", kind)
    assert not Product.objects.exists()


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("https://github.com/acme/shop", ("git", "shop")),
        ("https://github.com/acme/shop.git", ("git", "shop")),
        ("https://github.com/acme/shop/issues/7", ("github", "shop-issues")),
        ("https://gitlab.com/acme/web/shop", ("git", "shop")),
        ("https://gitlab.com/acme/web/shop/-/issues", ("gitlab", "shop-issues")),
    ],
)
def test_tickets_are_told_from_the_repository(
    location: str, expected: tuple[str, str]
) -> None:
    found = understand_location(location, ServerAccess())
    assert (found.source_type, found.name) == expected

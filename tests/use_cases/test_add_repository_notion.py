"""Pages of Notion from their address to rows that search reads."""

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
from devrag.sources.api import access_to_add
from devrag.sources.connectors.types import Credentials
from devrag.sources.hosts import AddressRules
from devrag.sources.models import Document, RefFile, Skip, Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from devrag.use_cases.locations import understand_location
from tests.conftest import run_job
from tests.sources.notion.notion_server import TOKEN, Workspace, serving
from tests.sources.notion.records import block

pytestmark = pytest.mark.django_db


@pytest.fixture
def workspace() -> Workspace:
    made = Workspace()
    top = made.page("Shop")
    tasks = made.database("Tasks", top)
    status = {"type": "status", "status": {"name": "In progress"}}
    made.page("Refund", block("paragraph", "Pay back"), parent=tasks, Status=status)
    made.clock += timedelta(hours=1)
    return made


@pytest.fixture
def url(
    workspace: Workspace,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    settings.GIT_ALLOW_HTTP = True
    settings.GIT_CLONE_DIR = tmp_path / "repos"
    monkeypatch.setattr(
        "devrag.sources.services.AddressRules",
        lambda **rules: AddressRules(**rules, allow_loopback=True),
    )
    with serving(workspace) as base:
        page = next(iter(workspace.pages)).replace("-", "")
        workspace.add(
            next(iter(workspace.pages)), workspace.attach("limits.csv", b"a,b")
        )
        yield f"{base}/{page}"


def add(url: str, token: str = TOKEN) -> Job:
    base, _, page = url.rpartition("/")
    return add_repository(
        principal=SYSTEM,
        location=f"{base}/Web-shop-{page}?pvs=4",
        product_name="web",
        source_type="notion",
        credentials=Credentials("", token),
        is_wiki_wanted=False,
    )


def paths() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_pages_are_indexed_with_what_is_known_of_them_and_follow_changes(
    workspace: Workspace, url: str
) -> None:
    job = run_job(add(url))
    assert job.state == "completed", job.error
    source = Source.objects.get()
    assert (source.source_type, source.name) == ("notion", "Web-shop")
    assert source.location == url
    wanted = {"Shop.md", "Shop/limits.csv", "Shop/Tasks.md", "Shop/Tasks/Refund.md"}
    assert paths() == wanted
    known = Document.objects.get(file__path="Shop/Tasks/Refund.md")
    assert (known.kind, known.status) == ("page", "In progress")
    assert known.place == ["Example Inc.", "Shop", "Tasks"]
    assert not Skip.objects.exists()
    assert TOKEN not in str(source.metadata)
    workspace.clock += timedelta(hours=1)
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert "unchanged" in job.report["skipped"]
    workspace.page("Later", parent=next(iter(workspace.pages)))
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error
    assert paths() == wanted | {"Shop/Later.md"}


def test_nothing_is_registered_with_a_wrong_token_or_without_the_page(
    workspace: Workspace, url: str
) -> None:
    with pytest.raises(PermissionDenied, match="rejected the token"):
        add(url, token="wrong")
    with pytest.raises(
        InvalidInput, match="is not the URL of a Notion page or database"
    ):
        add("https://example.com/0123456789abcdef0123456789abcdef")
    workspace.pages.clear()
    with pytest.raises(NotFound, match="shared with the integration"):
        add(url)
    assert not Product.objects.exists()


def test_an_address_of_notion_is_told_by_its_host() -> None:
    access = access_to_add(SYSTEM, None, is_local_user=False)
    plain = "0123456789abcdef0123456789abcdef"
    place = understand_location(f"https://www.notion.so/acme/Hand-book-{plain}", access)
    assert (place.source_type, place.location, place.name) == (
        "notion",
        f"https://www.notion.so/{plain}",
        "Hand-book",
    )
    place = understand_location("https://www.notion.so", access)
    assert (place.location, place.name) == ("https://www.notion.so", "notion")

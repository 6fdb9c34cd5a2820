"""A space of Confluence from its address to rows that search reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from devrag.core.errors import InvalidInput, NotFound, PermissionDenied
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.api import (
    access_to_add,
    delete_page_mirror,
    orphan_page_mirrors,
    store_credentials,
)
from devrag.sources.connectors.types import Credentials
from devrag.sources.models import Document, RefFile, Skip, Source
from devrag.sources.services import update_source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.deletion.leftover_files import delete_orphan_mirrors
from devrag.use_cases.index import request_index
from devrag.use_cases.locations import understand_location
from tests.confluence_wiki import make_wiki, serve_wiki
from tests.conftest import run_job
from tests.parsing.office_files import word
from tests.sources.confluence.confluence_server import TOKEN, Wiki

pytestmark = pytest.mark.django_db


@pytest.fixture
def wiki() -> Wiki:
    return make_wiki()


@pytest.fixture
def url(wiki: Wiki, settings: Any, tmp_path: Path) -> Iterator[str]:
    with serve_wiki(wiki, settings, tmp_path) as address:
        yield address


def add(url: str, token: str = TOKEN) -> Job:
    return add_repository(
        principal=SYSTEM,
        location=f"{url}/overview?mode=global",
        product_name="shop",
        source_type="confluence",
        credentials=Credentials("", token),
        is_wiki_wanted=False,
    )


def paths() -> set[str]:
    return set(RefFile.objects.filter(until=None).values_list("file__path", flat=True))


def test_pages_are_indexed_with_what_is_known_of_them(url: str) -> None:
    job = run_job(add(url))
    assert job.state == "completed", job.error
    source = Source.objects.get()
    assert (source.source_type, source.name) == ("confluence", "ENG")
    assert source.location == url.replace("/spaces/", "/display/")
    assert paths() == {
        "ENG/Home.md",
        "ENG/Architecture.md",
        "ENG/Architecture/Payment flow.md",
    }
    known = Document.objects.get(file__path="ENG/Architecture/Payment flow.md")
    assert known.place == ["Engineering", "Architecture"]
    assert (known.kind, known.labels) == ("page", ["pay"])
    assert [skip.reason for skip in Skip.objects.all()] == ["restricted page"]
    assert TOKEN not in str(source.metadata)


def test_an_attached_office_file_is_found_by_its_heading(
    wiki: Wiki, url: str, follow: Callable[[], Any]
) -> None:
    def build(document: Any) -> None:
        document.add_heading("Refunds", 1)
        document.add_paragraph("Nobody is refunded twice. " * 20)
        document.add_heading("Deadlines", 1)
        document.add_paragraph("Refunds take a fortnight. " * 20)

    wiki.attach("1", "terms.docx", word(build), "application/octet-stream")
    job = run_job(add(url))
    assert job.state == "completed", job.error
    follow()
    query = SearchQuery(
        text="fortnight deadlines", principal=SYSTEM, mode="keyword", limit=1
    )
    (hit,) = search(query).hits
    assert hit.path == "ENG/Home/terms.docx"
    assert (hit.heading, hit.language) == ("Deadlines", "docx")


def test_an_attachment_is_known_with_where_it_is(
    wiki: Wiki, url: str, follow: Callable[[], Any]
) -> None:
    wiki.attach("1", "limits.csv", b"refund,fortnight", "text/csv")
    run_job(add(url))
    known = Document.objects.get(file__path="ENG/Home/limits.csv")
    assert (known.kind, known.place) == ("attachment", ["Engineering", "Home"])
    assert "/download/attachments/1/limits.csv" in known.url
    follow()
    query = SearchQuery(text="fortnight", principal=SYSTEM, mode="keyword", limit=1)
    (hit,) = search(query).hits
    assert hit.document is not None
    assert (hit.document.title, hit.document.url) == ("limits.csv", known.url)
    # Its file is parsed again from its text, which tells nothing of this.
    source = Source.objects.get()
    job = run_job(request_index(principal=SYSTEM, source=source, is_full=True))
    assert job.state == "completed", job.error
    known = Document.objects.get(file__path="ENG/Home/limits.csv")
    assert known.place == ["Engineering", "Home"]
    update_source(source=source, settings={"chunk_tokens": 300})
    assert run_job(request_index(principal=SYSTEM, source=source)).state == "completed"
    file = RefFile.objects.get(until=None, file__path="ENG/Home/limits.csv").file
    assert Document.objects.get(file=file).url == known.url


def test_an_attachment_that_fails_is_left_out_and_tried_again(
    wiki: Wiki, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = "devrag.sources.connectors.pages.client.ApiClient._pause"
    monkeypatch.setattr(pause, lambda *_: None)
    wiki.attach("1", "limits.csv", b"refund", "text/csv")
    wiki.faults = [lambda _, path: (500, {}, {}) if "limits" in path else None]
    job = run_job(add(url))
    assert job.state == "completed", job.error
    assert "not downloaded yet" in {skip.reason for skip in Skip.objects.all()}
    assert "ENG/Home/limits.csv" not in paths()
    wiki.faults = []
    source = Source.objects.get()
    run_job(request_index(principal=SYSTEM, source=source))
    assert "ENG/Home/limits.csv" in paths()
    assert [skip.reason for skip in Skip.objects.all()] == ["restricted page"]


def test_a_later_run_changes_what_changed(wiki: Wiki, url: str) -> None:
    run_job(add(url))
    wiki.clock += timedelta(hours=1)
    source = Source.objects.get()
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert "unchanged" in job.report["skipped"]
    page = next(i for i, e in wiki.content.items() if e["title"] == "Architecture")
    wiki.edit(page, title="Design")
    job = run_job(request_index(principal=SYSTEM, source=source))
    assert job.state == "completed", job.error
    assert paths() == {
        "ENG/Home.md",
        "ENG/Design.md",
        "ENG/Design/Payment flow.md",
    }


def test_what_was_read_goes_with_the_token_and_with_the_source(url: str) -> None:
    run_job(add(url))
    repos = settings.GIT_CLONE_DIR
    (mirror,) = (repos / "pages").glob("*.sqlite")
    assert orphan_page_mirrors(repos) == []
    assert delete_page_mirror(mirror) == 0
    source = Source.objects.get()
    store_credentials(source=source, changes={"token": "another"})
    assert orphan_page_mirrors(repos) == [mirror]
    store_credentials(source=source, changes={"token": TOKEN})
    Source.objects.all().delete()
    assert sum(delete_orphan_mirrors()) > 1_000
    assert not mirror.exists()


def test_no_mirror_goes_while_a_source_cannot_be_opened(url: str) -> None:
    run_job(add(url))
    Source.objects.update(credentials=b"of a key that is lost")
    assert orphan_page_mirrors(settings.GIT_CLONE_DIR) == []


def test_nothing_is_registered_with_a_wrong_token(url: str) -> None:
    with pytest.raises(PermissionDenied, match="rejected the token"):
        add(url, token="wrong")
    assert not Product.objects.exists()


def test_nothing_is_registered_without_the_space(wiki: Wiki, url: str) -> None:
    wiki.key = "OTHER"
    with pytest.raises(NotFound):
        add(url)
    assert not Product.objects.exists()


def test_a_space_of_cloud_is_told_by_its_host() -> None:
    access = access_to_add(SYSTEM, None, is_local_user=False)
    place = understand_location(
        "https://a.atlassian.net/wiki/spaces/ENG/pages/7", access
    )
    assert (place.source_type, place.location, place.name) == (
        "confluence",
        "https://a.atlassian.net/wiki/display/ENG",
        "ENG",
    )
    with pytest.raises(InvalidInput, match="does not name a Confluence space"):
        understand_location("https://a.atlassian.net/wiki/home", access)

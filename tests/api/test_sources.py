"""Sources over REST: reading, adding, schedules, hook secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.credentials import load_credentials, store_credentials
from devrag.sources.models import Source
from devrag.sources.schedule import note_failure
from tests.confluence_wiki import make_wiki, serve_wiki
from tests.conftest import Repository
from tests.people import People, bearer
from tests.sources.confluence.confluence_server import TOKEN

from .requests import post, problem

SOURCES = "/api/v1/sources"


def patch(
    client: Client, source: Source, headers: dict[str, str], **body: Any
) -> HttpResponse:
    return client.patch(
        f"{SOURCES}/{source.pk}", body, content_type="application/json", headers=headers
    )


# -- reading ----------------------------------------------------------------------


def test_a_source_has_these_keys(client: Client, indexed: People) -> None:
    headers = bearer("read", user=indexed.bob)
    data = client.get(f"{SOURCES}/{indexed.source.pk}", headers=headers).json()
    assert data.pop("indexedAt").endswith("Z")
    assert data == {
        "sourceID": indexed.source.pk,
        "sourceName": "teahouse-code",
        "sourceType": "git",
        "sourceURL": "https://git.example/teahouse.git",
        "productID": indexed.teahouse.pk,
        "productName": "teahouse",
        "ref": "main",
        "commitHash": "a" * 40,
        "fileCount": 0,
        "lineCount": 0,
        "chunkCount": 0,
        "vectorCount": 0,
        "missingVectorCount": 0,
        "indexEveryMinutes": None,
        "generateWiki": False,
        "nextIndexAt": None,
        "indexFailures": 0,
        "indexError": "",
        "hasCredentials": False,
        "members": None,
        "settings": dict.fromkeys(
            (
                *("defaultBranch", "include", "exclude", "excludeExts", "maxFileBytes"),
                *("chunkTokens", "chunkOverlapTokens", "chunkMaxChars"),
                *("readRestricted", "readComments", "readAttachments", "readNews"),
            )
        ),
    }


def test_a_source_shows_no_credentials(client: Client, people: People) -> None:
    store_credentials(source=people.source, changes={"token": "kept-word"})
    people.source.metadata = {"url": "https://user:hidden-word@git.example/t.git"}
    people.source.save()
    answer = client.get(SOURCES, headers=bearer("admin")).content.decode()
    assert "git.example/t.git" in answer
    assert "word" not in answer


@pytest.mark.parametrize(("name", "count"), [("bob", 1), ("charlie", 0)])
def test_only_visible_sources_are_listed(
    client: Client, people: People, name: str, count: int
) -> None:
    headers = bearer("read", user=getattr(people, name))
    assert len(client.get(SOURCES, headers=headers).json()) == count


def test_the_sources_of_a_product_are_listed(client: Client, people: People) -> None:
    headers = bearer("read", user=people.bob)
    path = f"/api/v1/products/{people.teahouse.pk}/sources"
    rows = client.get(path, headers=headers).json()
    assert [row["sourceName"] for row in rows] == ["teahouse-code"]


def test_a_product_is_found_by_its_id(client: Client, people: People) -> None:
    headers = bearer("read", user=people.bob)
    data = client.get(f"/api/v1/products/{people.teahouse.pk}", headers=headers).json()
    assert (data["productName"], data["sourceCount"]) == ("teahouse", 1)


@pytest.mark.parametrize("tail", ["", "/sources", "/wiki", "/wiki/files"])
def test_a_hidden_product_is_not_found(
    client: Client, people: People, tail: str
) -> None:
    headers = bearer("read", user=people.charlie)
    path = f"/api/v1/products/{people.teahouse.pk}{tail}"
    problem(client.get(path, headers=headers), 404)


def test_a_hidden_source_is_not_found(client: Client, people: People) -> None:
    headers = bearer("read", user=people.charlie)
    path = f"{SOURCES}/{people.source.pk}"
    problem(client.get(path, headers=headers), 404)


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 40])
def test_a_number_that_is_no_source_is_not_found(
    client: Client, people: People, number: str
) -> None:
    problem(client.get(f"{SOURCES}/{number}", headers=bearer("admin")), 404)


def test_more_sources_need_no_more_queries(
    client: Client,
    people: People,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(5):
        Source.objects.create(
            product=people.market, name=f"stall-{number}", source_type="git"
        )
    headers = bearer("read")
    with django_assert_max_num_queries(8):
        assert len(client.get(SOURCES, headers=headers).json()) == 5


# -- adding -----------------------------------------------------------------------


@pytest.fixture
def allowed(people: People, settings: Any, shop: Repository) -> Path:
    settings.SOURCE_ROOTS = [shop.path.parent]
    Product.objects.update(source_roots=[str(shop.path.parent)])
    return shop.path


def test_a_source_is_added_and_indexed(
    client: Client, people: People, allowed: Path
) -> None:
    body = {"sourceURL": str(allowed), "productName": "teahouse"}
    headers = bearer("index", user=people.alice)
    answer = post(client, SOURCES, headers, **body, sourceName="till")
    assert answer.status_code == 202
    assert answer["Location"] == f"/api/v1/jobs/{answer.json()['jobID']}"
    assert Source.objects.get(name="till").product == people.teahouse


def test_who_can_see_a_new_product_is_chosen(
    client: Client, people: People, allowed: Path
) -> None:
    body = {"sourceURL": str(allowed), "visibility": "members"}
    root = User.objects.create_superuser("root")
    headers = bearer("read", "index", "admin", user=root)
    assert post(client, SOURCES, headers, **body, productName="new").status_code == 202
    assert Product.objects.get(name="new").visibility == "members"
    refused = post(
        client,
        SOURCES,
        headers,
        **{**body, "visibility": "everyone"},
        productName="new",
    )
    assert refused.status_code == 400
    assert "has another visibility" in refused.json()["detail"]


def test_the_wiki_language_of_a_new_product_is_chosen(
    client: Client, people: People, allowed: Path
) -> None:
    body = {"sourceURL": str(allowed), "wikiLanguage": "ja"}
    root = User.objects.create_superuser("root")
    headers = bearer("read", "index", "admin", user=root)
    assert post(client, SOURCES, headers, **body, productName="new").status_code == 202
    assert Product.objects.get(name="new").wiki_settings == {"language": "ja"}
    refused = post(client, SOURCES, headers, **body, productName="teahouse")
    assert refused.status_code == 400
    assert "written in 'en'" in refused.json()["detail"]


@pytest.mark.parametrize(("name", "status"), [("bob", 403), ("charlie", 404)])
def test_only_maintainers_add_sources(
    client: Client, people: People, allowed: Path, name: str, status: int
) -> None:
    body = {"sourceURL": str(allowed), "productName": "teahouse"}
    headers = bearer("index", user=getattr(people, name))
    problem(post(client, SOURCES, headers, **body), status)
    assert Source.objects.count() == 1


def test_who_may_not_add_products_adds_none(
    client: Client, people: People, allowed: Path
) -> None:
    body = {"sourceURL": str(allowed), "productName": "new"}
    headers = bearer("index", user=people.alice)
    problem(post(client, SOURCES, headers, **body), 404)
    assert not Product.objects.filter(name="new").exists()


def test_a_path_outside_the_roots_is_refused(
    client: Client, people: People, shop: Repository
) -> None:
    body = {"sourceURL": str(shop.path), "productName": "teahouse"}
    headers = bearer("index", user=people.alice)
    problem(post(client, SOURCES, headers, **body), 403)


@pytest.mark.parametrize("url", ["", "a\0b", 3, None, "x" * 2001])
def test_a_wrong_address_is_named(client: Client, people: People, url: Any) -> None:
    headers = bearer("index", user=people.alice)
    said = problem(
        post(client, SOURCES, headers, sourceURL=url, productName="teahouse"), 422
    )
    assert said["detail"].startswith("sourceURL: ")


# -- schedules --------------------------------------------------------------------


def test_a_schedule_is_set_and_taken_away(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    data = patch(client, people.source, headers, indexEveryMinutes=30).json()
    assert data["indexEveryMinutes"] == 30
    assert data["nextIndexAt"] is not None
    data = patch(client, people.source, headers, indexEveryMinutes=None).json()
    assert (data["indexEveryMinutes"], data["nextIndexAt"]) == (None, None)


@pytest.mark.parametrize("every", [0, -5, 525_601, "soon", 1.5])
def test_an_impossible_interval_is_named(
    client: Client, people: People, every: Any
) -> None:
    headers = bearer("index", user=people.alice)
    said = problem(patch(client, people.source, headers, indexEveryMinutes=every), 422)
    assert said["detail"].startswith("indexEveryMinutes: ")


@pytest.mark.parametrize(
    "body", [{"metadata": {}}, {"settings": {"url": "x"}}, {"sourceName": ""}]
)
def test_nothing_else_is_changed(
    client: Client, people: People, body: dict[str, Any]
) -> None:
    headers = bearer("index", user=people.alice)
    problem(patch(client, people.source, headers, **body), 422)


def test_a_source_is_renamed_and_its_files_chosen(
    client: Client, people: People
) -> None:
    headers = bearer("index", user=people.alice)
    chosen = {"exclude": ["vendor/**"], "maxFileBytes": 9000}
    answer = patch(client, people.source, headers, sourceName="tea", settings=chosen)
    assert answer.status_code == 200
    assert answer.json()["sourceName"] == "tea"
    assert answer.json()["settings"]["exclude"] == ["vendor/**"]
    # What is left out stays; null takes away.
    answer = patch(client, people.source, headers, settings={"maxFileBytes": None})
    assert answer.json()["settings"]["exclude"] == ["vendor/**"]
    assert answer.json()["settings"]["maxFileBytes"] is None


def test_chunk_sizes_are_set_and_taken_away(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    sizes = {"chunkTokens": 400, "chunkOverlapTokens": 0, "chunkMaxChars": 2000}
    answer = patch(client, people.source, headers, settings=sizes)
    assert answer.json()["settings"].items() >= sizes.items()
    answer = patch(client, people.source, headers, settings={"chunkTokens": None})
    assert answer.json()["settings"]["chunkTokens"] is None


@pytest.mark.parametrize(
    ("sizes", "status"),
    [
        ({"chunkTokens": 49}, 422),
        ({"chunkMaxChars": 20_001}, 422),
        ({"chunkOverlapTokens": -1}, 422),
        ({"chunkOverlapTokens": 401}, 400),
        ({"chunkTokens": 100, "chunkOverlapTokens": 51}, 400),
    ],
)
def test_impossible_chunk_sizes_are_refused(
    client: Client, people: People, sizes: dict[str, int], status: int
) -> None:
    headers = bearer("index", user=people.alice)
    problem(patch(client, people.source, headers, settings=sizes), status)
    people.source.refresh_from_db()
    assert "chunk_tokens" not in people.source.metadata


def test_a_viewer_sets_no_schedule(client: Client, people: People) -> None:
    headers = bearer("index", user=people.bob)
    problem(patch(client, people.source, headers, indexEveryMinutes=30), 403)


def test_failures_in_a_row_are_told(client: Client, people: People) -> None:
    note_failure(source_id=people.source.pk, reason="The host is gone.")
    headers = bearer("read", user=people.bob)
    data = client.get(f"{SOURCES}/{people.source.pk}", headers=headers).json()
    assert (data["indexFailures"], data["indexError"]) == (1, "The host is gone.")


# -- hook secrets -----------------------------------------------------------------


def renew(client: Client, people: People) -> dict[str, Any]:
    headers = bearer("index", user=people.alice)
    answer = client.post(f"{SOURCES}/{people.source.pk}/hook", headers=headers)
    assert answer.status_code == 201
    data: dict[str, Any] = answer.json()
    return data


def test_a_hook_secret_is_shown_once(client: Client, people: People) -> None:
    data = renew(client, people)
    assert data["hookURLs"]["github"] == (
        f"http://localhost/api/v1/hooks/github/{people.source.pk}"
    )
    people.source.refresh_from_db()
    assert load_credentials(people.source) == {"hook_secret": data["secret"]}
    path = f"{SOURCES}/{people.source.pk}"
    answer = client.get(path, headers=bearer("admin")).content.decode()
    assert data["secret"] not in answer


def test_a_hook_secret_is_renewed_beside_other_credentials(
    client: Client, people: People
) -> None:
    store_credentials(source=people.source, changes={"token": "kept"})
    first, second = renew(client, people)["secret"], renew(client, people)["secret"]
    assert first != second
    people.source.refresh_from_db()
    stored = load_credentials(people.source)
    assert stored == {"token": "kept", "hook_secret": second}


def test_a_viewer_makes_no_hook_secret(client: Client, people: People) -> None:
    headers = bearer("index", user=people.bob)
    problem(client.post(f"{SOURCES}/{people.source.pk}/hook", headers=headers), 403)
    assert not Job.objects.exists()


# -- connections --------------------------------------------------------------------


@pytest.fixture
def wiki_url(settings: Any, tmp_path: Path) -> Iterator[str]:
    with serve_wiki(make_wiki(), settings, tmp_path) as address:
        yield address


def test_a_connection_is_tested_and_added(
    client: Client, people: People, wiki_url: str
) -> None:
    headers = bearer("read", "index", user=people.alice)
    body = {
        "sourceURL": wiki_url,
        "productName": "teahouse",
        "sourceType": "confluence",
        "token": TOKEN,
    }
    tested = post(client, f"{SOURCES}/test", headers, **body)
    assert tested.status_code == 200
    assert tested.json()["title"] == "Engineering"
    assert tested.json()["counts"][0] == {"name": "pages", "count": 4}
    assert not Job.objects.exists()
    added = post(client, SOURCES, headers, **body, settings={"readComments": True})
    assert added.status_code == 202
    source = Source.objects.get(name="ENG")
    assert load_credentials(source)["token"] == TOKEN
    assert source.metadata["read_comments"] is True
    again = post(client, f"{SOURCES}/{source.pk}/test", headers)
    assert again.json()["title"] == "Engineering"
    assert TOKEN not in again.content.decode()


def test_a_refused_token_is_not_repeated(
    client: Client, people: People, wiki_url: str
) -> None:
    headers = bearer("read", "index", user=people.alice)
    body = {"sourceURL": wiki_url, "productName": "teahouse", "token": ["x-secret-x"]}
    unread = post(client, f"{SOURCES}/test", headers, **body)
    assert "x-secret-x" not in unread.content.decode()
    body |= {"sourceType": "confluence", "token": "x-secret-x"}
    refused = post(client, f"{SOURCES}/test", headers, **body)
    assert "rejected the token" in refused.content.decode()
    assert "x-secret-x" not in refused.content.decode()


def test_a_token_is_replaced_if_the_source_accepts_it(
    client: Client, people: People, wiki_url: str
) -> None:
    headers = bearer("read", "index", user=people.alice)
    body = {"sourceURL": wiki_url, "productName": "teahouse"}
    post(client, SOURCES, headers, **body, sourceType="confluence", token=TOKEN)
    source = Source.objects.get(name="ENG")
    store_credentials(source=source, changes={"token": "old-token-1"})
    refused = patch(client, source, headers, token="x-secret-x", sourceName="NEW")
    assert "rejected the token" in refused.content.decode()
    source.refresh_from_db()
    assert (source.name, load_credentials(source)["token"]) == ("ENG", "old-token-1")
    changed = patch(client, source, headers, token=TOKEN)
    assert changed.json()["hasCredentials"] is True
    assert TOKEN not in changed.content.decode()
    source.refresh_from_db()
    assert load_credentials(source)["token"] == TOKEN
    assert patch(client, source, headers, token="").json()["hasCredentials"] is False

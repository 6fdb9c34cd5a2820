"""Alice maintains, Bob reads, Charlie must see nothing: the same at every door."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from devrag.core.errors import NotFound, PermissionDenied
from devrag.core.principal import ANONYMOUS, Principal
from devrag.jobs.models import Job
from devrag.jobs.selectors import get_visible_job, list_jobs
from devrag.products.models import Product
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.search.service import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Source
from devrag.use_cases.index import request_index
from devrag.use_cases.wiki import request_wiki
from tests.people import People, bearer, principal


@pytest.fixture
def job(people: People) -> Job:
    return Job.objects.create(
        kind="index", lane="index:1:", product=people.teahouse, source_name="x"
    )


@pytest.fixture(params=["charlie", "anonymous"])
def outsider(request: Any, people: People) -> Principal:
    """Those for whom the teahouse does not exist."""
    return ANONYMOUS if request.param == "anonymous" else principal(people.charlie)


def test_a_maintainer_may_change_the_product(people: People) -> None:
    found = get_maintained_product("teahouse", principal(people.alice))
    assert found == people.teahouse


def test_a_viewer_may_read_and_not_change(people: People) -> None:
    assert get_visible_product("teahouse", principal(people.bob)) == people.teahouse
    with pytest.raises(PermissionDenied, match="Ask a maintainer"):
        get_maintained_product("teahouse", principal(people.bob))


def test_a_maintainer_of_one_product_may_not_change_another(people: People) -> None:
    with pytest.raises(PermissionDenied):
        get_maintained_product("market", principal(people.alice))


def test_a_hidden_product_is_answered_like_an_unknown_one(
    people: People, outsider: Principal
) -> None:
    with pytest.raises(NotFound, match="There is no product 'teahouse'"):
        get_visible_product("teahouse", outsider)
    with pytest.raises(NotFound, match="There is no product 'teahouse'"):
        get_maintained_product("teahouse", outsider)


def test_a_hidden_product_is_in_no_list(people: People, outsider: Principal) -> None:
    assert people.teahouse not in Product.objects.visible_to(outsider)
    assert people.teahouse not in Product.objects.maintained_by(outsider)
    assert people.source not in Source.objects.visible_to(outsider)


def test_someone_with_two_reasons_to_see_a_product_sees_it_once(
    people: People,
) -> None:
    people.teahouse.visibility = "everyone"
    people.teahouse.save(update_fields=["visibility"])
    names = Product.objects.visible_to(principal(people.bob)).values_list("name")
    assert len(names) == len(set(names)) == 2


def test_jobs_of_a_hidden_product_do_not_exist(
    people: People, job: Job, outsider: Principal
) -> None:
    assert not list_jobs(outsider).exists()
    with pytest.raises(NotFound):
        get_visible_job(job.pk, outsider)


def test_a_viewer_sees_the_jobs(people: People, job: Job) -> None:
    assert get_visible_job(job.pk, principal(people.bob)) == job


@pytest.mark.parametrize(
    "scope", [{"product": "teahouse"}, {"source": "teahouse-code"}]
)
def test_a_search_in_a_hidden_scope_finds_no_such_thing(
    people: People, outsider: Principal, scope: dict[str, str]
) -> None:
    query = SearchQuery("tea", principal=outsider, mode="keyword", **scope)
    with pytest.raises(NotFound):
        search(query)


@pytest.mark.parametrize("name", ["bob", "charlie"])
def test_only_maintainers_start_work(people: People, name: str) -> None:
    caller = principal(getattr(people, name))
    with pytest.raises(PermissionDenied):
        request_index(principal=caller, source=people.source)
    with pytest.raises(PermissionDenied):
        request_wiki(principal=caller, product=people.teahouse)
    assert not Job.objects.exists()


def test_who_leaves_a_product_sees_it_no_more(people: People) -> None:
    people.bob.memberships.all().delete()
    with pytest.raises(NotFound):
        get_visible_product("teahouse", principal(people.bob))


@pytest.mark.slow
def test_a_hidden_product_is_not_in_the_interface(people: People, job: Job) -> None:
    client = Client(HTTP_HOST="localhost", headers=bearer("read", user=people.charlie))
    assert "teahouse" not in client.get("/api/v1/products").content.decode()
    assert client.get(f"/api/v1/jobs/{job.pk}").status_code == 404


@pytest.mark.parametrize("path", ["/", "/jobs/", "/search?q=teahouse"])
def test_a_hidden_product_is_on_no_page(people: People, job: Job, path: str) -> None:
    client = Client(HTTP_HOST="localhost")
    client.force_login(people.charlie)
    page = client.get(path).content.decode()
    assert "teahouse-code" not in page
    assert "/p/teahouse/" not in page


@pytest.mark.parametrize("user", ["alice", "bob", "charlie"])
def test_only_staff_enters_the_admin(people: People, user: str) -> None:
    client = Client(HTTP_HOST="localhost")
    client.force_login(getattr(people, user))
    assert client.get("/admin/").status_code == 302


def test_not_even_an_administrator_edits_an_address_in_the_browser(
    people: People, admin_user: Any
) -> None:
    # A path outside SOURCE_ROOTS is for the command line of the machine.
    client = Client(HTTP_HOST="localhost")
    client.force_login(admin_user)
    path = f"/admin/sources/source/{people.source.pk}/change/"
    client.post(
        path,
        {
            "product": people.teahouse.pk,
            "name": "teahouse-code",
            "source_type": "local",
            "metadata": '{"path": "/etc", "isLocalUser": true}',
        },
    )
    people.source.refresh_from_db()
    assert people.source.metadata == {"url": "https://git.example/teahouse.git"}
    given = {"product": people.teahouse.pk, "source_type": "local", "location": "/etc"}
    assert client.post("/admin/sources/source/add/", given).status_code == 200
    assert not Source.objects.filter(metadata__path="/etc").exists()

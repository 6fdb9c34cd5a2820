"""The page of a source."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from devrag.jobs.models import Job
from devrag.sources.models import Skip

from .conftest import COMMIT, Harbour

SOURCE = "/p/harbour/s/harbour-code/"


def test_a_source_says_what_it_holds_and_what_not(
    bob: Client, harbour: Harbour, make_job: Callable[..., Job]
) -> None:
    make_job(state="failed", error="The host is down.")
    for name, reason in (
        *(("a.png", "binary"), ("b.png", "binary")),
        *(("c.sql", "too large (9 MB > 2 MB)"), ("d.sql", "too large (3 MB > 2 MB)")),
    ):
        Skip.objects.create(ref=harbour.ref, path=name, reason=reason)
    page = bob.get(SOURCE).content.decode()
    assert "main, searched" in page
    assert page.count("<b>too large</b>") == 1
    assert "a.png" in page
    assert "The host is down." in page
    assert "Index now" not in page


def test_a_source_leads_into_its_folders(bob: Client, harbour: Harbour) -> None:
    for n in range(30):
        harbour.add_file(f"n{n:02}.txt", "x\n", "", "doc")
    page = bob.get(SOURCE).content.decode()
    assert page.index(">docs<") < page.index(">src<") < page.index(">n00.txt<")
    assert f'href="{SOURCE}-/current/docs"' in page
    assert page.count("<bdi>") == 20
    assert "13 more" in page
    assert f'href="{SOURCE}-/current/">All files' in page


def test_a_commit_leads_to_its_host_where_that_is_known(
    bob: Client, harbour: Harbour
) -> None:
    address = "https://github.com/tea/cups"
    assert "github" not in bob.get(SOURCE).content.decode()
    harbour.source.metadata = {"url": f"{address}.git"}
    harbour.source.save(update_fields=["metadata"])
    page = bob.get(SOURCE).content.decode()
    assert f'href="{address}/commit/{COMMIT}"' in page


def test_maintainers_index_from_it(alice: Client, bob: Client) -> None:
    assert "Index now" in alice.get(SOURCE).content.decode()
    response = alice.post(f"{SOURCE}index/")
    assert response["Location"] == f"/jobs/{Job.objects.get().pk}/"
    assert bob.post(f"{SOURCE}index/").status_code == 403


def test_others_do_not_see_that_it_exists(charlie: Client) -> None:
    assert charlie.get(SOURCE).status_code == 404
    assert charlie.post(f"{SOURCE}index/").status_code == 404

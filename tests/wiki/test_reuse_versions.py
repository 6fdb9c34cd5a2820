"""A run without news publishes no version, whoever asked for it."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from devrag.cli.sentences import wiki_sentence
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.sources.hook_secrets import renew_hook_secret
from devrag.sources.models import Source
from devrag.use_cases.schedule import run_schedules
from devrag.use_cases.wiki import roll_back
from devrag.wiki.models import Version
from devrag.wiki.publishing.versions import is_up_to_date
from tests.api.test_hooks import body_of, headers_of, send
from tests.conftest import run_job
from tests.people import bearer
from tests.tiers import mostly_slow
from tests.wiki.gitshop import GitShop
from tests.wiki.runs import generate
from tests.wiki.shop import GUIDE, SHOP

SAID = "Nothing changed since version 1; no new version."


def by_rest(client: Client, path: str, **body: Any) -> None:
    headers = bearer("index", "wiki")
    answer = client.post(path, body, content_type="application/json", headers=headers)
    assert answer.status_code == 202, answer.content


def by_index(client: Client) -> None:
    name = Source.objects.get().name
    path = "/api/v1/sources/index"
    by_rest(client, path, sourceName=name, generateWiki=True)


def by_wiki(client: Client) -> None:
    name = Source.objects.get().product.name
    by_rest(client, "/api/v1/products/wiki", productName=name)


def by_hook(client: Client) -> None:
    Source.objects.update(is_wiki_scheduled=True)
    source, body = Source.objects.get(), body_of()
    headers = headers_of(
        "github", body, renew_hook_secret(principal=SYSTEM, source=source)
    )
    answer = send(client, f"github/{source.pk}", body, headers)
    assert answer.status_code == 202, answer.content


def by_schedule(client: Client) -> None:
    source = Source.objects.get()
    source.index_every_minutes, source.is_wiki_scheduled = 10, True
    source.next_index_at = timezone.now() - timedelta(minutes=1)
    source.save()
    assert run_schedules() == 1


def by_button(client: Client) -> None:
    client.force_login(User.objects.create_superuser("admin"))
    answer = client.post(f"/p/{Source.objects.get().product.name}/wiki-regenerate/")
    assert answer.status_code == 303


WAYS = (by_index, by_wiki, by_hook, by_schedule, by_button)


def run_all() -> Job:
    """Run what was asked for and what follows from it; return the wiki's job."""
    while job := Job.objects.filter(
        state="pending", kind__in=["index", "wiki"]
    ).first():
        run_job(job)
    return Job.objects.filter(kind="wiki").latest("created_at")


@pytest.mark.parametrize(
    "ask",
    mostly_slow([by_index, by_wiki, by_hook, by_schedule, by_button]),
    ids=lambda f: f.__name__,
)
def test_no_version_without_news(
    git_shop: GitShop, client: Client, ask: Callable[[Client], None]
) -> None:
    pages = git_shop.first["pages"]
    first = Job.objects.filter(kind="wiki").latest("created_at")
    ask(client)
    job = run_all()
    assert (job.pk != first.pk, job.state, job.error) == (True, "completed", "")
    assert Version.objects.count() == 1
    assert list(job.events.values_list("message", flat=True)) == [SAID]
    report = job.report
    assert (report["version"], report["isNew"], report["isCurrent"]) == (1, False, True)
    assert (report["added"], report["rewritten"], report["removed"]) == ([], [], [])
    assert (len(report["reused"]), report["pages"]) == (pages, pages)
    assert wiki_sentence(report) == SAID


@pytest.mark.slow
def test_a_forced_run_publishes_a_version(git_shop: GitShop, client: Client) -> None:
    name = git_shop.product.name
    by_rest(client, "/api/v1/products/wiki", productName=name, isForced=True)
    assert run_all().report["isNew"] is True
    call_command(
        *("wiki", "generate", "--product", name, "--force", "--no-wait"),
        stdout=io.StringIO(),
    )
    assert run_all().report["version"] == Version.objects.count() == 3


def test_the_command_starts_no_run_without_news(git_shop: GitShop) -> None:
    out, jobs = io.StringIO(), Job.objects.count()
    call_command("wiki", "generate", "--product", git_shop.product.name, stdout=out)
    assert out.getvalue().startswith("Nothing changed since version 1")
    assert Job.objects.count() == jobs


@pytest.mark.slow
@pytest.mark.parametrize(
    "files", mostly_slow([{}, {GUIDE: SHOP[GUIDE] + "\nMore to read.\n"}])
)
def test_another_commit_is_news(
    git_shop: GitShop, files: dict[str, str | bytes | None]
) -> None:
    assert git_shop.write(files)["isNew"] is True
    assert Version.objects.count() == 2


@pytest.mark.slow
def test_settings_that_pages_show_are_news(git_shop: GitShop) -> None:
    product = git_shop.product
    product.title = "The book shop"
    product.save()
    assert not is_up_to_date(product)
    report = generate(product)
    assert (report["version"], report["isNew"]) == (2, True)
    assert is_up_to_date(product)


def test_settings_that_no_page_shows_are_none(git_shop: GitShop) -> None:
    product = git_shop.product
    product.wiki_settings = {"audience": "people who pack parcels"}  # no model, no use
    product.save()
    assert not is_up_to_date(product)
    assert generate(product)["isNew"] is False
    assert is_up_to_date(product)


def test_a_description_is_on_no_page_of_the_wiki(git_shop: GitShop) -> None:
    product = git_shop.product
    product.description = "Sells books."
    product.save()
    assert is_up_to_date(product)


@pytest.mark.slow
def test_a_language_more_is_a_wiki_more(git_shop: GitShop) -> None:
    product = git_shop.product
    product.wiki_settings = {"language": "en,ja"}
    product.save()
    assert generate(product)["isNew"] is False
    found = Version.objects.values_list("wiki__language", "number")
    assert sorted(found) == [("en", 1), ("ja", 1)]


@pytest.mark.slow
def test_runs_that_nobody_asked_for_repeat_no_version_of_a_rolled_back_wiki(
    git_shop: GitShop,
) -> None:
    git_shop.write({GUIDE: SHOP[GUIDE] + "\nMore to read.\n"})
    roll_back(principal=SYSTEM, product=git_shop.product, number=1)
    report = generate(git_shop.product)
    assert (report["version"], report["isNew"]) == (2, False)
    assert report["isCurrent"] is False
    git_shop.index({GUIDE: SHOP[GUIDE] + "\nLess to read.\n"}, is_wiki_wanted=False)
    for is_new in (True, False):
        report = generate(git_shop.product)
        assert (report["version"], report["isNew"]) == (3, is_new)
        assert report["isCurrent"] is False


@pytest.mark.slow
def test_a_rolled_back_wiki_that_is_asked_for_gets_a_version(git_shop: GitShop) -> None:
    git_shop.write({GUIDE: SHOP[GUIDE] + "\nMore to read.\n"})
    roll_back(principal=SYSTEM, product=git_shop.product, number=1)
    report = generate(git_shop.product, isAsked=True)
    assert (report["version"], report["isNew"], report["isCurrent"]) == (3, True, True)
    assert generate(git_shop.product, isAsked=True)["isNew"] is False

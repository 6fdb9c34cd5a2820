"""Private repositories: where a token is kept, what it opens, where it never shows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from devrag.core.errors import InvalidInput, SourceError
from devrag.core.principal import SYSTEM, Principal
from devrag.jobs.models import Job, JobState
from devrag.sources.connectors.types import Credentials
from devrag.sources.credentials import load_credentials, store_credentials
from devrag.sources.hosts import AddressRules
from devrag.sources.models import Source
from devrag.use_cases.add_repository import add_repository, move_source
from tests.conftest import Repository, run_job
from tests.sources.git_server import GitHost, serving

pytestmark = pytest.mark.django_db

TOKEN = "tok3n-very-secret"


@pytest.fixture
def host(
    shop: Repository, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[GitHost]:
    """A host that wants alice's token for team/sub/shop.git."""
    (tmp_path / "host/team/sub").mkdir(parents=True)
    shop.git("clone", "-q", "--bare", ".", "../host/team/sub/shop.git")
    settings.GIT_ALLOW_HTTP = True
    monkeypatch.setattr(
        "devrag.sources.services.AddressRules",
        lambda **rules: AddressRules(**rules, allow_loopback=True),
    )
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(tmp_path / "host", login=f"alice:{TOKEN}") as served:
        yield served


def add(location: str, **options: Any) -> Job:
    return add_repository(principal=SYSTEM, location=location, **options)


def url_of(host: GitHost, login: str = "") -> str:
    return host.url("team/sub/shop.git").replace("://", f"://{login}")


def everything_stored() -> str:
    """All rows of all tables, as a dump would show them."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows: list[Any] = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            rows += cursor.fetchall()
    return str(rows)


def test_a_login_in_a_pasted_url_becomes_the_source_s(host: GitHost) -> None:
    job = add(url_of(host, f"alice:{TOKEN}@"))
    source = Source.objects.get()
    assert source.location == url_of(host)
    assert load_credentials(source) == {"username": "alice", "token": TOKEN}
    assert url_of(host) in everything_stored()
    assert TOKEN not in everything_stored()
    done = run_job(job)
    assert done.state == JobState.COMPLETED
    assert done.report["added"] > 0
    assert TOKEN not in everything_stored()


def test_a_login_on_the_command_line_is_refused_with_the_way_out(
    host: GitHost,
) -> None:
    with pytest.raises(InvalidInput, match="--token-stdin") as caught:
        add(url_of(host, f"alice:{TOKEN}@"), is_local_user=True)
    assert TOKEN not in caught.value.message


def test_without_credentials_nothing_is_registered(host: GitHost) -> None:
    with pytest.raises(SourceError, match="requires credentials") as caught:
        add(url_of(host))
    assert caught.value.permanent
    assert not Source.objects.exists()


def test_wrong_credentials_are_not_kept(host: GitHost) -> None:
    with pytest.raises(SourceError, match="rejected the credentials") as caught:
        add(url_of(host), credentials=Credentials("alice", "wr0ng"))
    assert "wr0ng" not in caught.value.message
    assert not Source.objects.exists()


def test_a_known_source_is_added_again_with_what_it_has(host: GitHost) -> None:
    first = add(url_of(host, f"alice:{TOKEN}@"), product_name="shop")
    again = add(url_of(host), product_name="shop")
    assert first.source_name == again.source_name


def test_another_product_does_not_use_the_credentials_of_the_first(
    host: GitHost,
) -> None:
    run_job(add(url_of(host, f"alice:{TOKEN}@"), product_name="shop"))
    with pytest.raises(SourceError, match="requires credentials"):
        add(url_of(host), product_name="other", source_name="mine")


def test_a_token_that_was_changed_is_asked_for_until_it_is_given(
    host: GitHost,
) -> None:
    job = add(url_of(host, f"alice:{TOKEN}@"))
    source = Source.objects.get()
    host.login = "alice:new-token"
    failed = run_job(job)
    assert failed.state == JobState.FAILED
    assert "rejected the credentials" in failed.error
    assert TOKEN not in failed.error
    changes = {"username": "alice", "token": "new-token"}
    store_credentials(source=source, changes=changes)
    assert run_job(add(url_of(host))).state == JobState.COMPLETED


def test_credentials_do_not_follow_to_another_host(
    host: GitHost, principal: Principal
) -> None:
    add(url_of(host, f"alice:{TOKEN}@"))
    source = Source.objects.get()
    elsewhere = url_of(host).replace("127.0.0.1", "localhost")
    with pytest.raises(SourceError, match="requires credentials"):
        move_source(principal=principal, source=source, url=elsewhere)
    host.login = ""
    move_source(principal=principal, source=source, url=elsewhere)
    source.refresh_from_db()
    assert source.location == elsewhere
    assert load_credentials(source) == {}


def test_a_source_with_a_path_does_not_move(
    shop: Repository, principal: Principal
) -> None:
    add(str(shop.path), is_local_user=True)
    with pytest.raises(InvalidInput, match="cannot be changed"):
        move_source(principal=principal, source=Source.objects.get(), url="https://a/b")


def test_the_command_takes_the_token_from_stdin(
    host: GitHost, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    arguments = ("--username", "alice", "--token-stdin", "--name", "till")
    call_command("source", "add", url_of(host), *arguments)
    call_command("source", "show", "till")
    assert load_credentials(Source.objects.get())["token"] == TOKEN
    assert TOKEN not in capsys.readouterr().out

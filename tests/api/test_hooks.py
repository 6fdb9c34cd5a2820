"""Push hooks as the three hosts send them, and everything that must not pass."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from devrag.core.principal import SYSTEM
from devrag.jobs import engine
from devrag.jobs.models import Job, JobState
from devrag.sources.hook_secrets import renew_hook_secret
from devrag.sources.models import GitRef, HookDelivery, Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.deletion.unused_rows import KEPT_DELIVERIES, old_deliveries
from devrag.use_cases.index import request_index
from tests.conftest import Repository, run_job
from tests.people import People

from .requests import problem

ZEROS, COMMIT = "0" * 40, "bffeb74224043ba2feb48d137756c8a9331c449a"
KINDS = ["github", "gitlab", "gitea"]


def body_of(ref: str = "refs/heads/main", after: str = COMMIT, **more: Any) -> bytes:
    """A push as all three tell it, with some of what is not read."""
    fields = {
        "ref": ref,
        "before": "28e1879d029cb852e4844d9c718537df08844e03",
        "after": after,
        "commits": [{"id": after, "message": "茶", "added": ["brew.py"]}],
        "repository": {"full_name": "tea/house", "default_branch": "main"},
        **more,
    }
    return json.dumps(fields).encode()


def headers_of(kind: str, body: bytes, secret: str, event: str = "") -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    if kind == "gitlab":
        return {"X-Gitlab-Event": event or "Push Hook", "X-Gitlab-Token": secret}
    if kind == "gitea":
        return {"X-Gitea-Event": event or "push", "X-Gitea-Signature": digest}
    return {
        "X-GitHub-Event": event or "push",
        "X-GitHub-Delivery": "f6266f16-1bf3-46a5-9ea4-602e06ead473",
        "X-Hub-Signature-256": f"sha256={digest}",
    }


def send(client: Client, path: str, body: bytes, headers: Any) -> HttpResponse:
    return client.post(
        f"/api/v1/hooks/{path}", body, content_type="application/json", headers=headers
    )


@pytest.fixture
def secret(indexed: People) -> str:
    return renew_hook_secret(principal=SYSTEM, source=indexed.source)


class Knock:
    """Sends signed requests to the hook of the teahouse's source."""

    def __init__(self, client: Client, source: Source, secret: str) -> None:
        self.client, self.source, self.secret = client, source, secret

    def __call__(
        self,
        body: bytes | None = None,
        *,
        kind: str = "github",
        event: str = "",
        tail: str = "",
    ) -> HttpResponse:
        sent = body_of() if body is None else body
        headers = headers_of(kind, sent, self.secret, event)
        return send(self.client, f"{kind}/{self.source.pk}{tail}", sent, headers)


@pytest.fixture
def knock(client: Client, indexed: People, secret: str) -> Knock:
    return Knock(client, indexed.source, secret)


# -- what is followed ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_push_is_indexed(knock: Knock, kind: str) -> None:
    answer = knock(kind=kind)
    job = Job.objects.get()
    assert answer.status_code == 202
    assert answer.json() == {"jobID": str(job.pk), "status": "pending"}
    assert answer["Location"] == f"/api/v1/jobs/{job.pk}"
    assert (job.source_name, job.requested_by) == ("teahouse-code", f"{kind} push")
    assert (job.params["ref"], job.params["generateWiki"]) == ("main", False)


def test_the_head_is_indexed_not_the_commit_of_the_push(knock: Knock) -> None:
    knock()
    assert Job.objects.get().params["commit"] is None


def test_the_address_may_name_the_source(
    client: Client, indexed: People, secret: str
) -> None:
    headers = headers_of("github", body_of(), secret)
    answer = send(client, "github/teahouse-code", body_of(), headers)
    assert answer.status_code == 202


def test_a_source_named_like_anothers_number_is_told_apart(
    client: Client, indexed: People, secret: str
) -> None:
    other = Source.objects.create(
        product=indexed.market, name=str(indexed.source.pk), source_type="git"
    )
    theirs = renew_hook_secret(principal=SYSTEM, source=other)
    for key, name in ((secret, "teahouse-code"), (theirs, other.name)):
        headers = headers_of("github", body_of(), key)
        send(client, f"github/{indexed.source.pk}", body_of(), headers)
        assert Job.objects.latest("created_at").source_name == name


def test_the_wiki_follows_when_the_source_says_so(knock: Knock) -> None:
    Source.objects.update(is_wiki_scheduled=True)
    knock.source.refresh_from_db()
    knock()
    assert Job.objects.get().params["generateWiki"] is True


def test_nothing_unsigned_starts_a_wiki(knock: Knock) -> None:
    knock(tail="?generateWiki=true")
    assert Job.objects.get().params["generateWiki"] is False


def test_a_tag_that_is_indexed_is_followed(knock: Knock) -> None:
    GitRef.objects.create(source=knock.source, name="latest", kind="tag")
    body = body_of("refs/tags/latest")
    assert knock(body, kind="gitlab", event="Tag Push Hook").status_code == 202


def test_the_first_push_indexes_what_the_host_calls_default(knock: Knock) -> None:
    knock.source.refs.all().delete()
    assert knock(body_of("refs/heads/side")).json()["status"] == "ignored"
    assert knock().status_code == 202
    assert Job.objects.get().params["ref"] is None


def test_a_default_branch_of_ones_own_comes_before_the_hosts(knock: Knock) -> None:
    knock.source.refs.all().delete()
    knock.source.metadata |= {"default_branch": "develop"}
    knock.source.save()
    assert knock().json()["status"] == "ignored"
    assert knock(body_of("refs/heads/develop")).status_code == 202


def test_a_burst_leaves_one_run_and_one_waiting(knock: Knock) -> None:
    knock()
    engine.start_job(Job.objects.get().pk)
    for n in range(50):
        assert knock(body_of(after=f"{n + 1:040x}")).status_code == 202
    states = Job.objects.values_list("state", flat=True)
    open_states = [state for state in states if state in ("pending", "running")]
    assert sorted(open_states) == ["pending", "running"]
    assert list(states).count(JobState.SKIPPED) == 49


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_same_push_again_changes_nothing(client: Client, shop: Repository) -> None:
    run_job(
        add_repository(principal=SYSTEM, location=str(shop.path), is_local_user=True)
    )
    source = Source.objects.get(name="shop")
    key = renew_hook_secret(principal=SYSTEM, source=source)
    body = body_of(after=shop.commit({"gift.py": "GIFT = 1\n"}))
    reports = []
    # With another time of the push, as hosts send it again.
    for sent in (body, body.replace(b"{", b'{"pushed_at": 1, ', 1)):
        answer = send(client, "gitea/shop", sent, headers_of("gitea", sent, key))
        reports.append(run_job(Job.objects.get(pk=answer.json()["jobID"])).report)
    assert (reports[0]["added"], reports[1]["added"]) == (1, 0)
    assert "unchanged since" in reports[1]["skipped"]
    assert source.snapshots.count() == 2


# -- what is ignored, with its reason -------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "event", "body", "reason"),
    [
        ("github", "ping", b'{"zen": "x"}', "'ping'"),
        ("github", "pull_request", b"{}", "'pull_request'"),
        ("github", "delete", b"{}", "'delete'"),
        ("gitlab", "Pipeline Hook", b"{}", "'Pipeline Hook'"),
        ("gitea", "create", b"{}", "'create'"),
        ("github", "push", body_of(after=ZEROS, deleted=True), "was deleted"),
        ("gitlab", "Push Hook", body_of(after=ZEROS, checkout_sha=None), "was deleted"),
        ("github", "push", body_of("refs/heads/side"), "has not been indexed"),
        ("gitea", "push", body_of("refs/tags/main"), "has not been indexed"),
        ("github", "push", body_of("refs/notes/x"), "not a branch or tag"),
    ],
)
def test_what_matters_to_nobody_is_ignored(
    knock: Knock, kind: str, event: str, body: bytes, reason: str
) -> None:
    answer = knock(body, kind=kind, event=event)
    assert answer.status_code == 200
    assert answer.json()["status"] == "ignored"
    assert reason in answer.json()["reason"]
    assert not Job.objects.exists()


# -- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}])
def test_an_unsigned_request_is_refused(
    client: Client, indexed: People, secret: str, kind: str, headers: dict[str, str]
) -> None:
    answer = send(client, f"{kind}/{indexed.source.pk}", body_of(), headers)
    assert problem(answer, 401)["code"] == "unauthenticated"


@pytest.mark.parametrize("kind", KINDS)
def test_refusals_do_not_tell_what_exists(
    client: Client, indexed: People, secret: str, kind: str, settings: Any
) -> None:
    Source.objects.create(product=indexed.market, name="bare", source_type="git")
    headers = headers_of(kind, body_of(), "wrong")
    sent = [
        send(client, f"{kind}/{name}", body_of(), headers)
        for name in ("teahouse-code", "bare", "nobody", "0", "9" * 30)
    ]
    settings.CREDENTIALS_KEYS = ["another key, so that no secret can be read"]
    sent.append(send(client, f"{kind}/teahouse-code", body_of(), headers))
    assert {answer.status_code for answer in sent} == {401}
    assert len({answer.content for answer in sent}) == 1
    assert not Job.objects.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_without_a_secret_has_no_hook(
    client: Client, indexed: People, kind: str
) -> None:
    headers = headers_of(kind, body_of(), "")
    problem(send(client, f"{kind}/teahouse-code", body_of(), headers), 401)


def test_a_secret_of_before_is_refused(knock: Knock) -> None:
    renew_hook_secret(principal=SYSTEM, source=knock.source)
    problem(knock(), 401)


def test_a_secret_is_good_for_its_own_source_only(
    client: Client, indexed: People, secret: str
) -> None:
    other = Source.objects.create(
        product=indexed.teahouse, name="other", source_type="git"
    )
    renew_hook_secret(principal=SYSTEM, source=other)
    headers = headers_of("github", body_of(), secret)
    problem(send(client, "github/other", body_of(), headers), 401)


def test_a_changed_body_is_refused(knock: Knock) -> None:
    headers = headers_of("github", body_of(), knock.secret)
    path = f"github/{knock.source.pk}"
    problem(send(knock.client, path, body_of("refs/heads/x"), headers), 401)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff", b"payload=%7B%7D"]
)
def test_a_signed_body_that_is_no_push_is_400(knock: Knock, body: bytes) -> None:
    assert problem(knock(body), 400)["code"] == "invalid_input"


@pytest.mark.parametrize("ref", ["refs/heads/-x", "refs/heads/a\0b", "refs/heads/a..b"])
def test_a_ref_that_git_would_refuse_is_400(knock: Knock, ref: str) -> None:
    problem(knock(body_of(ref)), 400)


def test_a_huge_payload_is_413(knock: Knock) -> None:
    assert problem(knock(b" " * 5_000_001), 413)["code"] == "too_large"


def test_a_payload_larger_than_other_bodies_may_be_passes(knock: Knock) -> None:
    assert knock(body_of(padding="x" * 4_000_000)).status_code == 202


def test_another_kind_of_host_is_not_found(client: Client, indexed: People) -> None:
    said = problem(send(client, "svn/teahouse-code", body_of(), {}), 404)
    assert "github, gitlab, gitea" in said["detail"]


def test_a_hook_is_no_page(client: Client, indexed: People) -> None:
    problem(client.get("/api/v1/hooks/github/teahouse-code"), 405)


def test_the_secret_is_in_no_answer(knock: Knock) -> None:
    answers = [knock(), knock(b"{"), knock(event="ping")]
    assert not any(knock.secret in answer.content.decode() for answer in answers)


def test_a_session_changes_nothing(knock: Knock, indexed: People) -> None:
    # Neither CSRF nor the rights of who happens to be signed in.
    strict = Client(HTTP_HOST="localhost", enforce_csrf_checks=True)
    strict.force_login(indexed.charlie)
    knock.client = strict
    assert knock().status_code == 202


def test_requests_of_others_wait_for_no_push(knock: Knock) -> None:
    # Other refs have lanes of their own.
    request_index(principal=SYSTEM, source=knock.source, ref="side")
    knock()
    assert Job.objects.filter(state=JobState.PENDING).count() == 2


# -- what is replayed -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_delivery_is_followed_once(knock: Knock, kind: str) -> None:
    assert knock(kind=kind).status_code == 202
    for number in range(3):
        # Ids in headers are not signed, so another one makes no other delivery.
        headers = {
            **headers_of(kind, body_of(), knock.secret),
            "X-GitHub-Delivery": str(number),
            "X-Gitea-Delivery": str(number),
        }
        answer = send(knock.client, f"{kind}/{knock.source.pk}", body_of(), headers)
        assert answer.status_code == 200
        assert "already been received" in answer.json()["reason"]
    assert Job.objects.count() == 1


def test_a_delivery_of_gitlab_is_followed_once(knock: Knock) -> None:
    sent = []
    for number in (1, 1, 2):
        headers = {
            **headers_of("gitlab", body_of(), knock.secret),
            "X-Gitlab-Event-UUID": str(number),
        }
        path = f"gitlab/{knock.source.pk}"
        sent.append(send(knock.client, path, body_of(), headers).status_code)
    assert sent == [202, 200, 202]


def test_a_delivery_to_one_source_is_none_to_another(
    client: Client, indexed: People, secret: str
) -> None:
    other = Source.objects.create(
        product=indexed.teahouse, name="other", source_type="git"
    )
    keys = {
        "teahouse-code": secret,
        "other": renew_hook_secret(principal=SYSTEM, source=other),
    }
    sent = [
        send(client, f"github/{name}", body_of(), headers_of("github", body_of(), key))
        for name, key in keys.items()
    ]
    assert [answer.status_code for answer in sent] == [202, 202]


def test_what_was_not_followed_may_come_again(knock: Knock) -> None:
    side = body_of("refs/heads/side")
    assert "has not been indexed" in knock(side).json()["reason"]
    GitRef.objects.create(source=knock.source, name="side", kind="branch")
    assert knock(side).status_code == 202


def test_deliveries_are_forgotten_after_a_while(knock: Knock) -> None:
    knock()
    assert not old_deliveries().exists()
    HookDelivery.objects.update(received_at=timezone.now() - KEPT_DELIVERIES * 1.01)
    assert old_deliveries().count() == 1

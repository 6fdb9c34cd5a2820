"""Jobs listed, read, cancelled and retried; a person's own tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from devrag.access.models import ApiToken
from devrag.access.services import create_token
from devrag.jobs.events import add_event
from devrag.jobs.models import Job, JobState
from tests.people import People, bearer

from .requests import post, problem

JOBS, TOKENS = "/api/v1/jobs", "/api/v1/tokens"


@pytest.fixture
def job(people: People) -> Job:
    return Job.objects.create(kind="index", lane="index:1:", product=people.teahouse)


def test_jobs_are_listed_by_what_they_are(
    client: Client, people: People, job: Job
) -> None:
    wiki = Job.objects.create(kind="wiki", lane="wiki:1", product=people.teahouse)
    headers = bearer("read", user=people.bob)
    rows = client.get(JOBS, headers=headers).json()
    assert [row["jobID"] for row in rows] == [str(wiki.pk), str(job.pk)]
    for query in ({"jobType": "wiki"}, {"jobType": "wiki", "status": "pending"}):
        (row,) = client.get(JOBS, query, headers=headers).json()
        assert row["jobID"] == str(wiki.pk)
    assert client.get(JOBS, {"status": "failed"}, headers=headers).json() == []
    problem(client.get(JOBS, {"status": "lost"}, headers=headers), 422)
    others = bearer("read", user=people.charlie)
    assert client.get(JOBS, headers=others).json() == []


def test_a_log_is_read_line_by_line(client: Client, people: People, job: Job) -> None:
    for number in range(3):
        add_event(job, f"line {number}", level="warning")
    headers = bearer("read", user=people.bob)
    first = client.get(f"{JOBS}/{job.pk}/log?limit=2", headers=headers)
    assert [each["message"] for each in first.json()] == ["line 0", "line 1"]
    rest = client.get(first["Link"][1:].partition(">")[0], headers=headers)
    assert [each["message"] for each in rest.json()] == ["line 2"]


def test_a_job_is_cancelled_and_asked_for_again(
    client: Client, people: People, job: Job
) -> None:
    headers = bearer("index", user=people.alice)
    path = f"{JOBS}/{job.pk}"
    cancelled = client.post(f"{path}/cancel", headers=headers)
    assert cancelled.json()["status"] == "cancelled"
    assert problem(client.post(f"{path}/cancel", headers=headers), 409)
    again = client.post(f"{path}/retry", headers=headers)
    assert again.status_code == 202
    assert again["Location"] == f"{JOBS}/{again.json()['jobID']}"
    assert Job.objects.filter(state=JobState.PENDING).count() == 1


def test_who_may_not_change_a_job(client: Client, people: People, job: Job) -> None:
    path = f"{JOBS}/{job.pk}/cancel"
    watching = bearer("index", user=people.bob)
    said = problem(client.post(path, headers=watching), 403)
    assert "can view this job" in said["detail"]
    reading = bearer("wiki", user=people.alice)
    said = problem(client.post(path, headers=reading), 403)
    assert "scope 'index'" in said["detail"]
    assert 'scope="index"' in client.post(path, headers=reading)["WWW-Authenticate"]
    strange = bearer("index", user=people.charlie)
    problem(client.post(path, headers=strange), 404)
    job.refresh_from_db()
    assert job.state == JobState.PENDING


# -- tokens ------------------------------------------------------------------------


def test_a_token_makes_another_that_ends_itself(client: Client, people: People) -> None:
    headers = bearer("admin", user=User.objects.create_superuser("root"))
    made = post(client, TOKENS, headers, name="ci", scopes=["index"], days=3)
    assert made.status_code == 201
    assert made["Cache-Control"] == "no-store"
    new = {"Authorization": f"Bearer {made.json()['token']}"}
    rows = client.get(TOKENS, headers=new).json()
    assert [(row["name"], row["isThis"]) for row in rows] == [("ci", True)]
    assert made.json()["token"] not in str(rows)
    assert rows[0]["prefix"] == made.json()["token"][:13]
    assert client.delete(made["Location"], headers=new).json()["state"] == "revoked"
    problem(client.get(TOKENS, headers=new), 401)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"scopes": ["read"], "productNames": ["nowhere"]}, 404),
        ({"scopes": []}, 422),
        ({"scopes": ["root"]}, 422),
        ({"scopes": ["read"], "days": 0}, 422),
    ],
)
def test_a_token_that_cannot_be_is_not_made(
    client: Client, people: People, asked: dict[str, Any], status: int
) -> None:
    headers = bearer("admin", user=User.objects.create_superuser("root"))
    problem(post(client, TOKENS, headers, name="more", **asked), status)
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("scope", ["read", "index", "wiki"])
def test_a_leaked_token_makes_none_that_outlives_it(
    client: Client, people: People, scope: str
) -> None:
    leaked = bearer(scope, user=people.alice)
    answer = post(client, TOKENS, leaked, name="more", scopes=[scope])
    assert "lacks the scope 'admin'" in problem(answer, 403)["detail"]
    root = User.objects.create_superuser("root")
    limited = bearer("admin", user=root, products=(people.teahouse,))
    answer = post(client, TOKENS, limited, name="more", scopes=["read"])
    assert "is limited to products" in problem(answer, 403)["detail"]
    assert ApiToken.objects.count() == 2


def test_a_token_lives_no_longer_than_its_maker(client: Client, people: People) -> None:
    headers = bearer("admin", user=User.objects.create_superuser("root"))
    end = timezone.now() + timedelta(hours=1)
    ApiToken.objects.update(expires_at=end)
    post(client, TOKENS, headers, name="less", scopes=["read"], days=30)
    assert ApiToken.objects.get(name="less").expires_at == end


def test_tokens_of_others_do_not_exist(client: Client, people: People) -> None:
    bearer("read", user=people.alice)
    other = ApiToken.objects.get()
    headers = bearer("admin", user=people.bob)
    problem(client.delete(f"{TOKENS}/{other.pk}", headers=headers), 404)
    assert len(client.get(TOKENS, headers=headers).json()) == 1


@pytest.mark.parametrize("scope", ["read", "index", "wiki"])
def test_a_leaked_token_cannot_lock_its_owner_out(
    client: Client, people: People, scope: str
) -> None:
    bearer("read", user=people.alice)
    other = ApiToken.objects.get()
    leaked = bearer(scope, user=people.alice)
    (row,) = client.get(TOKENS, headers=leaked).json()
    assert row["isThis"]
    for number in (other.pk, 2**31):  # nor learn which there are
        answer = client.delete(f"{TOKENS}/{number}", headers=leaked)
        assert "lacks the scope 'admin'" in problem(answer, 403)["detail"]
        challenge = 'Bearer error="insufficient_scope", scope="admin"'
        assert answer["WWW-Authenticate"] == challenge
    other.refresh_from_db()
    assert not other.is_revoked


def test_a_token_limited_to_products_ends_no_other(
    client: Client, people: People
) -> None:
    bearer("read", user=people.alice)
    other = ApiToken.objects.get()
    limited = bearer("admin", user=people.alice, products=(people.teahouse,))
    assert len(client.get(TOKENS, headers=limited).json()) == 1
    said = problem(client.delete(f"{TOKENS}/{other.pk}", headers=limited), 403)
    assert "is limited to products" in said["detail"]
    other.refresh_from_db()
    assert not other.is_revoked


def test_an_administrators_token_ends_the_others(
    client: Client, people: People
) -> None:
    root = User.objects.create_superuser("root")
    lost = bearer("read", user=root)
    headers = bearer("admin", user=root)
    rows = client.get(TOKENS, headers=headers).json()
    assert [row["isThis"] for row in rows] == [True, False]
    path = f"{TOKENS}/{rows[1]['tokenID']}"
    assert client.delete(path, headers=headers).json()["state"] == "revoked"
    problem(client.get("/api/v1/products", headers=lost), 401)


def test_a_token_without_an_owner_has_no_others(client: Client, people: People) -> None:
    other, _ = create_token(name="other", scopes=["read"])
    headers = bearer("admin")
    (row,) = client.get(TOKENS, headers=headers).json()
    said = problem(client.delete(f"{TOKENS}/{other.pk}", headers=headers), 403)
    assert "has no owner" in said["detail"]
    ended = client.delete(f"{TOKENS}/{row['tokenID']}", headers=headers)
    assert ended.json()["state"] == "revoked"


def test_an_administrator_hands_on_admin(client: Client, people: People) -> None:
    root = User.objects.create_superuser("root")
    headers = bearer("admin", user=root)
    made = post(client, TOKENS, headers, name="all", scopes=["admin"])
    assert made.json()["scopes"] == ["admin"]

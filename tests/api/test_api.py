"""The REST interface: keys and codes."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from devrag.access.models import ApiToken
from devrag.jobs.models import Batch, Job, JobState
from tests.people import People, bearer

from .requests import post, problem

COMMIT = "0123456789abcdef0123456789ABCDEF01234567"
INDEX, WIKI = "/api/v1/sources/index", "/api/v1/products/wiki"


# -- products ---------------------------------------------------------------------


def test_only_visible_products_are_listed(client: Client, people: People) -> None:
    answer = client.get("/api/v1/products", headers=bearer("read", user=people.charlie))
    assert [row["productName"] for row in answer.json()] == ["market"]


def test_a_product_has_these_keys(client: Client, people: People) -> None:
    answer = client.get("/api/v1/products", headers=bearer("read", user=people.bob))
    assert answer.json()[1] == {
        "productID": people.teahouse.pk,
        "productName": "teahouse",
        "title": "",
        "description": "",
        "sourceCount": 1,
        "visibility": "members",
        "externalModelsAllowed": True,
        "wikiSettings": {},
        "sourceRoots": None,
        "sshKeyAllowed": None,
    }


# -- indexing ---------------------------------------------------------------------


def test_indexing_answers_at_once_with_a_job(client: Client, people: People) -> None:
    answer = post(
        client, INDEX, bearer("index", user=people.alice), sourceName="teahouse-code"
    )
    job = Job.objects.get()
    assert answer.status_code == 202
    assert answer.json() == {"jobID": str(job.pk), "status": "pending"}
    assert answer["Location"] == f"/api/v1/jobs/{job.pk}"


def test_what_ci_sends_reaches_the_job(client: Client, people: People) -> None:
    post(
        client,
        INDEX,
        bearer("index", user=people.alice),
        sourceName="teahouse-code",
        ref="main",
        commitHash=COMMIT,
        generateWiki=True,
        fullIndex=True,
    )
    assert Job.objects.get().params == {
        "sourceID": people.source.pk,
        "ref": "main",
        "commit": COMMIT.lower(),
        "generateWiki": True,
        "full": True,
        "isProductNew": False,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("commitHash", "main"),
        ("commitHash", COMMIT[:39]),
        ("commitHash", COMMIT + "0"),
        ("commitHash", COMMIT + "\n"),
        ("commitHash", 7),
        ("sourceName", ""),
        ("sourceName", None),
        ("sourceName", "x" * 201),
        ("sourceName", "\ud800"),
        ("sourceName", "a\0b"),
        ("generateWiki", "perhaps"),
        ("generate_wiki", True),
        ("generatewiki", True),
    ],
)
def test_a_wrong_field_is_named(
    client: Client, people: People, field: str, value: Any
) -> None:
    body = {"sourceName": "teahouse-code", field: value}
    answer = post(client, INDEX, bearer("index", user=people.alice), **body)
    said = problem(answer, 422)
    assert said["code"] == "invalid_request"
    assert said["detail"].startswith(f"{field}: ")
    assert not Job.objects.exists()


@pytest.mark.parametrize("ref", ["-x", "a..b", "a\0b", "refs/heads/"])
def test_a_wrong_ref_is_refused(client: Client, people: People, ref: str) -> None:
    headers = bearer("index", user=people.alice)
    answer = post(client, INDEX, headers, sourceName="teahouse-code", ref=ref)
    assert problem(answer, 400)["code"] == "invalid_input"


@pytest.mark.parametrize("body", ["", "{", "[]", '"x"', "null", "{}"])
def test_a_body_that_is_no_request_is_refused(
    client: Client, people: People, body: str
) -> None:
    answer = client.post(
        INDEX,
        body,
        content_type="application/json",
        headers=bearer("index", user=people.alice),
    )
    problem(answer, answer.status_code)
    assert answer.status_code in {400, 422}


def test_an_unknown_source_is_not_found(client: Client, people: People) -> None:
    headers = bearer("index", user=people.alice)
    said = problem(post(client, INDEX, headers, sourceName="cellar"), 404)
    assert said["detail"] == "There is no source 'cellar'."


def test_a_hidden_source_is_answered_like_an_unknown_one(
    client: Client, people: People
) -> None:
    headers = bearer("index", user=people.charlie)
    said = problem(post(client, INDEX, headers, sourceName="teahouse-code"), 404)
    assert said["detail"] == "There is no source 'teahouse-code'."


def test_a_viewer_may_not_index(client: Client, people: People) -> None:
    headers = bearer("index", user=people.bob)
    problem(post(client, INDEX, headers, sourceName="teahouse-code"), 403)


# -- wiki -------------------------------------------------------------------------


def test_a_wiki_is_asked_for_by_its_products_name(
    client: Client, indexed: People
) -> None:
    headers = bearer("wiki", user=indexed.alice)
    answer = post(client, WIKI, headers, productName="teahouse")
    assert answer.status_code == 202
    assert answer["Location"] == f"/api/v1/jobs/{answer.json()['jobID']}"


def test_a_wiki_of_nothing_is_a_conflict(client: Client, people: People) -> None:
    headers = bearer("wiki", user=people.alice)
    said = problem(post(client, WIKI, headers, productName="teahouse"), 409)
    assert said["code"] == "conflict"


def test_a_wiki_of_a_hidden_product_is_not_found(
    client: Client, indexed: People
) -> None:
    headers = bearer("wiki", user=indexed.charlie)
    problem(post(client, WIKI, headers, productName="teahouse"), 404)


@pytest.mark.parametrize("name", ["", "a\0b", None, 3])
def test_a_wrong_product_name_is_named(
    client: Client, people: People, name: Any
) -> None:
    headers = bearer("wiki", user=people.alice)
    said = problem(post(client, WIKI, headers, productName=name), 422)
    assert said["detail"].startswith("productName: ")


# -- jobs -------------------------------------------------------------------------


@pytest.fixture
def job(people: People) -> Job:
    return Job.objects.create(
        kind="index",
        lane="index:1:",
        product=people.teahouse,
        source_name="teahouse-code",
        state=JobState.FAILED,
        started_at=timezone.now(),
        finished_at=timezone.now(),
        error="No such branch.",
    )


def test_a_job_has_these_keys(client: Client, people: People, job: Job) -> None:
    headers = bearer("read", user=people.bob)
    data = client.get(f"/api/v1/jobs/{job.pk}", headers=headers).json()
    assert set(data) == {
        "jobID",
        "jobType",
        "status",
        "productName",
        "sourceName",
        "createdAt",
        "startedAt",
        "finishedAt",
        "error",
        "report",
        "supersededBy",
        "percent",
        "phases",
        "waiting",
        "secondsLeft",
    }
    assert data["jobID"] == str(job.pk)
    assert (data["jobType"], data["status"]) == ("index", "failed")
    assert data["error"] == "No such branch."


def test_a_job_tells_its_phases(client: Client, people: People, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, phase=1)
    Batch.objects.create(
        job=job,
        phase=1,
        queue="parse",
        ordinal=0,
        units=40,
        done_units=10,
        state="running",
        note="src/tea.py",
        rate=15.0,
    )
    headers = bearer("read", user=people.bob)
    data = client.get(f"/api/v1/jobs/{job.pk}", headers=headers).json()
    assert [phase["status"] for phase in data["phases"]][:3] == [
        "done",
        "running",
        "waiting",
    ]
    parse = data["phases"][1]
    assert (parse["done"], parse["total"], parse["unit"]) == (10, 40, "files")
    assert (parse["rate"], parse["secondsLeft"]) == (15.0, 2.0)
    assert parse["current"] == "src/tea.py"
    assert data["waiting"] is None


def test_a_waiting_job_tells_its_place(
    client: Client, people: People, job: Job
) -> None:
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    waiting = Job.objects.create(
        kind="index", lane=job.lane, product=people.teahouse, state=JobState.PENDING
    )
    headers = bearer("read", user=people.bob)
    data = client.get(f"/api/v1/jobs/{waiting.pk}", headers=headers).json()
    assert data["waiting"] == {"jobsAhead": 1, "behindJobID": str(job.pk)}


def test_a_job_of_a_hidden_product_is_not_found(
    client: Client, people: People, job: Job
) -> None:
    headers = bearer("read", user=people.charlie)
    problem(client.get(f"/api/v1/jobs/{job.pk}", headers=headers), 404)


def test_an_unknown_job_is_not_found(client: Client, people: People) -> None:
    answer = client.get(f"/api/v1/jobs/{uuid.uuid4()}", headers=bearer("admin"))
    problem(answer, 404)


def test_a_job_id_that_is_none_is_named(client: Client, people: People) -> None:
    answer = client.get("/api/v1/jobs/7", headers=bearer("read"))
    assert problem(answer, 422)["detail"].startswith("jobID: ")


# -- the rest ---------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/v1/cellar", "/api/v1/products/", "/api/v1/"])
def test_an_unknown_address_is_a_problem_too(client: Client, path: str) -> None:
    assert problem(client.get(path), 404)["code"] == "not_found"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (INDEX, "POST"),
        (WIKI, "POST"),
        (f"/api/v1/jobs/{uuid.UUID(int=7)}", "GET, HEAD"),
        ("/api/v1/products", "GET, HEAD, POST"),
    ],
)
def test_a_method_that_is_not_offered_is_a_problem_too(
    client: Client, path: str, allowed: str
) -> None:
    answer = client.put(path)
    said = problem(answer, 405)
    assert (said["code"], answer["Allow"]) == ("method_not_allowed", allowed)
    assert said["detail"].endswith(f"only {allowed}.")


def test_a_nul_in_the_address_is_a_problem_too(client: Client) -> None:
    problem(client.get("/api/v1/hooks/github/a%00b"), 400)


def test_an_unknown_host_name_is_a_problem_too(client: Client) -> None:
    problem(client.get("/api/v1/products", headers={"Host": "elsewhere.example"}), 400)


def test_a_body_past_all_measure_is_a_problem_too(
    client: Client, people: People
) -> None:
    headers = bearer("index", user=people.alice)
    answer = post(client, INDEX, headers, sourceName="x" * 3_000_000)
    assert problem(answer, 413)["code"] == "too_large"


def test_pages_keep_their_own_failures(client: Client, db: None) -> None:
    assert "text/html" in client.get("/cellar")["Content-Type"]


def test_use_of_a_token_is_noted(client: Client, people: People) -> None:
    client.get("/api/v1/products", headers=bearer("read"))
    assert ApiToken.objects.get().last_used_at is not None


def test_answers_hold_no_secret(client: Client, people: People) -> None:
    headers = bearer("read")
    secret = headers["Authorization"].removeprefix("Bearer ")
    answer = client.get("/api/v1/products/" + secret[:5], headers=headers)
    assert secret not in answer.content.decode()

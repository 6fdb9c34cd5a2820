"""Labels over REST: the vocabulary, what files have, and corrections."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from devrag.jobs.models import Job
from devrag.labels.api import assign_by_rules
from devrag.sources.models import File, GitRef
from tests.api.requests import problem, send
from tests.people import People, bearer
from tests.stored import store_files

FILES = {"app/auth.py": "x = 1\n", "app/cart.py": "y = 1\n", "pyproject.toml": ""}


@pytest.fixture
def labelled(indexed: People) -> People:
    ref = GitRef.objects.get(source=indexed.source)
    store_files(ref, FILES)
    ids = File.objects.values_list("pk", flat=True)
    assign_by_rules(indexed.source, list(ids))
    return indexed


def names(client: Client, people: People, path: str) -> list[str]:
    headers = bearer("read", user=people.bob)
    answer = client.get(
        f"/api/v1/sources/{people.source.pk}/files/{path}", headers=headers
    )
    found: list[str] = answer.json()["labels"]
    return found


def ask(client: Client, method: str, path: str, body: Any = None, **who: Any) -> Any:
    scopes = who.pop("scopes", ("index",))
    return send(client, method, f"/api/v1/{path}", bearer(*scopes, **who), body)


def test_a_product_lists_its_labels(client: Client, labelled: People) -> None:
    path = f"products/{labelled.teahouse.pk}/labels"
    answer = ask(client, "get", path, scopes=("read",), user=labelled.bob)
    found = {row["name"]: row for row in answer.json()}
    assert found["auth"]["title"] == "Authentication"
    assert (found["auth"]["fileCount"], found["api"]["fileCount"]) == (1, 0)


def test_files_name_their_labels(client: Client, labelled: People) -> None:
    headers = bearer("read", user=labelled.bob)
    path = f"/api/v1/sources/{labelled.source.pk}/files"
    found = {
        row["path"]: row["labels"] for row in client.get(path, headers=headers).json()
    }
    assert found == {
        "app/auth.py": ["auth"],
        "app/cart.py": [],
        "pyproject.toml": ["build"],
    }
    assert names(client, labelled, "app/auth.py") == ["auth"]


def test_a_correction_is_put_listed_and_withdrawn(
    client: Client, labelled: People
) -> None:
    path = f"sources/{labelled.source.pk}/labels/auth/app/auth.py"
    answer = ask(client, "put", path, {"isAssigned": False}, user=labelled.alice)
    assert answer.status_code == 200
    assert (answer.json()["author"], answer.json()["isAssigned"]) == ("alice", False)
    assert names(client, labelled, "app/auth.py") == []
    asked = f"products/{labelled.teahouse.pk}/label-corrections"
    problem(ask(client, "get", asked, scopes=("read",), user=labelled.bob), 403)
    listed = ask(client, "get", asked, scopes=("read",), user=labelled.alice).json()
    assert [(row["path"], row["label"]) for row in listed] == [("app/auth.py", "auth")]
    assert ask(client, "delete", path, user=labelled.alice).status_code == 204
    assert names(client, labelled, "app/auth.py") == ["auth"]
    problem(ask(client, "delete", path, user=labelled.alice), 404)


def test_readers_and_reading_tokens_correct_nothing(
    client: Client, labelled: People
) -> None:
    path = f"sources/{labelled.source.pk}/labels/auth/app/auth.py"
    problem(ask(client, "put", path, {}, user=labelled.bob), 403)
    problem(ask(client, "put", path, {}, scopes=("read",), user=labelled.alice), 403)
    assert names(client, labelled, "app/auth.py") == ["auth"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nope/app/auth.py", "no label 'nope'. Labels of teahouse: api, auth"),
        ("auth/app/gone.py", "has no file app/gone.py"),
    ],
)
def test_what_is_not_there_is_named(
    client: Client, labelled: People, path: str, said: str
) -> None:
    place = f"sources/{labelled.source.pk}/labels/{path}"
    answer = ask(client, "put", place, {}, user=labelled.alice)
    assert said in problem(answer, 404)["detail"]


def test_a_topic_is_added_changed_and_removed(client: Client, labelled: People) -> None:
    place = f"products/{labelled.teahouse.pk}/labels"
    body = {"name": "Basket", "paths": ["cart.py"]}
    made = ask(client, "post", place, body, user=labelled.alice)
    assert made.status_code == 201
    assert (made.json()["name"], made.json()["kind"]) == ("basket", "")
    assert Job.objects.filter(kind="label", state="pending").count() == 1
    one = f"{place}/{made.json()['labelID']}"
    changed = ask(client, "patch", one, {"name": "cart"}, user=labelled.alice)
    assert (changed.json()["name"], changed.json()["paths"]) == ("cart", ["cart.py"])
    problem(ask(client, "post", place, {"name": "cart"}, user=labelled.alice), 409)
    problem(ask(client, "post", place, {"name": "a b"}, user=labelled.alice), 400)
    problem(ask(client, "post", place, {"name": "tea"}, user=labelled.bob), 403)
    assert ask(client, "delete", one, user=labelled.alice).status_code == 204
    problem(ask(client, "delete", one, user=labelled.alice), 404)


def test_a_search_takes_labels_and_refuses_unknown_ones(
    client: Client, labelled: People
) -> None:
    body = {"query": "x", "productName": "teahouse", "labels": ["nope"]}
    answer = ask(client, "post", "search", body, scopes=("read",), user=labelled.bob)
    said = problem(answer, 400)["detail"]
    assert said.startswith("Unknown label 'nope'. Use one of: api, auth, build")

"""Deleting sources and products over REST."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.sources.models import Source
from tests.people import People, bearer

from .requests import problem

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", [Source, Product])
def test_deleting_wants_the_scope_admin_and_a_maintainer(
    client: Client, people: People, model: type[Source | Product]
) -> None:
    row = model.objects.get(name__startswith="teahouse")
    url = f"/api/v1/{model._meta.model_name}s/{row.pk}"
    for headers in (
        bearer("index", "wiki", user=people.alice),
        bearer("admin", user=people.bob),
    ):
        problem(client.delete(url, headers=headers), 403)
    problem(client.delete(url, headers=bearer("admin", user=people.charlie)), 404)
    answer = client.delete(url, headers=bearer("admin", user=people.alice))
    assert answer.status_code == 202
    job = Job.objects.get(kind="delete")
    assert answer.json() == {"jobID": str(job.pk), "status": "pending"}
    problem(client.delete(url, headers=bearer("admin", user=people.alice)), 404)


def test_a_deletion_is_told_of_to_whoever_asked_for_it_alone(
    client: Client, people: People
) -> None:
    """Anybody may call a token as Alice calls hers."""
    own = bearer("admin", user=people.alice)
    url = f"/api/v1/products/{people.teahouse.pk}"
    place = client.delete(url, headers=own)["Location"]
    assert client.get(place, headers=own).json()["sourceName"] == "teahouse"
    for user in (people.bob, people.charlie):
        others = bearer("admin", user=user)
        problem(client.get(place, headers=others), 404)
        assert client.get("/api/v1/jobs", headers=others).json() == []


@pytest.mark.parametrize("is_owned", [False, True])
def test_a_limited_administrators_token_may_follow_its_deletion(
    client: Client, people: People, *, is_owned: bool
) -> None:
    user = User.objects.create_superuser("root") if is_owned else None
    limited = bearer("admin", user=user, products=(people.teahouse,))
    url = f"/api/v1/products/{people.teahouse.pk}"
    place = client.delete(url, headers=limited)["Location"]
    assert client.get(place, headers=limited).status_code == 200
    others = bearer("admin", products=(people.market,))
    problem(client.get(place, headers=others), 404)

"""Deleting sources and products over REST."""

from __future__ import annotations

import pytest
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

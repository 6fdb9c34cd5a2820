"""A client that knocks at the interface, and a product with an indexed source."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from devrag.sources.models import GitRef, Snapshot
from tests.people import People


@pytest.fixture
def client() -> Client:
    return Client(HTTP_HOST="localhost")


@pytest.fixture
def indexed(people: People) -> People:
    snapshot = Snapshot.objects.create(
        source=people.source,
        version_identifier="a" * 40,
        is_indexed=True,
        indexed_at=timezone.now(),
    )
    GitRef.objects.create(
        source=people.source,
        name="main",
        kind="branch",
        snapshot=snapshot,
        is_current=True,
    )
    return people

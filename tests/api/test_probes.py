"""Whether it is ready, and numbers for Prometheus, outside of /api/v1."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.people import People, bearer


@pytest.fixture(autouse=True)
def closed(settings: Any) -> None:
    settings.IS_OPEN_READING = False


def test_it_says_when_it_is_ready(client: Client, people: People) -> None:
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_numbers_are_for_administrators(client: Client, people: People) -> None:
    others = (
        bearer("admin", user=people.alice),
        bearer("admin", products=(people.teahouse,)),
        bearer("index"),
        {},
    )
    for headers in others:
        refused = client.get("/metrics", headers=headers)
        assert refused.status_code == 401
        assert refused["WWW-Authenticate"] == 'Bearer scope="admin"'
    text = client.get("/metrics", headers=bearer("admin")).content.decode()
    assert '\ndevrag_up{part="database"} 1\n' in text
    assert "\ndevrag_sources 1\n" in text


def test_numbers_are_open_on_this_machine(
    client: Client, people: People, settings: Any
) -> None:
    settings.IS_OPEN_READING = True
    assert client.get("/metrics").status_code == 200

"""The schedule of a source on its product's page."""

from __future__ import annotations

import pytest
from django.test import Client

from devrag.sources.schedule import note_failure

from .conftest import Harbour

SOURCE = "/p/harbour/s/harbour-code/"
PATH = f"{SOURCE}schedule/"


def test_a_maintainer_sets_and_takes_away_a_schedule(
    alice: Client, harbour: Harbour
) -> None:
    answer = alice.post(PATH, {"minutes": "45", "wiki": "on"})
    assert (answer.status_code, answer["Location"]) == (303, SOURCE)
    harbour.source.refresh_from_db()
    assert harbour.source.is_wiki_scheduled
    page = alice.get(SOURCE).content.decode()
    assert 'value="45"' in page
    assert "from now" in page
    alice.post(PATH, {"minutes": ""})
    harbour.source.refresh_from_db()
    assert harbour.source.index_every_minutes is None


@pytest.mark.parametrize("minutes", ["0", "-1", "525601", "soon", "1.5"])
def test_an_impossible_interval_is_refused_with_the_way_out(
    alice: Client, harbour: Harbour, minutes: str
) -> None:
    answer = alice.post(PATH, {"minutes": minutes})
    assert answer.status_code == 400
    assert "1 to 525,600" in answer.content.decode()


def test_a_reader_sees_the_schedule_and_cannot_set_it(
    bob: Client, harbour: Harbour
) -> None:
    harbour.source.index_every_minutes = 30
    harbour.source.save()
    page = bob.get("/p/harbour/sources/").content.decode()
    assert "Indexed every 30 minutes" in page
    assert PATH not in page
    assert bob.post(PATH, {"minutes": "1"}).status_code == 403


def test_who_may_not_see_the_product_finds_no_schedule(charlie: Client) -> None:
    assert charlie.post(PATH, {"minutes": "1"}).status_code == 404


def test_a_stranger_is_asked_to_sign_in(stranger: Client, harbour: Harbour) -> None:
    answer = stranger.post(PATH, {"minutes": "1"})
    assert answer.status_code == 403
    assert "/sign-in/" in answer.content.decode()


def test_a_source_of_another_product_is_not_here(
    alice: Client, harbour: Harbour
) -> None:
    path = "/p/elsewhere/s/harbour-code/schedule/"
    assert alice.post(path, {"minutes": "1"}).status_code == 404


def test_failures_in_a_row_are_shown_with_their_reason(
    bob: Client, harbour: Harbour
) -> None:
    for _ in range(2):
        note_failure(source_id=harbour.source.pk, reason="The host <x> is gone.")
    page = bob.get("/p/harbour/sources/").content.decode()
    assert "The last 2 runs failed" in page
    assert "The host &lt;x&gt; is gone." in page

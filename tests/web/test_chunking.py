"""The sizes of a source's chunks on its page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from .conftest import Harbour

SOURCE = "/p/harbour/s/harbour-code/"
PATH = f"{SOURCE}chunks/"


def test_a_maintainer_sets_and_takes_away_sizes(
    alice: Client, harbour: Harbour
) -> None:
    answer = alice.post(PATH, {"chunk_tokens": "400", "chunk_overlap_tokens": "0"})
    assert (answer.status_code, answer["Location"]) == (303, SOURCE)
    harbour.source.refresh_from_db()
    metadata = harbour.source.metadata
    assert (metadata["chunk_tokens"], metadata["chunk_overlap_tokens"]) == (400, 0)
    page = alice.get(SOURCE).content.decode()
    assert 'value="400" placeholder="800"' in page
    assert 'value="0" placeholder="100"' in page
    assert 'value="" placeholder="1500"' in page
    assert "the next index run splits all files again" in page
    alice.post(PATH, {})
    harbour.source.refresh_from_db()
    assert "chunk_tokens" not in harbour.source.metadata


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"chunk_tokens": "49"}, "from 50 to 4000"),
        ({"chunk_tokens": "many"}, "Enter whole numbers"),
        ({"chunk_overlap_tokens": "500"}, "at most 400 (half a chunk)"),
    ],
)
def test_impossible_sizes_are_refused_with_the_way_out(
    alice: Client, harbour: Harbour, sizes: dict[str, str], message: str
) -> None:
    answer = alice.post(PATH, sizes)
    assert answer.status_code == 400
    assert message in answer.content.decode()


def test_a_reader_sees_the_sizes_and_cannot_set_them(
    bob: Client, harbour: Harbour
) -> None:
    page = bob.get(SOURCE).content.decode()
    assert "<dt>Size in tokens</dt><dd>800</dd>" in page
    assert PATH not in page
    assert bob.post(PATH, {"chunk_tokens": "400"}).status_code == 403


def test_sizes_that_contradict_the_settings_are_still_shown(
    alice: Client, harbour: Harbour, settings: Any
) -> None:
    harbour.source.metadata["chunk_overlap_tokens"] = 400
    harbour.source.save()
    settings.CHUNK_TOKENS, settings.CHUNK_OVERLAP_TOKENS = 100, 25
    assert 'value="400" placeholder="25"' in alice.get(SOURCE).content.decode()


def test_who_may_not_see_the_product_finds_no_sizes(charlie: Client) -> None:
    assert charlie.post(PATH, {"chunk_tokens": "400"}).status_code == 404

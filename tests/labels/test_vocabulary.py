"""Changes of a vocabulary at the same time, and what its names mean."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from devrag.labels.api import add_label, change_label, find_label_ids
from tests.labels.conftest import Shelf
from tests.waiting import wait_for_lock_waiters


@pytest.mark.django_db(transaction=True)
def test_two_changes_of_a_label_at_once_are_both_kept(shelf: Shelf) -> None:
    label = shelf.label("auth")

    def change(**changes: Any) -> None:
        change_label(
            principal=shelf.alice,
            product=shelf.people.teahouse,
            label_id=label.pk,
            changes=changes,
        )

    def describe() -> None:
        try:
            change(description="who may enter")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            change(paths=["login/"])
            later = other.submit(describe)
            wait_for_lock_waiters()
        later.result()
    label.refresh_from_db()
    assert (label.description, label.paths) == ("who may enter", ["login/"])


def test_a_topic_called_as_the_title_of_a_kind_is_not_the_kind(shelf: Shelf) -> None:
    def found(name: str) -> tuple[int, ...]:
        [ids] = find_label_ids([name], [shelf.source.pk])
        return ids

    kind = shelf.label("docs").pk
    assert found("documentation") == found("docs") == (kind,)
    product = shelf.people.teahouse
    topic = add_label(principal=shelf.alice, product=product, name="documentation")
    assert found("Documentation") == (topic.pk,)
    assert found("docs") == (kind,)

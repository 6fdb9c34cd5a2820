"""Facts that a question names are evidence, as far as they say something."""

from __future__ import annotations

import pytest

from devrag.ask.evidence.facts import find_facts
from devrag.sources.models import Fact, File, Source
from tests.conftest import Repository

pytestmark = pytest.mark.django_db


def titles(text: str) -> list[str]:
    sources = Source.objects.values_list("pk", flat=True)
    return [each.title for each in find_facts(text, list(sources))]


@pytest.fixture
def till(indexed: Repository) -> File:
    return File.objects.get(path="shop/till.py")


def test_entry_points_are_for_questions_about_them(till: File) -> None:
    place = {"file": till, "start_line": 1, "end_line": 3}
    Fact.objects.create(kind="entry_point", name="receipts", **place)
    assert titles("How are receipts printed?") == []
    assert titles("What does the receipts script do?") == ["receipts"]
    assert titles("receiptsの起動方法は?") == ["receipts"]


def test_what_a_tool_wrote_declares_nothing(till: File) -> None:
    place = {"file": till, "start_line": 1, "end_line": 3}
    Fact.objects.create(kind="setting", name="RECEIPT_PRINTER", **place)
    assert titles("Which receipt printer is used?") == ["RECEIPT_PRINTER"]
    File.objects.filter(pk=till.pk).update(is_generated=True)
    assert titles("Which receipt printer is used?") == []

"""What a question compares."""

from __future__ import annotations

import time

import pytest

from devrag.ask.evidence.comparison import read_comparison
from devrag.ask.evidence.gathering import gather_evidence
from devrag.ask.types import AskRequest
from devrag.core.principal import SYSTEM
from tests.conftest import Repository

COMPARED = [
    ("What is the difference between S3 and DynamoDB?", "S3", "DynamoDB"),
    ("Java8 vs Java21", "Java8", "Java21"),
    ("Compare a cart with a till", "a cart", "a till"),
    ("How does Oracle differ from PostgreSQL?", "Oracle", "PostgreSQL"),
    ("Java8 と Java21 の違いを教えてください", "Java8", "Java21"),
    (
        "Oracle と PostgreSQL で外部結合の書き方はどう違いますか？",
        "Oracle",
        "PostgreSQL",
    ),
    ("S3 バケットと DynamoDB の命名規則の比較", "S3 バケット", "DynamoDB"),
]


@pytest.mark.parametrize(("text", "one", "other"), COMPARED)
def test_both_sides_are_read(text: str, one: str, other: str) -> None:
    found = read_comparison(text)
    assert found is not None
    assert found.sides == (one, other)


def test_what_is_compared_is_read() -> None:
    found = read_comparison("Oracle と PostgreSQL で外部結合はどう違いますか？")
    assert found is not None
    assert "外部結合" in found.topic


@pytest.mark.parametrize("text", ["", "How are errors handled?", "命名規則は？"])
def test_other_questions_compare_nothing(text: str) -> None:
    assert read_comparison(text) is None


def test_a_long_text_compares_nothing_and_is_read_at_once() -> None:
    began = time.process_time()
    assert read_comparison("との" * 4000) is None
    assert read_comparison("Java8 と Java21 の違いは？" + "。" * 300) is None
    assert read_comparison(("との" * 150)[:300]) is None
    assert time.process_time() - began < 0.5


@pytest.mark.django_db
def test_each_side_has_a_passage(indexed: Repository) -> None:
    asked = "What is the difference between the cart and the till?"
    evidence = gather_evidence(AskRequest(asked, SYSTEM))
    sides = dict(evidence.sides)
    by_id = {each.id: each for each in evidence.passages}
    assert list(sides) == ["the cart", "the till"]
    assert "cart" in by_id[sides["the cart"]].text.lower()
    assert "till" in by_id[sides["the till"]].text.lower()

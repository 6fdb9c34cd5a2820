"""Answers that go round in circles, and what only looks as if it did."""

from __future__ import annotations

import pytest

from devrag.llm.remote.chat_adapter import goes_round

BEGIN = "A job is asked for, waits for its turn and is done in batches.\n\n"
PASSAGE = "It keeps its batches in one table, and each batch names its phase [[E3]]. "


@pytest.mark.parametrize(
    "passage", ["very ", "The job ends. ", PASSAGE, PASSAGE * 2 + "Then it ends. "]
)
def test_one_passage_over_and_over_is_seen(passage: str) -> None:
    text = BEGIN + passage * 200
    assert goes_round(text)
    assert goes_round(text[:-7])


@pytest.mark.parametrize(
    "text",
    [
        "",
        BEGIN,
        BEGIN + PASSAGE * 3,
        "|" + " --- |" * 200,
        "=" * 500,
        "".join(
            f"- `job_{number}` is one of the jobs [[E3]].\n" for number in range(99)
        ),
    ],
)
def test_what_goes_on_is_left_alone(text: str) -> None:
    assert not goes_round(text)

"""What stands between marks is masked, and the marks never are."""

from __future__ import annotations

import re

import pytest

from devrag.core.masking import mask_secrets
from devrag.llm.fence import Fence


@pytest.mark.parametrize(
    "text",
    [
        *("api_key:", "| `max_tokens` |", "<password>", "PASSWORD=(", "password ="),
        *('"token":', "x-api-key: |", "Authorization: Bearer", "パスワード："),
    ],
)
def test_no_mark_is_taken_for_the_secret_that_a_text_ends_before(text: str) -> None:
    request = Fence([text]).around("a.py", text)
    assert mask_secrets(request) == request


def test_a_secret_between_the_marks_is_masked() -> None:
    text = "password: " + "hunter" + "2024!"
    assert "hunter" not in Fence([text]).around("a.py", text)


def test_the_word_of_a_request_is_its_own() -> None:
    words = {Fence(["text"]).word for _ in range(50)}
    assert len(words) == 50
    assert all(re.fullmatch("[a-z]{12}", word) for word in words)

"""Reasons of a version's report are said in the reader's language."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from devrag.web.pages.version_reasons import name_of_gate, reason_of_page


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("it now covers src/a.py", "it now covers src/a.py"),
        ("it no longer covers src/a b.md", "it no longer covers src/a b.md"),
        ("src/a.py changed", "src/a.py changed"),
        ("the importance of its files changed", "the importance of its files changed"),
        ("and 3 more files", "and more files: 3"),
        ("1 section of 4 rewritten", "sections rewritten: 1 of 4"),
        ("another reason", "another reason"),
    ],
)
def test_a_reason_is_found_again_with_its_names(kept: str, said: str) -> None:
    with override("en"):
        assert reason_of_page(kept) == said


def test_a_check_is_called_by_what_it_removes() -> None:
    with override("en"):
        assert name_of_gate("name") == "Unknown names"
        assert name_of_gate("another") == "another"

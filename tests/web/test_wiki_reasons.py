"""Why pages were rewritten, in the reader's language."""

from __future__ import annotations

import pytest
from django.utils import translation

from devrag.web.wiki_reasons import check_in_words, reason_in_words


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("it now covers src/a.py", "now covers src/a.py"),
        ("it no longer covers src/a.py", "no longer covers src/a.py"),
        ("src/a.py changed", "src/a.py changed"),
        ("and 3 more files", "and 3 more files"),
        ("2 sections of 7 rewritten", "2 of 7 sections rewritten"),
        (
            "its content about other parts changed",
            "what it says about other parts changed",
        ),
        ("something new 100 %", "something new 100 %"),
    ],
)
def test_a_stored_reason_is_told_in_words(stored: str, shown: str) -> None:
    with translation.override("en"):
        assert reason_in_words(stored) == shown


def test_checks_have_names() -> None:
    with translation.override("en"):
        assert check_in_words("name") == "unknown names"
        assert check_in_words("other") == "other"

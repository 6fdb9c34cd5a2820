"""What of a ticket's Markdown is kept, and which commits it names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.connectors.tickets.text import clean_markdown, named_commits

URL = "https://github.com/acme/shop"
C1, C2 = "1234567890" * 4, "abcdef1234" * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("<!-- Tell us -->\n# Steps", "# Steps"),
        ("a\n<!-- one\ntwo\n--> b\nc", "a\n b\nc"),
        ("a\n  <!-- x --> b <!-- y\n--> c", "a\n   b\n c"),
        ("Write `<!-- x -->` in it", "Write `<!-- x -->` in it"),
        ("```html\n<!-- kept -->\n```\n<!-- gone -->", "```html\n<!-- kept -->\n```"),
        ("~~~\n```\n<!-- kept -->\n~~~", "~~~\n```\n<!-- kept -->\n~~~"),
        ("````\n```\n<!-- kept -->", "````\n```\n<!-- kept -->"),
        ("a\n<!-- never closed\nb", "a"),
        ("", ""),
    ],
)
def test_comments_of_templates_are_not_kept(text: str, expected: str) -> None:
    assert clean_markdown(text) == expected


@given(st.text(alphabet="a<!->`~ \n\r", max_size=60))
def test_any_text_can_be_cleaned(text: str) -> None:
    once = clean_markdown(text)
    assert set(once) <= set(text) | {"\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Broken by {C1}.", (C1,)),
        (f"{C2} then {C1} and {C2}", (C2, C1)),
        (f"{URL}/commit/0ddba11f, ({URL}/commit/{C1})", ("0ddba11f", C1)),
        ("Fixed in commit 0ddba11", ("0ddba11",)),
        ("Commits: `0ddba11`", ("0ddba11",)),
        (f"commit 1234567, that is {C1}", (C1,)),
        ("commit deadbeef", ()),  # a word, as far as one can tell
        ("0ddba11 without a word", ()),
        (f"{C1}0", ()),
        (f"https://github.com/other/repo/commit/{C1}", ()),
        (f"sha512/{C1}", ()),
        ("", ()),
    ],
)
def test_commits_are_found_by_their_form(text: str, expected: tuple[str, ...]) -> None:
    assert named_commits([text], URL, "/commit/") == expected


def test_of_many_commits_some_are_told() -> None:
    text = " ".join(f"{number:040x}" for number in range(1_000))
    assert len(named_commits([text], URL, "/commit/")) == 50


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("<!--" * 300_000, 0),
        ("<!---->" * 300_000, 0),
        ("`" * 1_000_000, 1_000_000),
        ("commit " * 200_000, 1_399_999),
        ("a" * 2_000_000, 2_000_000),
    ],
)
def test_hostile_texts_come_to_an_end(text: str, length: int) -> None:
    assert len(clean_markdown(text)) == length
    assert named_commits([text], URL, "/commit/") == ()

"""Memo folders: plain text, changelog entries and JSON Lines."""

from __future__ import annotations

import json

import pytest

from devrag.core.hashing import sha256_hex
from devrag.parsing.api import parse_file
from devrag.parsing.documents.memo import dated_heading, find_entries
from devrag.parsing.types import ChunkFacts

MEETING = """* Meeting Notes 2024-01-15
  Tags: meeting, january

  Topics discussed:
  - Project timeline
  - Budget allocation
"""


def _chunks(path: str, text: str) -> list[ChunkFacts]:
    facts = parse_file(path, text)
    assert not [w for w in facts.warnings if "windows" in w]
    return list(facts.chunks)


def test_an_entry_has_title_date_tags_and_text() -> None:
    (entry,) = _chunks("memo.txt", MEETING)
    assert entry.kind == "entry"
    assert (entry.title, entry.date) == ("Meeting Notes", "2024-01-15")
    assert entry.tags == ("meeting", "january")
    assert entry.text == "Topics discussed:\n- Project timeline\n- Budget allocation"
    assert (entry.start_line, entry.end_line) == (1, 6)


def test_the_hash_of_an_entry_is_that_of_title_and_text() -> None:
    (entry,) = find_entries(MEETING.split("\n"))
    assert entry.content_hash == (
        "2228255d2411f7ff41bff56b476edf1711502e8f70ea310669af7c8586ad761a"
    )
    assert entry.content_hash == sha256_hex(entry.title + entry.text)


def test_an_entry_runs_to_the_next_one() -> None:
    text = (
        f"Before all.\n\n{MEETING}\n* お茶の会 2024-02-01\n  抹茶\n* Bare 2024-03-01\n"
    )
    found = {c.title: c for c in _chunks("memo.txt", text) if c.kind == "entry"}
    assert list(found) == ["Meeting Notes", "お茶の会", "Bare"]
    assert (found["お茶の会"].text, found["お茶の会"].language) == ("抹茶", "ja")
    assert found["Bare"].text == "Bare"
    (before,) = [c for c in _chunks("memo.txt", text) if c.kind == "window"]
    assert before.text == "Before all."


def test_a_dash_before_the_date_is_no_part_of_the_title() -> None:
    (entry,) = find_entries(["* [Tea](tea.md) - 2024-01-15"])
    assert entry.title == "[Tea](tea.md)"


@pytest.mark.parametrize(
    "line",
    [
        "* A list item",
        "* Date: 2024-01-15",
        "* Not a day 2024-13-45",
        "- Dash 2024-01-15",
        "  * In",
    ],
)
def test_other_lines_begin_no_entry(line: str) -> None:
    assert find_entries([line]) == []


def test_markdown_may_hold_entries_too() -> None:
    chunks = _chunks("memo.md", f"# Log\n\n{MEETING}")
    assert [c.kind for c in chunks] == ["section", "entry"]
    assert [c.ordinal for c in chunks] == [0, 1]


def test_json_lines_are_entries() -> None:
    memos = [
        {"title": "A", "date": "2024-01-15", "tags": ["x", "y"], "text": "About a."},
        {"title": "B", "date": "2024-01-16T09:30:00Z", "tags": "y, z", "text": "b"},
        {"title": "C", "text": "No date.", "other": 1},
    ]
    text = "\n".join(json.dumps(memo) for memo in memos) + "\n"
    chunks = _chunks("memos.jsonl", text)
    assert [(c.title, c.date, c.tags, c.text, c.start_line) for c in chunks] == [
        ("A", "2024-01-15", ("x", "y"), "About a.", 1),
        ("B", "2024-01-16", ("y", "z"), "b", 2),
        ("C", "", (), "No date.", 3),
    ]
    assert {c.kind for c in chunks} == {"entry"}


@pytest.mark.parametrize(
    "line", ["{", "[1]", '{"title": 1, "text": "x"}', '{"title": "x"}', "[" * 10_000]
)
def test_other_json_lines_stay_data(line: str) -> None:
    text = '{"title": "A", "text": "a"}\n' + line
    assert {c.kind for c in _chunks("data.jsonl", text)} == {"window"}


@pytest.mark.parametrize(("length", "count"), [(3000, 1), (3001, 2)])
def test_3000_characters_are_one_chunk(length: int, count: int) -> None:
    one_line = ("word " * 601)[:length]
    assert len(_chunks("a.txt", one_line)) == count
    lines = ("a line of words\n" * 200)[:length]
    assert len(_chunks("a.txt", lines)) == count


def test_paragraphs_stay_whole() -> None:
    text = "\n\n".join(f"{n} " + "tea " * 300 for n in range(5))
    chunks = _chunks("a.txt", text)
    assert [c.text.count("\n\n") for c in chunks] == [1, 1, 0]
    assert [c.text[0] for c in chunks] == ["0", "2", "4"]
    assert chunks[1].start_line == 5


def test_japanese_counts_by_tokens() -> None:
    text = "\n\n".join(["お茶を飲みました。" * 50] * 4)
    assert len(_chunks("a.txt", text)) == 4


@pytest.mark.parametrize("written", ["January 5", "2024-99-01", "[1, 2]", "2024"])
def test_a_date_that_is_none_does_not_break_the_batch(written: str) -> None:
    (chunk,) = _chunks("a.md", f"---\ntitle: T\ndate: {written}\n---\n\nText.\n")
    assert chunk.date == ""


def test_a_date_with_a_time_is_its_day() -> None:
    (chunk,) = _chunks("a.md", "---\ndate: 2024-01-15 10:30:00\n---\n\nText.\n")
    assert chunk.date == "2024-01-15"


CHANGELOG = """# Changelog

## [Unreleased]

- Soon, %s

## [1.2.0] - 2026-01-02

### Added

- Sections with the date of their release, %s

## v1.1.0 (2025-12-01)

- Older things, %s

[1.2.0]: https://example.org/1.2.0
"""


def test_sections_of_a_changelog_have_version_and_date() -> None:
    fill = "said in many words that make it long enough to be split into sections " * 5
    chunks = _chunks("CHANGELOG.md", CHANGELOG % (fill, fill, fill))
    assert [(c.heading, c.title, c.date) for c in chunks] == [
        ("", "Changelog", ""),
        ("Changelog", "Changelog", ""),
        ("[Unreleased]", "Changelog", ""),
        ("1.2.0 - 2026-01-02", "1.2.0", "2026-01-02"),
        ("v1.1.0 (2025-12-01)", "1.1.0", "2025-12-01"),
    ]
    assert [c.kind for c in chunks] == [*["section"] * 3, *["entry"] * 2]


def test_a_long_entry_has_dated_sections() -> None:
    fill = "said in many words " * 200
    text = f"# Changes\n\n## 1.2.0 - 2026-01-02\n\n### Added\n\n{fill}\n\n## 1.1.0\n"
    _, _, entry, added, *_ = _chunks("CHANGELOG.md", text)
    assert (entry.kind, added.kind) == ("entry", "section")
    assert (added.parent, added.date) == (entry.ordinal, "2026-01-02")


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("[1.2.0] - 2026-01-02", ("1.2.0", "2026-01-02")),
        ("v2.0.0-rc.1 - 2026-01-02", ("2.0.0-rc.1", "2026-01-02")),
        ("Version 1.2 (2026-01-02)", ("1.2", "2026-01-02")),
        ("[0.0.5] - 2014-08-09 [YANKED]", ("0.0.5", "2014-08-09")),
        ("1.2.0 — 2026-01-02", ("1.2.0", "2026-01-02")),
        ("1.2.0", None),
        ("1.2.0 - 2026-13-02", None),
        ("Notes 2026-01-02", ("Notes", "2026-01-02")),
        ("", None),
    ],
)
def test_a_release_has_its_version_as_title(
    heading: str, found: tuple[str, str] | None
) -> None:
    assert dated_heading(heading, []) == found


def test_a_memo_line_needs_no_more_than_a_title_and_a_text() -> None:
    (chunk,) = _chunks("memos.jsonl", '{"title": "A", "body": "b", "tags": null}\n')
    assert (chunk.title, chunk.text, chunk.tags) == ("A", "b", ())


NOTE = """---
title: How to brew
date: 2024-05-01
tags: [tea, water, tea]
---

# How to brew

Boil it.

## Steps

%s

## Then

Drink.
"""


def test_a_short_note_is_one_entry() -> None:
    (entry,) = _chunks("notes/brew.md", NOTE % ("Wait. " * 150))
    assert (entry.kind, entry.title) == ("entry", "How to brew")
    assert (entry.date, entry.tags) == ("2024-05-01", ("tea", "water"))
    assert (entry.start_line, entry.end_line) == (1, 17)
    assert entry.header == "notes/brew.md > How to brew"
    assert "## Steps" in entry.text
    assert entry.text.endswith("Drink.")


def test_a_long_note_is_an_entry_with_sections() -> None:
    entry, steps, then = _chunks("notes/brew.md", NOTE % ("Wait.\n" * 490))
    assert (entry.kind, steps.kind, then.kind) == ("entry", "section", "section")
    assert (steps.heading, steps.parent) == ("Steps", entry.ordinal)
    assert {c.date for c in (entry, steps, then)} == {"2024-05-01"}


def test_what_else_a_note_says_of_itself_is_in_its_text() -> None:
    text = (
        "---\ntags: tea\nurl: https://e.org\ntitle: T\nnames:\n  - a\n---\n# U\n\nx\n"
    )
    (entry,) = _chunks("a.md", text)
    assert entry.text == "# U\n\nx\n\ntitle: T\nurl: https://e.org\nnames:\n  - a"


def test_a_note_without_a_text_is_its_title() -> None:
    (entry,) = _chunks("a.md", "---\ntitle: Later\ndate: 2024-05-01\n---\n")
    assert (entry.kind, entry.text, entry.date) == ("entry", "Later", "2024-05-01")


def test_a_manual_with_keywords_is_no_entry() -> None:
    (manual,) = _chunks("a.adoc", "= Tea\n:revdate: 2024-05-01\n:keywords: tea\n\nA.\n")
    assert (manual.kind, manual.date, manual.tags) == (
        "section",
        "2024-05-01",
        ("tea",),
    )


@pytest.mark.parametrize("front", ["title: Guide\nsidebar_position: 3", "title: Guide"])
def test_a_page_with_no_date_and_no_tags_is_no_entry(front: str) -> None:
    chunks = _chunks("docs/a.md", f"---\n{front}\n---\n\n# Guide\n\nText.\n")
    assert "entry" not in {c.kind for c in chunks}


def test_a_journal_with_front_matter_is_its_days() -> None:
    days = "# Log\n\n## 2024-05-01\n\nA.\n\n## 2024-05-02 Tea\n\nB.\n"
    chunks = _chunks("log.md", f"---\ntags: log\n---\n{days}")
    entries = [c for c in chunks if c.kind == "entry"]
    assert [(c.title, c.date, c.tags) for c in entries] == [
        ("2024-05-01", "2024-05-01", ("log",)),
        ("Tea", "2024-05-02", ("log",)),
    ]


def test_an_update_of_a_note_is_part_of_it() -> None:
    text = "---\ntags: tea\n---\n# T\n\nA.\n\n## Update 2024-05-02\n\nB.\n"
    (entry,) = _chunks("a.md", text)
    assert (entry.title, entry.date) == ("T", "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "# Tea 2024-05-01\n\nText.\n"),
        ("a.md", "# Tea\n\n* Status: accepted\n* Date: 2024-05-01\n\n## Context\n"),
        ("2024-05-01-tea.md", "# Tea\n\nText.\n"),
        ("a.rst", ":date: 2024-05-01 10:20\n\nTea\n===\n\nText.\n"),
        ("a.rst", ".. title: Tea\n.. date: 2024-05-01\n\nText.\n"),
        ("a.org", "#+title: Tea\n#+date: <2024-05-01 Wed>\n\nText.\n"),
    ],
)
def test_where_a_note_may_have_its_date(path: str, text: str) -> None:
    (entry,) = _chunks(path, text)
    assert (entry.kind, entry.title, entry.date) == ("entry", "Tea", "2024-05-01")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "changes.rst",
            "Changes\n=======\n\ntea 8.1 (2024-03-03)\n----------\n\nA.\n",
        ),
        (
            "CHANGES.rst",
            "Changes\n=======\n\nText.\n\n8.1\n---\n\nReleased 2024-03-03\n",
        ),
        ("log.org", "#+title: Log\n\nText.\n* Tea <2024-03-03 Sun>\nA.\n"),
        ("log.md", "Text.\n\n## 2024年3月3日（日） 定例\n\nA.\n"),
    ],
)
def test_what_stands_below_a_dated_heading_is_an_entry(path: str, text: str) -> None:
    entries = [c for c in _chunks(path, text + "\n" * 3) if c.kind == "entry"]
    assert [c.date for c in entries] == ["2024-03-03"]


@pytest.mark.slow
def test_a_changelog_of_5000_entries_has_as_many() -> None:
    fill = "\n".join(f"- Change {n}" for n in range(8))
    releases = (
        f"## [1.{n}.0] - 2024-05-01\n\n### Added\n\n{fill}" for n in range(5000)
    )
    chunks = _chunks("CHANGELOG.md", "# Changelog\n\n" + "\n\n".join(releases))
    assert len([c for c in chunks if c.kind == "entry"]) == 5000
    assert len(chunks) == 5002

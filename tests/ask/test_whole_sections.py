"""Sections as a whole where a piece was found."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from devrag.ask.reasons import read_words
from devrag.ask.types import Passage
from devrag.ask.whole_sections import headings, with_whole_sections
from devrag.core.principal import SYSTEM
from devrag.sources.models import File
from tests.ask.passages import passage
from tests.conftest import Repository

TEXT = """---
title: Hooks
---
# Hooks

In this order:

```sh
# no heading
```

Title
=====

1. one

## `Next` one
"""


def test_headings_of_both_markups_are_known_and_comments_are_none() -> None:
    assert headings(TEXT) == {4: "Hooks", 12: "Title", 17: "Next one"}


def piece(start: int, title: str) -> Passage:
    found = passage("E1", "README.md", "…", start=start, kind="documentation")
    source = File.objects.get(path="README.md").source.name
    return replace(found, source=source, title=title)


ASKED = read_words("How do I start running?")


@pytest.mark.django_db
def test_a_piece_becomes_its_section(indexed: Repository) -> None:
    whole, *_ = with_whole_sections([piece(3, "Shop")], ASKED, SYSTEM)
    assert whole.start_line == 1
    assert whole.text.startswith("# Shop")
    assert whole.end_line == whole.text.count("\n") + 1


@pytest.mark.django_db
def test_what_has_another_heading_stays_as_it_was_found(indexed: Repository) -> None:
    other = piece(3, "Elsewhere")
    assert with_whole_sections([other], read_words("tea"), SYSTEM) == (other,)


@pytest.mark.django_db
def test_sections_whose_heading_answers_are_added(indexed: Repository) -> None:
    asked = read_words("Running a page")
    found = with_whole_sections([piece(3, "Shop")], asked, SYSTEM)
    assert [(each.id, each.title) for each in found] == [
        ("E1", "Shop"),
        ("E2", "Running"),
    ]
    assert "python -m shop" in found[1].text


@pytest.mark.django_db
def test_a_file_of_thousands_of_sections_is_read_quickly(indexed: Repository) -> None:
    many = "\n".join(f"## Running it, way {n}\n\n- as {n}\n" for n in range(15_000))
    File.objects.filter(path="README.md").update(text=f"# Shop\n\n{many}")
    started = process_time()
    found = with_whole_sections(
        [piece(1, "Shop")], read_words("Running it my way"), SYSTEM
    )
    assert process_time() - started < 10
    assert len(found) <= 3

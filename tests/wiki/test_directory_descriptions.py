"""Tables, drawn trees and sentences describe directories."""

from __future__ import annotations

import time

import pytest

from devrag.wiki.analysis.directory_descriptions import description_of
from tests.wiki.shop import analyse

TREE = "# Layout\n\n```\n├── store/   keeps all the notes\n└── web  the pages\n```\n"
TABLE = "# Layout\n\n| Path | Purpose |\n|---|---|\n| `store/` | Keeps all notes |\n"
SENTENCE = "# Layout\n\nEverything below `store/` keeps all the notes.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TREE, "keeps all the notes"),
        (TABLE, "Keeps all notes"),
        (SENTENCE, "Everything below `store/` keeps all the notes."),
    ],
)
def test_a_document_describes_a_directory(text: str, said: str) -> None:
    analysis = analyse({"README.md": text, "store/a.py": "x = 1\n"})
    found = description_of(analysis, "store")
    assert found is not None
    assert found.said == said


def test_two_words_describe_nothing() -> None:
    analysis = analyse({"README.md": TREE, "web/a.py": "x = 1\n"})
    assert description_of(analysis, "web") is None
    assert description_of(analysis, "") is None


def test_a_long_line_of_a_tree_is_passed_over_at_once() -> None:
    text = TREE.replace("├── store", f"{'-' * 20_000}\n├── store")
    analysis = analyse({"README.md": text, "store/a.py": "x = 1\n"})
    started = time.process_time()
    found = description_of(analysis, "store")
    assert time.process_time() - started < 2
    assert found is not None

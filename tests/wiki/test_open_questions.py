"""What documents leave open: marks that stand for work, not rules about such marks."""

from __future__ import annotations

import pytest

from devrag.wiki.analysis.open_questions import open_questions
from tests.wiki.shop import analyse


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("- TODO: decide who may open the till on a Sunday.", 1),
        (
            "- TODO コメント：実装時に TODO がある場合、次のように書く。",
            0,
        ),
        ("- A `TODO` comment names the person who will remove it later.", 0),
    ],
)
def test_a_rule_on_marks_leaves_nothing_open(text: str, count: int) -> None:
    tree = {
        "docs/till.md": f"# Till\n\nThe till is opened by two people.\n\n{text}\n",
        "docs/mail.md": "# Mail\n\nLetters are sent to customers once a day.\n",
    }
    assert len(open_questions(analyse(tree))) == count


@pytest.mark.parametrize(
    ("item", "count"),
    [("- Work that a cluster runs for a while.", 0), ("- [ ] Buy paint.", 1)],
)
def test_a_heading_on_tasks_leaves_open_only_what_has_a_box(
    item: str, count: int
) -> None:
    tree = {
        "docs/till.md": f"# Till\n\nThe till has two people.\n\n## Tasks\n\n{item}\n",
        "docs/mail.md": "# Mail\n\nLetters are sent to customers once a day.\n",
    }
    assert len(open_questions(analyse(tree))) == count

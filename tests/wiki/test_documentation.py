"""The page on documents lists all of them, each with what it is."""

from __future__ import annotations

from tests.wiki.shop import SHOP
from tests.wiki.written import write

TREE = {
    **SHOP,
    "README.md": "# Shop\n\nA shop that sells books to its customers by mail.\n",
    "HISTORY.md": "# Changes\n\n## 1.2.0\n\n- The major change is a second till.\n",
    "CONTRIBUTING.md": "# Contributing\n\nThank you so much for helping the shop.\n",
}


def test_lists_of_changes_and_rules_are_called_what_they_are() -> None:
    page = write(TREE)["documentation.md"]
    assert page.findings == ()
    text = page.markdown
    assert "**`README.md`**: the introduction" in text
    assert "**`HISTORY.md`**: the list of changes; its first entry is “1.2.0”" in text
    assert "major change" not in text
    assert "Thank you" not in text
    assert "“Contributing”" in text
    assert f"This page lists {text.count('- **`')} documents;" in text

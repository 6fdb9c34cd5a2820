"""The questions about a whole product are whole, and hits are told from gold."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.mixed_product import page_texts, page_titles
from benchmarks.search_mixed import KINDS, ranks_of
from benchmarks.search_sets import DATA, read_rows
from tests.conftest import Repository

ROWS = read_rows(DATA / "mixed.jsonl")
TICKETS = read_rows(DATA / "mixed_tickets.jsonl")
_JAPANESE = re.compile("[ぁ-んァ-ヶ一-龠]")
# Words that would choose a kind in the question's place.
_FILTER = re.compile(r"\b(?:kind|source|path|status|author|label|after|before):")


def _hit(path: str, start: int = 1, end: int = 9, **document: str) -> Any:
    known = SimpleNamespace(**document) if document else None
    return SimpleNamespace(path=path, start_line=start, end_line=end, document=known)


def _page(title: str) -> Any:
    return _hit(f"wiki/{title}.md", kind="page", title="Its heading")


def _ticket(number: int) -> Any:
    return _hit(f"issues/{number}.md", kind="ticket", title=f"Bug #{number}")


def _kinds(row: Any) -> set[str]:
    return {gold["kind"] for gold in row["gold"]}


TILL = {"kind": "code", "path": "till.py", "start_line": 6, "end_line": 19}
PAGE = {"kind": "page", "path": "docs/till.md"}


def test_each_kind_of_gold_has_forty_questions_and_more() -> None:
    counts = Counter(kind for row in ROWS for kind in _kinds(row))
    assert counts.keys() == set(KINDS)
    assert min(counts.values()) >= 40
    assert len({row["question"] for row in ROWS}) == len(ROWS) >= 120
    assert sum(len(_kinds(row)) > 1 for row in ROWS) >= 20


def test_a_fifth_of_the_questions_is_japanese_and_none_has_a_filter() -> None:
    japanese = [row for row in ROWS if _JAPANESE.search(row["question"])]
    assert [row["language"] for row in japanese] == ["ja"] * len(japanese)
    assert 5 * len(japanese) >= len(ROWS)
    assert not [row for row in ROWS if _FILTER.search(row["question"])]


def test_tickets_are_many_and_those_that_answer_exist() -> None:
    numbers = {ticket["id"] for ticket in TICKETS}
    assert len(numbers) == len(TICKETS) >= 60
    assert sum(bool(_JAPANESE.search(t["description"])) for t in TICKETS) >= 10
    gold = [each for row in ROWS for each in row["gold"] if each["kind"] == "ticket"]
    assert {each["id"] for each in gold} <= numbers


@pytest.mark.parametrize(
    ("gold", "hits", "rank"),
    [
        (TILL, [_hit("cart.py"), _hit("till.py"), _hit("till.py")], 2),
        (TILL, [_hit("till.py", 20, 29)], None),
        (TILL, [_hit("till.py", kind="page", title="till.py")], None),
        (PAGE, [_page("The till")], 1),
        (PAGE, [_page("The cart"), _hit("docs/till.md")], None),
        ({"kind": "ticket", "id": 7}, [_ticket(77), _ticket(7), _ticket(7)], 2),
    ],
)
def test_the_first_hit_of_a_gold_counts(gold: Any, hits: Any, rank: Any) -> None:
    titles = {"docs/till.md": "The till"}
    assert ranks_of({"gold": [gold]}, hits, titles) == (rank,)


def test_pages_are_named_as_the_navigation_names_them(tmp_path: Path) -> None:
    made = Repository(tmp_path / "shop").commit(
        {
            "mkdocs.yml": 'nav:\n  - Guide:\n      - The Till: "till.md"\n',
            "docs/till.md": "Takes money.",
            "docs/old-prices.md": "None.",
            "till.py": "",
        }
    )
    row = {"repo": "acme/shop", "commit": made, "pages": "docs"}
    row["navigation"] = "mkdocs.yml"
    assert page_titles(tmp_path, row) == {
        "docs/old-prices.md": "old-prices",
        "docs/till.md": "The Till",
    }
    assert page_texts(tmp_path, row) == {
        "old-prices": "None.",
        "The Till": "Takes money.",
    }

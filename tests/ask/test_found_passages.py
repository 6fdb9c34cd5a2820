"""Passages of several searches under one numbering, and which are kept."""

from __future__ import annotations

from devrag.ask.agent.found_passages import FoundPassages
from devrag.ask.types import Passage


def passage(path: str, first: int = 1, last: int = 10, number: int = 0) -> Passage:
    return Passage(
        id=f"E{number}",
        product="shop",
        source="shop",
        path=path,
        start_line=first,
        end_line=last,
        text="x",
        version_identifier="1",
        content_hash="0",
        kind="definition",
    )


FIRST = [passage("a.py", number=1), passage("b.py", 5, 20, number=2)]


def choose(found: FoundPassages, *named: str, files: int = 12, lines: int = 600) -> str:
    chosen = found.choose(named, max_files=files, max_lines=lines)
    return " ".join(each.id for each in chosen)


def test_new_passages_go_on_with_the_numbers() -> None:
    found = FoundPassages(FIRST)
    assert [found.add(passage(p), is_read=False).id for p in ("c.py", "d.py")] == [
        "E3",
        "E4",
    ]


def test_lines_that_another_passage_has_are_that_passage() -> None:
    found = FoundPassages(FIRST)
    assert found.add(passage("b.py", 6, 8), is_read=True).id == "E2"
    assert found.add(passage("b.py", 1, 8), is_read=True).id == "E3"


def test_named_ones_come_first_then_what_was_read_then_the_first_search() -> None:
    found = FoundPassages(FIRST)
    found.add(passage("c.py"), is_read=False)
    found.add(passage("d.py"), is_read=True)
    found.add(passage("e.py"), is_read=True)
    assert choose(found, "E2", "E5") == "E2 E5 E4 E1 E3"


def test_beside_a_few_named_lines_others_only_show_further_files() -> None:
    found = FoundPassages([*FIRST, passage("a.py", 30, 40, number=3)])
    found.add(passage("c.py", 1, 90), is_read=False)
    found.add(passage("d.py", 1, 150), is_read=False)
    assert choose(found, "E1") == "E1 E4 E2"
    assert choose(found) == "E1 E4 E2 E5 E3"


def test_where_enough_lines_are_named_nothing_else_is_taken() -> None:
    found = FoundPassages(FIRST)
    found.add(passage("c.py", 1, 130), is_read=False)
    assert choose(found, "E3") == "E3"


def test_without_named_ones_results_of_later_searches_are_kept() -> None:
    found = FoundPassages([passage(f"{n}.py", number=n) for n in range(1, 13)])
    found.add(passage("late.py"), is_read=False)
    assert choose(found, files=3) == "E1 E13 E2"


def test_files_and_lines_are_bounded() -> None:
    found = FoundPassages(FIRST)
    found.add(passage("c.py", 1, 100), is_read=True)
    found.add(passage("a.py", 20, 25), is_read=False)
    assert choose(found, files=2) == "E3 E1 E4"
    assert choose(found, lines=40) == "E1 E2 E4"


def test_a_passage_within_a_chosen_one_is_left_out() -> None:
    found = FoundPassages(FIRST)
    found.add(passage("a.py", 1, 50), is_read=True)
    assert choose(found) == "E3 E2"


def test_unknown_names_are_left_out() -> None:
    assert choose(FoundPassages(FIRST), "E9", "E2", "E2") == "E2 E1"

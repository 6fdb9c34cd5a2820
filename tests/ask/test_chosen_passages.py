"""What a model chose, without overlaps and within tokens."""

from __future__ import annotations

from collections.abc import Iterable

from devrag.ask.agent.chosen_passages import (
    fitting,
    numbered,
    passage_tokens,
    with_results,
    without_overlaps,
)
from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.types import Passage
from tests.ask.passages import passage


def lines(start: int, end: int, path: str = "a.py") -> PassageCandidate:
    return PassageCandidate("shop", path, start, end, "definition", 0.0, 0.0)


def shown(candidates: Iterable[PassageCandidate]) -> list[tuple[str, int, int]]:
    return [(each.path, each.start_line, each.end_line) for each in candidates]


def test_what_holds_an_earlier_one_takes_its_place() -> None:
    wanted = [lines(10, 20), lines(1, 5, "b.py"), lines(40, 60), lines(1, 50)]
    assert shown(without_overlaps(wanted)) == [
        ("a.py", 1, 50),
        ("b.py", 1, 5),
        ("a.py", 51, 60),
    ]


def test_of_what_overlaps_the_new_lines_are_left() -> None:
    wanted = [lines(10, 20), lines(15, 30), lines(5, 12), lines(11, 12)]
    assert shown(without_overlaps(wanted)) == [
        ("a.py", 10, 20),
        ("a.py", 21, 30),
        ("a.py", 5, 9),
    ]


def test_results_never_take_lines_from_what_was_chosen() -> None:
    named = [lines(10, 20)]
    results = [lines(1, 15), lines(21, 30), lines(25, 40), lines(1, 15, "b.py")]
    assert shown(with_results(named, results)) == [
        ("a.py", 10, 20),
        ("a.py", 21, 30),
        ("b.py", 1, 15),
    ]


def text(key: str, path: str, count: int) -> Passage:
    return passage(key, path, "\n".join(f"value_{n} = {n}" for n in range(count)))


def test_each_group_ends_at_its_tokens_and_the_last_is_cut() -> None:
    chosen, more, first = (
        text("", "a.py", 40),
        text("", "b.py", 40),
        text("", "c.py", 9),
    )
    room = passage_tokens(chosen) * 1.5
    found = list(fitting([([chosen], room), ([more], room), ([first], room / 2)]))
    assert [each.path for each in found] == ["a.py", "b.py"]
    assert found[0] == chosen
    assert 12 <= found[1].line_count < 40
    assert found[1].text == "\n".join(more.text.split("\n")[: found[1].line_count])
    assert sum(map(passage_tokens, found)) <= room * 1.05


def test_passages_of_the_first_search_keep_their_ids() -> None:
    first = [text("E1", "a.py", 4), text("E2", "b.py", 4)]
    again, new = text("x", "b.py", 4), text("y", "b.py", 3)
    assert [each.id for each in numbered([new, again], first)] == ["E3", "E2"]

"""Which of many candidates become passages."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.evidence.selection import choose_passages


def candidate(
    path: str, start: int, end: int, weight: float, title: str = ""
) -> PassageCandidate:
    return PassageCandidate(
        source="shop",
        path=path,
        start_line=start,
        end_line=end,
        kind="definition",
        weight=weight,
        file_weight=weight,
        title=title,
    )


CANDIDATES = st.lists(
    st.builds(
        lambda path, start, size, weight: candidate(path, start, start + size, weight),
        st.sampled_from(["a.py", "b.py", "tests/test_a.py", "docs/c.md", "d.go"]),
        st.integers(1, 200),
        st.integers(0, 120),
        st.floats(0.01, 1.0),
    ),
    max_size=8,
)


@given(CANDIDATES, st.integers(1, 4), st.integers(1, 150))
def test_no_line_is_shown_twice_and_limits_hold(
    candidates: list[PassageCandidate], files: int, lines: int
) -> None:
    chosen = choose_passages(candidates, max_files=files, max_lines=lines)
    shown = [
        (each.path, number)
        for each in chosen
        for number in range(each.start_line, each.end_line + 1)
    ]
    assert len(shown) == len(set(shown))
    assert len({each.path for each in chosen}) <= files
    # What lies between joined passages is at most two lines each.
    assert len(shown) <= lines + 2 * len(candidates)


def test_what_was_shown_stays_first_and_as_it_is() -> None:
    shown = choose_passages([candidate("a.py", 1, 9, 0.1)], max_files=1, max_lines=99)
    more = [candidate("b.py", 1, 9, 0.9), candidate("a.py", 1, 40, 0.8)]
    chosen = choose_passages(more, max_files=3, max_lines=99, shown=shown)
    assert chosen[:1] == shown
    places = {(each.path, each.start_line) for each in chosen[1:]}
    assert places == {("b.py", 1), ("a.py", 10)}


def test_the_best_of_each_file_comes_before_more_of_one() -> None:
    chosen = choose_passages(
        [
            candidate("a.py", 1, 10, 0.9),
            candidate("a.py", 20, 29, 0.8),
            candidate("b.py", 1, 10, 0.2),
        ],
        max_files=2,
        max_lines=20,
    )
    assert [each.path for each in chosen] == ["a.py", "b.py"]


def test_tests_take_four_files_at_most() -> None:
    tests = [candidate(f"tests/test_{n}.py", 1, 3, 0.9 - n / 100) for n in range(6)]
    chosen = choose_passages(
        [*tests, candidate("a.py", 1, 3, 0.1)], max_files=6, max_lines=99
    )
    assert len([each for each in chosen if each.path.startswith("tests/")]) == 4
    assert "a.py" in {each.path for each in chosen}


def test_pieces_of_one_definition_are_joined() -> None:
    pieces = [
        candidate("a.py", 1, 30, 0.5, "run"),
        candidate("a.py", 31, 50, 0.4, "run"),
    ]
    (only,) = choose_passages(pieces, max_files=1, max_lines=99)
    assert (only.start_line, only.end_line) == (1, 50)


def test_lines_that_are_left_go_to_the_rest_of_what_was_cut() -> None:
    long, short = candidate("a.py", 1, 130, 0.9, "run"), candidate("b.py", 1, 9, 0.1)
    chosen = choose_passages([long, short], max_files=2, max_lines=300)
    assert [(each.path, each.end_line) for each in chosen] == [
        ("a.py", 130),
        ("b.py", 9),
    ]
    chosen = choose_passages([long, short], max_files=2, max_lines=105)
    assert [(each.path, each.end_line) for each in chosen] == [
        ("a.py", 96),
        ("b.py", 9),
    ]


def test_a_caller_that_is_mostly_shown_is_not_shown_again() -> None:
    callers = [
        replace(candidate("a.py", start, start + 12, 0.5), kind="caller")
        for start in (1, 4, 10)
    ]
    chosen = choose_passages(callers, max_files=1, max_lines=99)
    assert [(each.start_line, each.end_line) for each in chosen] == [(1, 22)]

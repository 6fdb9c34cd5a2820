from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devrag.llm.local.windows import MAX_WINDOWS, cut_document, cut_query

lengths = st.integers(0, 5_000)
capacities = st.integers(1, 600)


@given(lengths, capacities)
def test_windows_fit_and_are_few(length: int, capacity: int) -> None:
    windows = cut_document(range(length), capacity)
    assert 1 <= len(windows) <= MAX_WINDOWS
    assert all(len(window.ids) <= capacity for window in windows)


@given(lengths, capacities)
def test_windows_start_and_end_with_the_text(length: int, capacity: int) -> None:
    ids = range(length)
    windows = cut_document(ids, capacity)
    assert list(windows[0].ids[:1]) == list(ids[:1])
    assert list(windows[-1].ids[-1:]) == list(ids[-1:])


@given(st.integers(1, MAX_WINDOWS), capacities, st.data())
def test_text_of_four_windows_is_covered(
    count: int, capacity: int, data: st.DataObject
) -> None:
    length = data.draw(st.integers(0, count * capacity))
    covered = {
        i for window in cut_document(range(length), capacity) for i in window.ids
    }
    assert covered == set(range(length))


def test_a_short_text_is_one_window() -> None:
    (window,) = cut_document([7, 8, 9], 3)
    assert window.ids == [7, 8, 9]


def test_a_query_is_cut_at_the_end() -> None:
    assert cut_query([1, 2, 3, 4], 2).ids == [1, 2]

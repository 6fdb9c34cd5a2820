"""Manifests compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devrag.sources.diff import diff_manifest

manifests = st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), max_size=12)


def test_equal_manifests_change_nothing() -> None:
    result = diff_manifest({"b": "1", "a": "2"}, {"a": "2", "b": "1"})
    assert result.is_empty
    assert result.unchanged == ("a", "b")


def test_counts_of_the_seed() -> None:  # T9
    old = {f"d{n:03}": "1" for n in range(635)}
    new = {path: digest for path, digest in old.items() if path != "d634"}
    new |= {"d000": "2", "d001": "2"} | {f"n{n}": "1" for n in range(5)}
    result = diff_manifest(old, new)
    assert [len(result.added), len(result.modified)] == [5, 2]
    assert [len(result.removed), len(result.unchanged)] == [1, 632]


def test_a_rename_is_removed_plus_added() -> None:  # T37, S2-8.6-9
    result = diff_manifest({"old.py": "1"}, {"new.py": "1"})
    assert (result.removed, result.added) == (("old.py",), ("new.py",))


@given(manifests, manifests)
def test_every_path_is_in_exactly_one_group(
    old: dict[str, str], new: dict[str, str]
) -> None:
    result = diff_manifest(old, new)
    groups = [result.added, result.modified, result.removed, result.unchanged]
    everything = [path for group in groups for path in group]
    assert sorted(everything) == sorted(old.keys() | new.keys())
    assert all(list(group) == sorted(group) for group in groups)


@given(manifests, manifests)
def test_applying_the_difference_gives_the_new_manifest(
    old: dict[str, str], new: dict[str, str]
) -> None:
    result = diff_manifest(old, new)
    kept = {path: old[path] for path in result.unchanged}
    written = {path: new[path] for path in (*result.added, *result.modified)}
    assert kept | written == new


@given(manifests, manifests)
def test_the_way_back_swaps_added_and_removed(
    old: dict[str, str], new: dict[str, str]
) -> None:
    there, back = diff_manifest(old, new), diff_manifest(new, old)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert there.modified == back.modified

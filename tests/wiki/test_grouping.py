"""Files are grouped by what they have to do with each other, the same way always."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.grouping import Group, Grouping
from devrag.wiki.analysis.topics.ties import Material
from tests.wiki.topic_inputs import code_file, code_files, uses

names = st.sampled_from(["a", "b", "core", "日本", "x-y", "order"])
paths = st.lists(names, min_size=1, max_size=4).map(lambda p: "/".join(p) + ".py")
pairs = st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=60)


def edges_of(
    files: list[SurveyFile], pairs: list[tuple[int, int]]
) -> dict[int, dict[int, float]]:
    edges: dict[int, dict[int, float]] = {}
    for a, b in pairs:
        if a < len(files) and b < len(files) and a != b:
            edges.setdefault(files[a].id, {})[files[b].id] = 1.0
    return edges


def grouped(material: Material) -> list[Group]:
    grouping = Grouping(material)
    return grouping.divided(grouping.groups())


def paths_of(material: Material) -> list[set[str]]:
    by_id = {file.id: file.path for file in material.files}
    return [{by_id[i] for i in group.files} for group in grouped(material)]


@settings(max_examples=60, deadline=None)
@given(st.sets(paths, max_size=40), pairs, st.integers(0, 9))
def test_each_file_is_in_one_group_and_at_most_one_of_its_parts(
    found: set[str], pairs: list[tuple[int, int]], lines: int
) -> None:
    files = [code_file(n, p, lines * n + 5) for n, p in enumerate(sorted(found), 1)]
    groups = grouped(Material(files, edges_of(files, pairs)))
    assert sorted(i for g in groups for i in g.files) == [f.id for f in files]
    for group in groups:
        inside = [i for part in group.parts for i in part.files]
        assert len(inside) == len(set(inside))
        assert set(inside) <= set(group.files)


@settings(max_examples=40, deadline=None)
@given(st.sets(paths, max_size=40), pairs, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(
    found: set[str], pairs: list[tuple[int, int]], chance: random.Random
) -> None:
    files = code_files(sorted(found))
    edges = edges_of(files, pairs)
    shuffled = list(files)
    chance.shuffle(shuffled)
    back = {a: dict(reversed(edges[a].items())) for a in reversed(edges)}
    assert grouped(Material(files, edges)) == grouped(Material(shuffled, back))


def test_files_that_use_each_other_are_a_group_wherever_they_lie() -> None:
    search = ["api/search.py", "core/ranking.py", "core/lexicon.py"]
    billing = ["api/invoice.py", "core/ledger.py", "core/payment.py"]
    files = code_files(sorted(search + billing))
    pairs = [(a, b) for own in (search, billing) for a in own for b in own if a != b]
    found = paths_of(Material(files, uses(files, pairs)))
    assert sorted(map(sorted, found)) == sorted(map(sorted, [search, billing]))


def test_a_document_ties_the_files_that_it_names() -> None:
    files = code_files([f"src/{name}.py" for name in "abcdefgh"])
    ids = [file.id for file in files]
    mentions = [dict.fromkeys(half, 0.25) for half in (ids[:4], ids[4:])] * 2
    folders = [("s", "docs")] * 4
    groups = grouped(Material(files, {}, mentions, folders))
    assert [group.files for group in groups] == [tuple(ids[:4]), tuple(ids[4:])]
    assert [group.documents for group in groups] == [(0, 2), (1, 3)]


def test_a_file_that_all_use_does_not_hold_all_together() -> None:
    parts = [[f"{p}/{n}.py" for n in ("one", "two", "six")] for p in ("cat", "dog")]
    files = code_files(sorted([*parts[0], *parts[1], "log.py"]))
    inside = [(a, b) for own in parts for a in own for b in own if a != b]
    hub = [(path, "log.py") for own in parts for path in own]
    found = paths_of(Material(files, uses(files, [*inside, *hub])))
    assert len(found) > 1
    assert not any({"cat/one.py", "dog/one.py"} <= group for group in found)


def test_a_header_stays_with_its_source() -> None:
    files = code_files(["src/jv.c", "src/jv.h", "src/main.c", "src/main.h"])
    for group in paths_of(Material(files, {})):
        assert ("src/jv.c" in group) == ("src/jv.h" in group)


def test_large_groups_are_divided_and_tiny_ones_join() -> None:
    rooms = [[f"r{room}/f{n}.py" for n in range(12)] for room in range(9)]
    files = code_files(path for room in rooms for path in room)
    pairs = [(a, b) for room in rooms for a in room for b in room[:3] if a != b]
    groups = grouped(Material(files, uses(files, pairs)))
    lines = {file.id: file.lines for file in files}
    shares = [sum(lines[i] for i in g.files) / sum(lines.values()) for g in groups]
    assert 8 <= len(groups) <= 18
    assert max(shares) <= 1 / 3
    assert min(shares) >= 0.02


def test_a_big_group_has_its_core_and_parts() -> None:
    inner = [f"app/{part}/f{n}.py" for part in ("cut", "sew", "dye") for n in range(9)]
    others = [f"lib{k}/f{n}.py" for k in range(8) for n in range(4)]
    files = [code_file(n, p, 400) for n, p in enumerate(sorted(inner + others), 1)]
    same = [(a, b) for a in inner for b in inner if a != b and a[:7] == b[:7]]
    bridge = [
        ("app/cut/f0.py", f"app/{part}/f{n}.py")
        for part in ("sew", "dye")
        for n in range(9)
    ]
    rest = [(a, b) for a in others for b in others if a != b and a[:4] == b[:4]]
    groups = grouped(Material(files, uses(files, [*same, *bridge, *rest])))
    divided = [group for group in groups if group.parts]
    for group in divided:
        inside = {i for part in group.parts for i in part.files}
        assert inside < set(group.files)
        assert 1 <= len(group.parts) <= 5
    assert len(groups) + sum(len(group.parts) for group in groups) <= 28


def test_what_only_serves_all_others_is_no_group() -> None:
    parts = [[f"{p}/{n}.py" for n in ("one", "two", "six")] for p in ("cat", "dog")]
    files = code_files(sorted([*parts[0], *parts[1], "types.py"]))
    pairs = [(a, b) for own in parts for a in own for b in own if a != b]
    found = paths_of(Material(files, uses(files, pairs)))
    assert {"types.py"} not in found


def test_nothing_is_in_no_group() -> None:
    assert grouped(Material([], {})) == []

"""Files of a crowded directory are parted by their ties, and stay where they were."""

from __future__ import annotations

from dataclasses import replace

from devrag.wiki.analysis.communities import communities_of
from devrag.wiki.analysis.graph import Edges
from devrag.wiki.analysis.membership import PartMembership, keep_parts
from devrag.wiki.analysis.packages import Part, group_parts
from devrag.wiki.analysis.survey import SurveyFile

FAMILIES = ("cart", "mail", "stock", "tax")
MEMBERS = 10


def crowd(extra: tuple[str, ...] = ()) -> list[SurveyFile]:
    """Return four families of files beside each other, their names mixed."""
    names = [f"{n}{family}" for family in FAMILIES for n in "abcdefghij"]
    return [
        SurveyFile(at, "shop", f"src/{name}.c", "c", "code", 200)
        for at, name in enumerate(sorted([*names, *extra]), 1)
    ]


def ties_of(files: list[SurveyFile]) -> dict[int, dict[int, float]]:
    """Return ties: each uses its family's `a`, its neighbours, and what all use."""
    at = {file.stem: file.id for file in files}
    edges: dict[int, dict[int, float]] = {file.id: {} for file in files}
    for stem, file in at.items():
        for other in (f"a{stem[1:]}", f"{chr(ord(stem[0]) + 1)}{stem[1:]}", "acart"):
            if other in at and other != stem:
                edges[file][at[other]] = 1.0
    return edges


def parts_of(
    files: list[SurveyFile], edges: Edges, before: PartMembership | None = None
) -> list[Part]:
    known = before or PartMembership()
    found = group_parts(
        files, lambda _: True, lambda own: communities_of(own, edges, known.titles)
    )
    return keep_parts(found, known)


def membership(parts: list[Part]) -> PartMembership:
    titles = {f"{f.source}/{f.path}": part.name for part in parts for f in part.files}
    return PartMembership(titles=titles)


def test_families_are_found_and_what_all_use_is_left_over() -> None:
    files = crowd()
    rest, *parts = parts_of(files, ties_of(files))
    families = [{file.stem[1:] for file in part.files} for part in parts]
    assert [file.stem for file in rest.files] == ["acart"]
    assert sorted(map(sorted, families)) == [[family] for family in FAMILIES]
    assert all(part.path in {f.path for f in part.files} for part in parts)


def test_the_same_files_are_parted_the_same_way_under_other_ids() -> None:
    files = crowd()
    shifted = [replace(file, id=1000 - file.id) for file in files]

    def names(own: list[SurveyFile]) -> dict[str, list[str]]:
        parts = parts_of(own, ties_of(own))
        return {part.name: [file.path for file in part.files] for part in parts}

    assert names(files) == names(list(reversed(shifted)))


def test_a_few_files_or_ties_are_no_crowd() -> None:
    files = crowd()
    assert communities_of(files[:20], ties_of(files), {}) == []
    assert communities_of(files, {}, {}) == []


def test_new_ties_move_nothing_and_a_new_file_joins_its_neighbours() -> None:
    files = crowd()
    first = parts_of(files, ties_of(files))
    more = crowd(("kmail",))
    edges = ties_of(more)
    at = {file.stem: file.id for file in more}
    for stem in ("atax", "btax", "ctax", "dtax"):  # another day it would be mail's
        edges[at[stem]] |= {at[f"{n}mail"]: 1.0 for n in "abcd"}
    again = parts_of(more, edges, membership(first))
    before = {f.path: part.name for part in first for f in part.files}
    now = {f.path: part.name for part in again for f in part.files}
    assert {path: now[path] for path in before} == before
    assert now["src/kmail.c"] == before["src/amail.c"]
    assert {part.path for part in again} == {part.path for part in first}

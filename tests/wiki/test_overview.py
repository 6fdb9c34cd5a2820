"""The architecture shows what is beside each other, not what lies within it."""

from __future__ import annotations

from devrag.wiki.writing.structural.diagrams import MOST_NODES
from devrag.wiki.writing.structural.overview import Overview, overview_of
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import analyse
from tests.wiki.written import write

_STEPS = "".join(f'\n\ndef step_{n}():\n    """Step {n}."""\n' for n in range(8))


def _house(rooms: int) -> dict[str, str]:
    """Return rooms of three corners each, enough for pages of their own.

    The first corner of a room uses the first of the next; of the last none.
    """
    files = {}
    for room in range(rooms):
        files[f"r{room}/__init__.py"] = f'"""Room {room} of the house."""\n'
        for name in ("door", "wall", "roof"):
            files[f"r{room}/{name}.py"] = f'"""The {name}."""\n{_STEPS}'
        for corner in "abc":
            folder = f"r{room}/{corner}"
            files[f"{folder}/__init__.py"] = f'"""Corner {corner}."""\n'
            for n in range(14):
                files[f"{folder}/w{n}.py"] = f'"""Work {n}."""\n{_STEPS}'
        if room < rooms - 1:
            uses = f"from r{room + 1}.a.w0 import step_0\n"
            files[f"r{room}/a/w0.py"] = f'"""Use the next room."""\n\n{uses}{_STEPS}'
    return files


def _seen(rooms: int) -> tuple[Overview, list[str]]:
    analysis = analyse(_house(rooms))
    seen = overview_of(analysis, plan_wiki(analysis))
    return seen, [analysis.parts[part].name for part in seen.parts]


def test_parts_within_others_count_to_them_where_not_all_fit() -> None:
    seen, names = _seen(9)
    assert len(seen.shown_in) > MOST_NODES
    assert sorted(names) == [f"r{n}" for n in range(9)]
    assert sum(len(targets) for targets in seen.edges.values()) == 8
    assert set(seen.ties) == {(a, b) for a, of_a in seen.edges.items() for b in of_a}


def test_all_parts_are_seen_where_they_fit() -> None:
    seen, names = _seen(3)
    assert {"r0", "r0/a", "r2/c"} <= set(names)
    assert all(part == shown for part, shown in seen.shown_in.items())


def test_the_page_says_so_and_cites_the_import_below() -> None:
    draft = write(_house(9))["architecture.md"]
    assert "consists of 9 parts with" in draft.markdown
    assert "A part stands for what its own page lists below it" in draft.markdown
    assert "[`r8`](features/r8.md) uses no other part." in draft.markdown
    assert "r0/a" not in draft.markdown.split("## How a call travels")[0]
    told = next(c for c in draft.claims if c.path == "r0/a/w0.py")
    assert "uses" in told.sentence

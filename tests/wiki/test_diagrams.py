"""Of many arrows few are drawn, and nothing that has some stands without any."""

from __future__ import annotations

from devrag.wiki.wording import WORDINGS
from devrag.wiki.writing.structural.diagrams import readable

ENGLISH = WORDINGS["en"]
LAYERS = {a: {b: float(a - b) for b in range(a)} for a in range(12)}


def test_few_arrows_are_all_drawn() -> None:
    edges = {0: {1: 1.0, 2: 1.0}, 1: {2: 1.0}}
    assert readable(range(3), edges, ENGLISH) == ({**edges, 2: {}}, "")


def test_what_a_longer_way_implies_is_left_out() -> None:
    drawn, said = readable(range(12), LAYERS, ENGLISH)
    assert drawn == {a: {a - 1: 1.0} if a else {} for a in range(12)}
    assert said == "Arrows that a longer path implies are left out."


def test_who_uses_a_whole_circle_points_at_its_most_used_part() -> None:
    circle = {a: {b: 1.0 for b in range(6) if b != a} for a in range(6)}
    edges = {**circle, 6: {0: 1.0, 1: 5.0, 2: 1.0}, 7: {6: 1.0, 1: 9.0}, 8: {3: 2.0}}
    drawn, _ = readable(range(9), edges, ENGLISH)
    assert drawn[6] == {1: 5.0}
    assert drawn[7] == {6: 1.0}
    assert drawn[8] == {3: 2.0}
    assert all(drawn[a] for a in range(9))

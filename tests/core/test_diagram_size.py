"""The space that is kept for diagrams."""

from __future__ import annotations

import itertools

from devrag.core.diagram_size import HEIGHTS, estimate_size

CHAIN = ["flowchart TD", '  a["A"] --> b["B"]']


def test_more_layers_take_more_room() -> None:
    short = estimate_size("\n".join(CHAIN))
    nodes = "abcdefgh"
    arrows = [f"  {one} --> {other}" for one, other in itertools.pairwise(nodes)]
    long = estimate_size("\n".join(["flowchart TD", *arrows]))
    assert short.height < long.height
    assert {short.height, long.height} <= set(HEIGHTS)


def test_a_long_row_is_wide() -> None:
    arrows = [f'  n{n}["A long label {n}"] --> n{n + 1}' for n in range(6)]
    assert estimate_size("\n".join(["flowchart LR", *arrows])).is_wide
    assert not estimate_size("\n".join(CHAIN)).is_wide


def test_a_circle_and_nothing_have_a_size() -> None:
    assert estimate_size("graph LR\n a --> b\n b --> a").height in HEIGHTS
    assert estimate_size("").height in HEIGHTS


def test_messages_make_a_sequence_long() -> None:
    head = ["sequenceDiagram", "  participant a as A", "  participant b as B"]
    few = estimate_size("\n".join([*head, "  a->>b: x"]))
    many = estimate_size("\n".join([*head, *["  a->>b: x"] * 12]))
    assert few.height < many.height

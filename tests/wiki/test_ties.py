"""The graph of what files and documents have to do with each other."""

from __future__ import annotations

from devrag.wiki.analysis.topics.ties import Material, TieGraph, tie_material
from tests.wiki.topic_inputs import code_files, uses


def weight(ties: TieGraph, one: str, other: str) -> float:
    node = {file.path: ties.node_of[file.id] for file in ties.files.values()}
    data = ties.graph.get_edge_data(node[one], node[other], {"weight": 0.0})
    return float(data["weight"])


def test_a_use_by_many_counts_less() -> None:
    paths = [f"{name}.py" for name in ("rare", "usual", "u1", "u2", "u3", "u4")]
    files = code_files(paths)
    pairs = [(f"u{n}.py", "usual.py") for n in (1, 2, 3, 4)] + [("u1.py", "rare.py")]
    ties = tie_material(Material(files, uses(files, pairs)))
    assert weight(ties, "u1.py", "rare.py") > weight(ties, "u1.py", "usual.py") > 0


def test_what_a_collection_uses_is_not_tied_to_it() -> None:
    paths = ["types.py", "cart.py", "order.py", *(f"f{n}.py" for n in range(4))]
    files = code_files(paths)
    pairs = [
        (f"f{n}.py", target) for n in range(4) for target in ("cart.py", "order.py")
    ]
    ties = tie_material(Material(files, uses(files, [*pairs, ("types.py", "cart.py")])))
    assert weight(ties, "types.py", "cart.py") == 0


def test_directories_side_by_side_are_tied_by_the_one_above() -> None:
    files = code_files(
        f"src/adapter/{name}/{file}.py"
        for name in ("bun", "deno")
        for file in ("serve", "stream")
    )
    graph = tie_material(Material(files, {})).graph
    ties = tie_material(Material(files, {}))
    around = {n for f in files for n in graph[ties.node_of[f.id]]}
    above = {n for folder in around for n in graph[folder]} - set(ties.members)
    assert any(len(set(graph[node]) & around) == 2 for node in above)


def test_many_files_are_nodes_by_their_directory() -> None:
    files = code_files(f"d{n % 100}/f{n}.py" for n in range(3500))
    ties = tie_material(Material(files, {}))
    assert len(ties.members) == 100
    assert sum(map(len, ties.members.values())) == 3500


def test_what_assembles_the_parts_for_the_start_is_tied_to_it() -> None:
    parts = [f"part{n}.py" for n in range(8)]
    files = code_files(["run.py", "assembly.py", *parts])
    pairs = [("run.py", "assembly.py"), *(("assembly.py", part) for part in parts)]
    edges = uses(files, [*pairs, *(("part1.py", part) for part in parts[2:])])
    started = tie_material(Material(files, edges, entries={files[0].id}))
    unknown = tie_material(Material(files, edges))
    start = weight(started, "run.py", "assembly.py")
    assert start == weight(unknown, "run.py", "assembly.py")
    part = weight(started, "assembly.py", "part0.py")
    assert 0 < part < weight(unknown, "assembly.py", "part0.py") / 5


def test_what_others_use_too_is_not_a_part_of_the_start() -> None:
    parts = [f"part{n}.py" for n in range(8)]
    files = code_files(["run.py", "shop.py", "job.py", *parts])
    pairs = [("run.py", "shop.py"), *(("shop.py", part) for part in parts)]
    edges = uses(files, [*pairs, ("job.py", "shop.py")])
    ties = tie_material(Material(files, edges, entries={files[0].id}))
    assert weight(ties, "run.py", "shop.py") < weight(ties, "shop.py", "part0.py")


def test_a_mock_is_hardly_tied_to_what_it_uses() -> None:
    files = code_files(["store_mocks.py", "store_views.py", "memory.py", "disk.py"])
    pairs = [("store_mocks.py", "memory.py"), ("store_views.py", "disk.py")]
    ties = tie_material(Material(files, uses(files, pairs)))
    mocked = weight(ties, "store_mocks.py", "memory.py")
    assert 0 < mocked < weight(ties, "store_views.py", "disk.py") / 2

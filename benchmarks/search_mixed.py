"""Questions about a whole product: its code, its pages and its tickets at once.

Gold are definitions, pages and tickets; no question says where its answer is. How the
product is made: mixed_product.py; the questions: data/README.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.mixed_product import NAME, index_product, page_titles
from benchmarks.search_sets import DEPTH, Run, SetOptions, read_rows
from benchmarks.swe_qa import Span

KINDS = ("code", "page", "ticket")


def mixed(options: SetOptions) -> Run:
    """Return what asks the whole product; NDCG@10 by kind of gold and language."""
    from devrag.search.evaluation.metrics import ndcg, recall

    rows = read_rows(options.data / "mixed.jsonl")
    titles = index_mixed(options)

    def run() -> dict[str, float]:
        groups: dict[str, list[Sequence[int | None]]] = defaultdict(list)
        for row in rows:
            ranks = ranks_of(row, ask(row["question"], options.mode).hits, titles)
            for name in _groups(row):
                groups[name].append(ranks)
        gains = {f"ndcg@10{n}": _mean(map(ndcg, of)) for n, of in groups.items()}
        found = {f"recall@10{n}": _mean(map(recall, of)) for n, of in groups.items()}
        return dict(sorted(gains.items())) | dict(sorted(found.items()))

    return run


def index_mixed(options: SetOptions) -> dict[str, str]:
    """Index the product; return the titles of its pages by the paths of their files."""
    (product,) = read_rows(options.data / "mixed_product.jsonl")
    tickets = read_rows(options.data / "mixed_tickets.jsonl")
    index_product(options.git, product, tickets)
    return page_titles(options.git, product)


def ask(text: str, mode: str) -> Any:
    """Return what search answers of the whole product."""
    from devrag.core.principal import SYSTEM
    from devrag.search.api import search
    from devrag.search.types import SearchQuery

    query = SearchQuery(
        text=text,
        principal=SYSTEM,
        product=NAME,
        mode=mode,  # type: ignore[arg-type]
        limit=DEPTH,
    )
    return search(query, is_patient=True)


def ranks_of(
    row: Mapping[str, Any], hits: Sequence[Any], titles: Mapping[str, str]
) -> tuple[int | None, ...]:
    """Return the rank from 1 of the first hit of each gold, None for none.

    titles: of the pages, by the path that gold names.
    """
    return tuple(_rank(gold, hits, titles) for gold in row["gold"])


def _rank(
    gold: Mapping[str, Any], hits: Sequence[Any], titles: Mapping[str, str]
) -> int | None:
    ranked = enumerate(hits, 1)

    def is_right(hit: Any) -> bool:
        kind = hit.document.kind if hit.document else ""
        return is_of(gold, hit, kind=kind, titles=titles)

    return next((rank for rank, hit in ranked if is_right(hit)), None)


def is_of(
    gold: Mapping[str, Any], hit: Any, *, kind: str, titles: Mapping[str, str]
) -> bool:
    """Return whether a place touches a definition, or is of a page or ticket.

    kind: what the place is of, `page` or `ticket`, '' for a file.
    """
    if gold["kind"] == "code":
        wanted = Span(gold["path"], gold["start_line"], gold["end_line"])
        place = Span(hit.path, hit.start_line, hit.end_line)
        return not kind and wanted.shared_lines(place) > 0
    if kind != gold["kind"]:
        return False
    if gold["kind"] == "page":
        # Its own title may be another: the first heading of its text.
        return bool(hit.path == f"wiki/{titles[gold['path']]}.md")
    return bool(hit.path == f"issues/{gold['id']}.md")


def _groups(row: Mapping[str, Any]) -> list[str]:
    """Return the endings of the figures that a question counts for."""
    kinds = {gold["kind"] for gold in row["gold"]}
    several = [", several kinds"] if len(kinds) > 1 else []
    named = [f", {kind}" for kind in KINDS if kind in kinds]
    return ["", *named, *several, f", {row['language']}"]


def _mean(values: Any) -> float:
    return round(fmean(values), 4)

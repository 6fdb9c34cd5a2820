"""Compare nearest_chunks() with an exact scan under filters; prints one JSON object.

    python benchmarks/search_recall.py [--chunks 300000] [--sources 5] [--home DIR]

For filters that leave 0.1 %, 1 %, 10 % and 100 % of the chunks, for those of code, and
for one source: recall@10 over real questions, `fewest`: the smallest share of the rows
asked for (or there) that came, p50/p95 and the share of the chunks in scope. Data as in
search_speed.py. Bars: recall ≥ 0.95, fewest 1.0.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search_data import SHARES, Layout, installation
from benchmarks.search_speed import percentiles, questions_of_corpus

_LIMIT = 50
_DEPTH = 10
# Equal but for rounding: either of two such neighbours is right.
_ROUNDING = 1e-4
_FILTERS: dict[str, dict[str, Any]] = {
    "100%": {},
    **{top.strip("some-/"): {"path_prefix": top} for top in SHARES},
    "language=python": {"language": "python"},
    "language=perl": {"language": "perl"},
    "kind=doc": {"kind": "doc"},
    "kind=class": {"kind": "class"},
    "kind=section": {"kind": "section"},
    "mime=text/markdown": {"mime": "text/markdown"},
    "min_complexity=20": {"min_complexity": 20},
    "include_clean_only": {"include_clean_only": True},
}
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = (
    "--chunks 200 --sources 2 --questions 4 --corpus {corpus} --models-dir {models}"
)


def main() -> None:
    """Fill an installation, measure each filter, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=300_000)
    parser.add_argument("--sources", type=int, default=5)
    parser.add_argument("--home", type=Path, help="folder to build or reuse")
    parser.add_argument("--corpus", type=Path, help="folder to build or reuse")
    parser.add_argument("--models-dir", type=Path, help="where the model is built")
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    layout = Layout(options.chunks, options.sources, options.corpus, options.models_dir)
    home = options.home and options.home / f"{options.chunks}-{options.sources}"
    with installation(layout, home):
        print(json.dumps(_measure(options.questions), indent=2))


def _measure(count: int) -> dict[str, Any]:
    from devrag.search.semantic.retriever import query_vector
    from devrag.search.semantic.specs import ensure_active_spec
    from devrag.sources.models import Source

    spec = ensure_active_spec()
    exact = Exact(spec)
    vectors = [query_vector(spec, text) for text in questions_of_corpus(count)]
    sources = sorted(Source.objects.values_list("pk", flat=True))
    figures = {
        name: compare(spec, exact, vectors, sources, options)
        for name, options in _FILTERS.items()
    }
    figures["one source"] = compare(spec, exact, vectors, sources[:1], {})
    return figures


class Exact:
    """All live vectors in memory, and which chunks pass a query's filters."""

    def __init__(self, spec: Any) -> None:
        from devrag.search.semantic.specs import partition_name

        rows = np.frombuffer(_copied(partition_name(spec)), _row(spec.dimensions))
        self.ids = rows["chunk"].astype(np.int64)
        self._vectors = rows["vector"].astype(np.float32)

    def passing(self, query: Any, source_ids: list[int]) -> NDArray[np.bool_]:
        """Say of each vector whether it is in scope."""
        from devrag.search.fetch import current_chunks

        rows = current_chunks(query).filter(file__source__in=source_ids)
        passing = list(rows.values_list("pk", flat=True))
        return np.isin(self.ids, passing)

    def score_all(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        scores: NDArray[np.float32] = self._vectors @ vector
        return scores


def _copied(table: str) -> bytes:
    """Return live rows as PostgreSQL's binary COPY has them, without its frame."""
    from django.db import connection

    statement = (
        f"COPY (SELECT chunk_id, vector FROM {table} WHERE is_live) "
        "TO STDOUT (FORMAT binary)"
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        data = b"".join(copy)
    return data[19:-2]


def _row(dimensions: int) -> list[Any]:
    sizes = [("fields", ">i2"), ("chunk_size", ">i4"), ("chunk", ">i8")]
    header = [("vector_size", ">i4"), ("dimensions", ">i2"), ("unused", ">i2")]
    return [*sizes, *header, ("vector", ">f4", (dimensions,))]


def compare(
    spec: Any,
    exact: Exact,
    vectors: list[NDArray[np.float32]],
    source_ids: list[int],
    options: dict[str, Any],
) -> dict[str, Any]:
    """Return recall and latency of the questions under one filter."""
    from devrag.core.principal import SYSTEM
    from devrag.search.semantic.query import nearest_chunks
    from devrag.search.types import SearchQuery

    query = SearchQuery(text="", principal=SYSTEM, **options)
    passing = exact.passing(query, source_ids)
    scope = exact.ids[passing]
    recalls, shares, times = [], [], []
    for vector in vectors:
        began = time.perf_counter()
        hits = nearest_chunks(
            spec,
            vector,
            source_ids=source_ids,
            limit=_LIMIT,
            filters=query,
        )
        times.append((time.perf_counter() - began) * 1000)
        scores = dict(zip(scope, exact.score_all(vector)[passing], strict=True))
        best = sorted(scores.values(), reverse=True)[:_DEPTH]
        found = [scores[hit.chunk_id] for hit in hits[:_DEPTH]]
        right = sum(score >= best[-1] - _ROUNDING for score in found) if best else 0
        recalls.append(right / len(best) if best else 1.0)
        shares.append(len(hits) / min(_LIMIT, len(scope)) if len(scope) else 1.0)
    return {
        "chunks": len(scope),
        "share": round(len(scope) / len(exact.ids), 5),
        "recall_at_10": round(float(np.mean(recalls)), 4),
        "fewest": round(min(shares), 3),
        **percentiles(times),
    }


if __name__ == "__main__":
    main()

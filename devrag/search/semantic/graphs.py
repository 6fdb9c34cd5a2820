"""Graphs of their own for big sources and products.

In the graph of all vectors a question to a fifth of them meets four strangers for each
one that may answer; a graph without strangers is walked in a third of the time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog
from django.db import connection
from django.db.models import QuerySet, Sum
from psycopg import sql

from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import OPEN_STATES, Job
from devrag.jobs.services import enqueue_job
from devrag.jobs.workflow import BatchPlan, Result
from devrag.search.models import EmbeddingSpec, VectorCoverage, VectorGraph
from devrag.search.semantic.request import spec_of
from devrag.search.semantic.specs import GRAPH_OPTIONS, partition_name

log = structlog.get_logger("devrag.search")
# Fewer vectors are compared one by one; of more than half of all a walk meets enough.
MIN_ROWS, _MOST_OF_PARENT = 20_000, 0.5
# A graph stays until it is clearly of no use, so that none comes and goes.
_KEPT_ROWS, _KEPT_OF_PARENT = MIN_ROWS // 2, 0.75
# What building takes: the vector, halved, its neighbours and pgvector's bookkeeping.
_BYTES_PER_ROW, _MAX_MEMORY_MB = 3_000, 1_024
Group = tuple[int, ...]

_LOCK = "SELECT pg_try_advisory_lock(hashtext('vector graphs'), %s)"
_UNLOCK = "SELECT pg_advisory_unlock(hashtext('vector graphs'), %s)"
# No workers: they share memory, of which containers often have hardly any.
_MEMORY = """
SELECT set_config('maintenance_work_mem', %s, false),
    set_config('max_parallel_maintenance_workers', '0', false)
"""
# Writers go on meanwhile.
_CREATE = """
CREATE INDEX CONCURRENTLY {name} ON {table}
USING hnsw ((vector::{halfvec}) halfvec_cosine_ops) WITH ({options})
WHERE is_live AND {within}
"""
_USUAL_MEMORY = "RESET maintenance_work_mem; RESET max_parallel_maintenance_workers"
_DROP = "DROP INDEX CONCURRENTLY IF EXISTS {name}"


def within(source_ids: Group) -> str:
    """Return the condition of a graph, which a statement has to repeat to use it."""
    return f"source_id = ANY ('{{{','.join(map(str, source_ids))}}}'::bigint[])"


def wanted_groups(spec: EmbeddingSpec) -> set[Group]:
    """Return which sources, sorted, get a graph: of a product, and of one source.

    Those that have one keep it somewhat longer.
    """
    rows = VectorCoverage.objects.filter(
        spec=spec, embedded__gt=0, source__is_deleting=False
    )
    sizes: dict[int, dict[int, int]] = defaultdict(dict)
    for product, source, size in rows.values_list(
        "source__product", "source", "embedded"
    ):
        sizes[product][source] = size
    built = set(map(tuple, _graphs(spec).values_list("source_ids", flat=True)))
    return set(_groups(sizes, built))


def _groups(
    products: Mapping[int, Mapping[int, int]], built: set[Group]
) -> Iterator[Group]:
    total = sum(sum(sizes.values()) for sizes in products.values())
    for sizes in products.values():
        parent, group = total, tuple(sorted(sizes))
        rows = sum(sizes.values())
        if len(group) > 1 and _pays(rows, total, is_built=group in built):
            parent = rows
            yield group
        for source, size in sizes.items():
            if _pays(size, parent, is_built=(source,) in built):
                yield (source,)


def _pays(rows: int, parent: int, *, is_built: bool) -> bool:
    if is_built:
        return rows >= _KEPT_ROWS and rows <= _KEPT_OF_PARENT * parent
    return rows >= MIN_ROWS and rows <= _MOST_OF_PARENT * parent


def request_graphs(job: Job) -> None:
    """Let graphs be brought up to date, by the last of the jobs that bring vectors.

    By a job of its own: new texts of the source must not wait until a graph is built.
    """
    spec = spec_of(job)
    others = Job.objects.filter(kind="embed", state__in=OPEN_STATES).exclude(pk=job.pk)
    if not others.exists() and any(_changes(spec)):
        params = {"specID": spec.pk}
        enqueue_job(
            kind="graphs", lane=f"graphs:{spec.pk}", product=None, params=params
        )


def plan_graphs(job: Job) -> Iterator[BatchPlan]:
    """Plan to build and drop graphs, if that is still to be done."""
    if any(_changes(spec_of(job))):
        yield BatchPlan()


def run_graphs(run: BatchRun) -> Result:
    """Bring the graphs up to what is wanted."""
    with run.kept():
        tend_graphs(spec_of(run.job))
    return {}


def tend_graphs(spec: EmbeddingSpec) -> None:
    """Build the graphs that are wanted and lacking, then drop the others.

    Outside a transaction. Does nothing while another process is at it.
    """
    with _alone(spec) as is_alone:
        if not is_alone:
            return
        lacking, unwanted = _changes(spec)
        for group in sorted(lacking):
            _build(spec, group)
        for graph in unwanted:
            _drop(graph)


def _changes(spec: EmbeddingSpec) -> tuple[set[Group], list[VectorGraph]]:
    """Return groups without a graph, and graphs that are wanted no more or unfinished.

    One that a crash left unfinished is both: it is replaced by one of another name.
    """
    wanted = wanted_groups(spec)
    graphs = list(_graphs(spec))
    ready = {tuple(graph.source_ids) for graph in graphs if graph.is_ready}
    unwanted = [
        graph
        for graph in graphs
        if not graph.is_ready or tuple(graph.source_ids) not in wanted
    ]
    return wanted - ready, unwanted


def _graphs(spec: EmbeddingSpec) -> QuerySet[VectorGraph]:
    return VectorGraph.objects.filter(spec=spec)


def _build(spec: EmbeddingSpec, group: Group) -> None:
    coverage = VectorCoverage.objects.filter(spec=spec, source__in=group)
    rows = coverage.aggregate(rows=Sum("embedded"))["rows"] or 0
    memory = min(_MAX_MEMORY_MB, 64 + rows * _BYTES_PER_ROW // 1_000_000)
    graph = VectorGraph.objects.create(spec=spec, source_ids=list(group))
    statement = sql.SQL(_CREATE).format(
        name=_name(graph),
        table=sql.Identifier(partition_name(spec)),
        halfvec=sql.SQL(f"halfvec({spec.dimensions})"),
        options=sql.SQL(GRAPH_OPTIONS),
        within=sql.SQL(within(group)),
    )
    with connection.cursor() as cursor:
        cursor.execute(_MEMORY, [f"{memory}MB"])
        try:
            cursor.execute(statement)
        finally:
            cursor.execute(_USUAL_MEMORY)
    VectorGraph.objects.filter(pk=graph.pk).update(is_ready=True)
    log.info("graph built", spec=spec.name, sources=len(group), vectors=rows)


def _drop(graph: VectorGraph) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(_DROP).format(name=_name(graph)))
    graph.delete()


def _name(graph: VectorGraph) -> sql.Identifier:
    return sql.Identifier(f"{partition_name(graph.spec)}_graph_{graph.pk}")


@contextmanager
def _alone(spec: EmbeddingSpec) -> Iterator[bool]:
    """Return whether no other process is at a spec's graphs, and keep others out."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [spec.pk])
        is_mine = bool(cursor.fetchone()[0])
        try:
            yield is_mine
        finally:
            if is_mine:
                cursor.execute(_UNLOCK, [spec.pk])

"""Measure how search, storage and indexing grow with an installation; prints JSON.

    python benchmarks/scale.py [--chunks 10000 100000 1000000] [--home DIR]

For each size, an installation of its own with a source for 1,000 chunks, five sources
in a product, and half as many users as sources. Half of the products are open to all
users, each other one to its members; a user is a member of five. Data as in
search_speed.py: real code with mixed vectors.

`seconds`: to fill it, step by step. `search`: everything as administrator, everything
that a user may see, one product, by 1, 8 and 32 clients in threads of one process, as
in a web process. `recall`: recall@10 of vector search beside an exact scan.
`one file`: seconds from a commit of one file until keyword search has it, with the
installation's server started. `growth`: by which power of the number of chunks each
figure grows between the smallest and the largest size (1 = in proportion, 0 = not).
1,000,000 chunks need 16 GB of disk and an hour on two cores.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import corpus
from benchmarks.search_data import Layout, installation
from benchmarks.search_recall import Exact, compare
from benchmarks.search_speed import questions_of_corpus, throughput

_ROOT = Path(__file__).parent.parent
_CHUNKS_PER_SOURCE, _SOURCES_PER_PRODUCT, _PRODUCTS_PER_USER = 1_000, 5, 5
_CLIENTS = (1, 8, 32)
_FILTERS: dict[str, dict[str, Any]] = {
    "everything": {},
    "1 % of the paths": {"path_prefix": "some-1%/"},
    "language=python": {"language": "python"},
    "kind=class": {"kind": "class"},
}
_COMMITTED_LINES = 10_000
_MB = 1e6
# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = (
    "--chunks 2000 --questions 6 --seconds 0.2 --corpus {corpus} --models-dir {models}"
)
Figures = dict[str, Any]


def main() -> None:
    """Measure each size in a process of its own, print."""
    options = _options()
    if options.one:
        print(json.dumps(_measure(options)))
        return
    with tempfile.TemporaryDirectory(prefix="devrag-bench-scale-") as scratch:
        home = options.home or Path(scratch)
        sizes = {str(count): _in_a_process(count, home) for count in options.chunks}
    first, last = (sizes[str(pick(options.chunks))] for pick in (min, max))
    print(json.dumps({**sizes, "growth": _growth(first, last)}, indent=2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    sizes = [10_000, 100_000, 1_000_000]
    parser.add_argument("--chunks", type=int, nargs="+", default=sizes)
    parser.add_argument("--home", type=Path, help="folder to build or reuse")
    parser.add_argument("--corpus", type=Path, help="folder to build or reuse")
    parser.add_argument("--models-dir", type=Path, help="where the model is built")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each load")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _in_a_process(chunks: int, home: Path) -> Figures:
    argv = [sys.executable, *sys.argv, "--one", "--chunks", str(chunks)]
    argv += ["--home", str(home / str(chunks))]
    done = subprocess.run(argv, check=True, stdout=subprocess.PIPE)
    figures: Figures = json.loads(done.stdout)
    return figures


def _measure(options: argparse.Namespace) -> Figures:
    (chunks,) = options.chunks
    sources = max(_SOURCES_PER_PRODUCT, chunks // _CHUNKS_PER_SOURCE)
    layout = Layout(
        chunks,
        sources,
        options.corpus,
        options.models_dir,
        per_product=_SOURCES_PER_PRODUCT,
    )
    with installation(layout, options.home) as seconds:
        users = _make_users(sources // 2)
        figures = {
            **_counts(),
            "seconds": seconds,
            **_measure_search(options, users),
            "disk_mb": _disk(),
            "memory_mb": _memory(),
            "vacuum_seconds": _vacuum(),
        }
    return {**figures, "one file": _commit(options.home)}


# -- people -----------------------------------------------------------------------


def _make_users(count: int) -> list[Any]:
    """Return users, members of five products each, half of which are closed."""
    from django.contrib.auth import get_user_model

    from devrag.products.models import Membership, Product, Visibility

    users = get_user_model().objects
    names = [f"user-{number:03}" for number in range(count)]
    if not users.filter(username__in=names).exists():
        users.bulk_create(users.model(username=name) for name in names)
        products = list(Product.objects.order_by("pk"))
        closed = [product.pk for product in products[::2]]
        Product.objects.filter(pk__in=closed).update(visibility=Visibility.MEMBERS)
        there = itertools.cycle(products)
        Membership.objects.bulk_create(
            [
                Membership(user=user, product=product)
                for user in users.filter(username__in=names)
                for product in itertools.islice(there, _PRODUCTS_PER_USER)
            ],
            ignore_conflicts=True,
        )
    return list(users.filter(username__in=names))


def _counts() -> Figures:
    from django.contrib.auth import get_user_model

    from devrag.products.models import Product
    from devrag.sources.models import Chunk, File, Source

    rows = (Chunk, File, Source, Product, get_user_model())
    names = ("chunks", "files", "sources", "products", "users")
    return {
        name: each.objects.count() for name, each in zip(names, rows, strict=True)
    } | {"load_average": os.getloadavg()[0]}


# -- search -----------------------------------------------------------------------


def _measure_search(options: argparse.Namespace, users: list[Any]) -> Figures:
    from devrag.search.service import warm_up

    warm_up()
    questions = list(questions_of_corpus(options.questions))
    search = {
        f"{scope}, {count} clients": throughput(
            questions, options.seconds, list(itertools.islice(clients, count))
        )
        for scope, clients in _scopes(users).items()
        for count in _CLIENTS
    }
    return {"search": search, "recall": _recall(questions)}


def _scopes(users: list[Any]) -> dict[str, Iterator[dict[str, Any]]]:
    """Return what clients ask with, one after the other."""
    from devrag.access.auth import principal_of_user
    from devrag.products.models import Product

    products = Product.objects.order_by("pk").values_list("name", flat=True)
    mine = [{"principal": principal_of_user(user)} for user in users]
    return {
        "all": itertools.repeat({}),
        "as users": itertools.cycle(mine),
        "one product": itertools.cycle([{"product": name} for name in products]),
    }


def _recall(questions: list[str]) -> dict[str, float]:
    from devrag.search.semantic.retriever import query_vector
    from devrag.search.semantic.specs import ensure_active_spec
    from devrag.sources.models import Source

    spec = ensure_active_spec()
    exact = Exact(spec)
    vectors = [query_vector(spec, text) for text in questions]
    sources = sorted(Source.objects.values_list("pk", flat=True))
    parts = {"half of the sources": sources[::2], "one source": sources[:1]}
    asked = {name: (sources, filters) for name, filters in _FILTERS.items()}
    asked |= {name: (part, {}) for name, part in parts.items()}
    return {
        name: compare(spec, exact, vectors, part, filters)["recall_at_10"]
        for name, (part, filters) in asked.items()
    }


# -- storage ----------------------------------------------------------------------


def _disk() -> dict[str, float]:
    from django.conf import settings

    from devrag.search.semantic.specs import ensure_active_spec, partition_name

    vectors = partition_name(ensure_active_spec())
    sizes = {
        "database": "pg_database_size(current_database())",
        "chunks": "pg_total_relation_size('sources_chunk')",
        "vectors": f"pg_table_size('{vectors}')",
        "graphs of vectors": f"pg_indexes_size('{vectors}')",
    }
    found = {name: _ask_number(f"SELECT {size}") / _MB for name, size in sizes.items()}
    files = [path for path in settings.LEXICAL_DIR.rglob("*") if path.is_file()]
    found["keyword index"] = sum(path.stat().st_size for path in files) / _MB
    return {name: round(size, 1) for name, size in found.items()}


def _ask_number(statement: str) -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
        (number,) = cursor.fetchone()
    return int(number)


def _memory() -> dict[str, float]:
    """Return what this process and PostgreSQL hold; shared pages count in parts."""
    backend = psutil.Process(_ask_number("SELECT pg_backend_pid()"))
    server = backend.parent()
    assert server
    postgres = [server, *server.children()]
    held = sum(process.memory_full_info().pss for process in postgres)
    own = psutil.Process().memory_full_info().pss
    return {"search": round(own / _MB), "PostgreSQL": round(held / _MB)}


def _vacuum() -> float:
    from django.db import connection

    began = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return round(time.perf_counter() - began, 2)


# -- indexing ---------------------------------------------------------------------


def _commit(home: Path) -> Figures:
    """Return the seconds of a repository's first index and of a commit of one file."""
    folder = home / "committed"
    if not (folder / ".git").exists():
        corpus.build(folder, _COMMITTED_LINES)
    environment = os.environ | {
        "DEVRAG_HOME": str(home),
        "HTTP_PORT": str(18_000 + os.getpid() % 1000),
        "DJANGO_SETTINGS_MODULE": "devrag.settings",
        "PYTHONPATH": str(_ROOT),
    }
    manage = [sys.executable, str(_ROOT / "manage.py"), "server"]
    subprocess.run([*manage, "start"], env=environment, check=True, stdout=2)
    try:
        done = subprocess.run(
            [sys.executable, "-c", _INDEX, str(folder)],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
        )
    finally:
        subprocess.run([*manage, "stop"], env=environment, check=True, stdout=2)
    figures: Figures = json.loads(done.stdout)
    return figures


# Settings are read once in a process: this one has those of its own installation.
_INDEX = """
import json, sys, time
from pathlib import Path
import django
django.setup()
from benchmarks.indexing import index
from devrag.jobs.models import OPEN_STATES, Job
folder = Path(sys.argv[1])
while Job.objects.filter(state__in=OPEN_STATES).exists():
    time.sleep(0.5)  # what the server does once after its start
first = index(folder)["seconds"]
changed = sorted(index(folder, change=0.0)["seconds"] for _ in range(3))[1]
print(json.dumps({"first_seconds": first, "seconds": changed}))
"""


# -- growth -----------------------------------------------------------------------


def _growth(first: Figures, last: Figures) -> dict[str, float]:
    """Return the exponent of each figure that both sizes have."""
    ratio = last["chunks"] / first["chunks"]
    before, after = dict(_numbers(first)), dict(_numbers(last))
    return {
        name: round(math.log(after[name] / value) / math.log(ratio), 2)
        for name, value in before.items()
        if ratio > 1 and value > 0 and after.get(name, 0) > 0
    }


def _numbers(
    figures: Mapping[str, Any], above: str = ""
) -> Iterator[tuple[str, float]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{above}{name}: ")
        else:
            yield above + name, value


if __name__ == "__main__":
    main()

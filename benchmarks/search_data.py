"""Many searchable chunks in an installation of their own, for measuring search.

Real code (corpus.py), parsed and stored as indexing does. Further copies have their
longer words changed, so that rare words stay rare. Vectors are mixes of real ones of
the local model: a file's chunks lie near one another, as an index of real text does,
and the vector of a real question lies among them.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks import corpus
from devrag.runtime.layout import Home
from devrag.runtime.services import EmbeddedServices

_T = TypeVar("_T")
_CORPUS_LINES = 1_000_000
_CENTROIDS = 1_200
_NOISE = 0.25
_FILES_AT_ONCE = 200
_VECTORS_AT_ONCE = 20_000
_LONG_WORD = re.compile(r"[A-Za-z_]{9,}")
# Folders on top of the paths, by what share of the files they hold.
SHARES = {"some-0.1%/": 1000, "some-1%/": 100, "some-10%/": 10}
_REST = "rest/"


@dataclass(frozen=True, slots=True)
class Layout:
    """How much there is. corpus, models: folders to build or reuse, None = own.

    has_vectors: with vectors and a keyword index, else names and files alone.
    per_product: sources of a product.
    """

    chunks: int
    sources: int
    corpus: Path | None = None
    models: Path | None = None
    has_vectors: bool = True
    per_product: int = 20


@contextmanager
def installation(layout: Layout, home: Path | None) -> Iterator[dict[str, float]]:
    """Start PostgreSQL as the product does, filled; home: keep the data there.

    Yields what took how many seconds to fill, also of data that is used again.
    """
    with empty_installation(home, layout.models):
        yield _fill_once(layout)


@contextmanager
def empty_installation(home: Path | None, models: Path | None) -> Iterator[None]:
    """Start PostgreSQL with the tables. models: folder to build or reuse."""
    with tempfile.TemporaryDirectory(prefix="devrag-bench-home-") as scratch:
        place = Home(home or Path(scratch)).ensure()
        services = EmbeddedServices.of(place, has_valkey=False)
        try:
            services.start(_say)
            _set_up_django(place, models)
            yield
        finally:
            services.stop(_say)
            if home is None and services.postgres:
                shutil.rmtree(services.postgres.folder, ignore_errors=True)


def _set_up_django(home: Home, models: Path | None) -> None:
    """Let the settings see this installation, whatever else the machine has."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    os.environ |= {
        "DEVRAG_HOME": str(home.root),
        "DATABASE_URL": "",
        "POSTGRES_HOST": "",
        "REDIS_URL": "",
        "DJANGO_SETTINGS_MODULE": "devrag.settings",
    }
    django.setup()
    if models:
        settings.MODELS_DIR = models
    call_command("migrate", interactive=False, verbosity=0)


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _fill_once(layout: Layout) -> dict[str, float]:
    from django.conf import settings

    from devrag.sources.models import Source

    note = settings.DEVRAG_HOME / "filled.json"
    if not Source.objects.exists():
        note.write_text(json.dumps(_fill(layout)))
    seconds: dict[str, float] = json.loads(note.read_text())
    return seconds


def _fill(layout: Layout) -> dict[str, float]:
    from django.conf import settings

    from devrag.search.lexical.follower import catch_up

    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="devrag-bench-corpus-") as scratch:
        folder = layout.corpus or Path(scratch) / "corpus"
        if not (folder / ".git").exists():
            corpus.build(folder, _CORPUS_LINES)
        with _timed("content", seconds):
            _store_content(layout, folder)
    if layout.has_vectors:
        _store_vectors(seconds)
        with _timed("keyword index", seconds):
            catch_up(settings.LEXICAL_DIR)
    return seconds


@contextmanager
def _timed(name: str, seconds: dict[str, float]) -> Iterator[None]:
    _say(name)
    began = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - began, 2)


# -- files, chunks, symbols -----------------------------------------------------


def _store_content(layout: Layout, folder: Path) -> None:
    from devrag.parsing.api import parse_file

    refs = _make_sources(layout)
    paths = sorted(path for path in (folder / "src").rglob("*.*") if path.is_file())
    base = []
    for path in paths:
        text = path.read_text("utf-8", "replace")
        base.append((text, parse_file(path.relative_to(folder).as_posix(), text)))
    _say(f"{len(base)} files, {sum(len(facts.chunks) for _, facts in base)} chunks")
    numbers = itertools.count(1)
    stored = 0
    for part in _copies(base):
        files = [_a_file(next(numbers), refs, *each) for each in part]
        _store_files(files, refs)
        stored += sum(len(facts.chunks) for _, facts in files)
        if stored >= layout.chunks:
            break
    _say(f"{stored} chunks stored")
    _finish_content()


def _copies(base: Sequence[tuple[str, Any]]) -> Iterator[list[tuple[int, str, Any]]]:
    """Yield all files in parts, copy after copy, without end."""
    for copy in itertools.count():
        for part in _batched(base, _FILES_AT_ONCE):
            yield [(copy, *each) for each in part]


def _batched(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _make_sources(layout: Layout) -> dict[int, int]:
    """Return source id → id of its current ref."""
    from devrag.products.models import Product
    from devrag.sources.models import GitRef, Snapshot, Source

    refs = {}
    for number in range(layout.sources):
        name = f"product-{number // layout.per_product}"
        product, _ = Product.objects.get_or_create(name=name)
        source = Source.objects.create(
            product=product, name=f"source-{number:03}", source_type="git"
        )
        snapshot = Snapshot.objects.create(
            source=source, version_identifier="0" * 40, is_indexed=True
        )
        ref = GitRef.objects.create(
            source=source,
            name="main",
            kind="branch",
            snapshot=snapshot,
            sequence=1,
            is_current=True,
        )
        refs[source.pk] = ref.pk
    return refs


def _a_file(
    number: int, refs: dict[int, int], copy: int, text: str, facts: Any
) -> tuple[Any, Any]:
    from devrag.core.hashing import sha256_hex
    from devrag.parsing.api import is_generated
    from devrag.sources.models import File

    change = partial(_LONG_WORD.sub, lambda word: word[0] + "qxzvw"[copy % 5] * copy)
    if copy:
        facts = replace(
            facts,
            chunks=tuple(
                replace(c, text=change(c.text), header=change(c.header))
                for c in facts.chunks
            ),
            symbols=tuple(
                replace(s, name=change(s.name), qualified_name=change(s.qualified_name))
                for s in facts.symbols
            ),
        )
    top = next((top for top, of in SHARES.items() if number % of == of // 2), _REST)
    folder = facts.path.rpartition("/")[0]
    sources = list(refs)
    file = File(
        pk=number,
        source_id=sources[(zlib.crc32(folder.encode()) + copy) % len(sources)],
        path=f"{top}{copy}/{facts.path}",
        digest=sha256_hex(text),
        content_hash=sha256_hex(f"{copy}{text}"),
        facts_version=facts.facts_version,
        size=len(text),
        lines=facts.lines,
        chunk_count=len(facts.chunks),
        language=facts.language,
        mime=facts.mime,
        kind=facts.kind,
        is_generated=is_generated(facts.path, text),
        text=text,
        state=File.State.PARSED,
    )
    return file, facts


def _store_files(files: list[tuple[Any, Any]], refs: dict[int, int]) -> None:
    from devrag.indexing import rows
    from devrag.sources.copy import copy_rows
    from devrag.sources.models import File, RefFile

    File.objects.bulk_create(file for file, _ in files)
    RefFile.objects.bulk_create(
        RefFile(ref_id=refs[file.source_id], file=file, since=1) for file, _ in files
    )
    copy_rows("sources_chunk", rows.CHUNK, rows.chunks(files))
    copy_rows("sources_symbol", rows.SYMBOL, rows.symbols(files))


def _finish_content() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('sources_file', 'id'), max(id))"
            " FROM sources_file"
        )
        cursor.execute("VACUUM ANALYZE")


# -- vectors ----------------------------------------------------------------------


def _store_vectors(seconds: dict[str, float]) -> None:
    """Load first, index afterwards: ten times as fast as the other way round."""
    from django.db import connection

    from devrag.search.semantic.graphs import tend_graphs
    from devrag.search.semantic.live_vectors import recount_vectors
    from devrag.search.semantic.specs import ensure_active_spec, partition_name
    from devrag.sources.models import Source

    spec = ensure_active_spec()
    table = partition_name(spec)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_indexdef(%s::regclass)", [f"{table}_hnsw"])
        create_index = cursor.fetchone()[0]
        cursor.execute(f"DROP INDEX {table}_hnsw")
        with _timed("vectors", seconds):
            _copy_vectors(cursor, spec.pk, _real_vectors(spec))
        cursor.execute("SET maintenance_work_mem = '2GB'")
        cursor.execute("SET max_parallel_maintenance_workers = 2")
        with _timed("graph of vectors", seconds):
            cursor.execute(create_index)
    for source in Source.objects.all():
        recount_vectors(spec=spec, source_id=source.pk)
    with _timed("graphs of sources and products", seconds):
        tend_graphs(spec)
    with _timed("vacuum", seconds), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _real_vectors(spec: Any) -> NDArray[np.float32]:
    from devrag.search.semantic.specs import embedder_of
    from devrag.sources.models import Chunk

    step = max(1, Chunk.objects.count() // _CENTROIDS)
    ids = list(Chunk.objects.order_by("pk").values_list("pk", flat=True)[::step])
    texts = Chunk.objects.filter(pk__in=ids[:_CENTROIDS]).values_list("text", flat=True)
    return embedder_of(spec).embed_documents([text[:800] for text in texts])


def _copy_vectors(cursor: Any, spec_id: int, real: NDArray[np.float32]) -> None:
    """Write binary rows made whole by numpy: every field has a fixed size."""
    random = np.random.default_rng(5)
    cursor.execute(
        "SELECT c.id, f.source_id, c.file_id, c.embedded_hash, NOT f.is_generated"
        " FROM sources_chunk c JOIN sources_file f ON f.id = c.file_id ORDER BY c.id"
    )
    chunks = cursor.fetchall()
    statement = (
        f"COPY search_embedding_{spec_id} "
        "(spec_id, chunk_id, source_id, text_hash, is_live, vector) "
        "FROM STDIN (FORMAT binary)"
    )
    with cursor.copy(statement) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for part in _batched(chunks, _VECTORS_AT_ONCE):
            copy.write(_binary_rows(spec_id, part, real, random))
        copy.write(b"\xff\xff")


def _binary_rows(
    spec_id: int,
    chunks: Sequence[tuple[int, int, int, str, bool]],
    real: NDArray[np.float32],
    random: np.random.Generator,
) -> bytes:
    ids, sources, files, hashes, live = zip(*chunks, strict=True)
    dimensions = real.shape[1]
    numbers = {"spec": spec_id, "chunk": ids, "source": sources}
    fields: list[Any] = [("fields", ">i2")]
    for name in numbers:
        fields += [(f"{name}_size", ">i4"), (name, ">i8")]
    fields += [("hash_size", ">i4"), ("hash", "S64"), ("live_size", ">i4")]
    fields += [("live", "i1"), ("vector_size", ">i4"), ("dimensions", ">i2")]
    fields += [("unused", ">i2"), ("vector", ">f4", (dimensions,))]
    rows = np.zeros(len(ids), dtype=fields)
    rows["fields"] = 6
    for name, column in numbers.items():
        rows[f"{name}_size"], rows[name] = 8, column
    rows["hash_size"], rows["hash"] = 64, hashes
    rows["live_size"], rows["live"] = 1, live
    rows["vector_size"], rows["dimensions"] = 4 + 4 * dimensions, dimensions
    rows["vector"] = mix(real, np.array(files), random)
    return rows.tobytes()


def mix(
    real: NDArray[np.float32], files: NDArray[np.int64], random: np.random.Generator
) -> NDArray[np.float32]:
    """Return a vector for each chunk: its file's, another's, and some noise.

    The noise spreads as the real vectors do: alike in all directions, it would leave
    no neighbours to find.
    """
    count = len(files)
    own = real[(files * 2_654_435_761 >> 7) % len(real)]
    other = real[random.integers(0, len(real), count)]
    weight = random.uniform(0.2, 0.9, (count, 1)).astype(np.float32)
    noise = random.standard_normal((count, len(real)), dtype=np.float32)
    noise = noise @ (real - real.mean(axis=0))
    noise *= _NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    mixed = own + weight * other + noise
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)

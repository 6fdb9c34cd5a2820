"""Measure how long the vectors of repositories take; prints one JSON object.

    python benchmarks/time_to_vectors.py REPOSITORY… [--characters N] [--every-file]

Each repository (a folder with .git, or a bare one) is indexed on an installation of its
own, then embedded by the local model in this process. `cpu_seconds` do not depend on
what else runs on the machine. `code`: until all code but tests and examples is
searchable by meaning; `all`: until everything is. For the time before a change of what
is embedded: --characters cuts each text there (0 = nowhere), in place of the recipe;
--every-file embeds what gets no vectors, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search_data import empty_installation
from devrag.search.semantic import embedded_files

# Arguments with which the test suite runs this, so that it keeps working.
SMALLEST = "{corpus} --characters 100 --models-dir {models}"
_LACKING_CODE = """
SELECT EXISTS (
    SELECT 1 FROM sources_chunk c
    JOIN sources_file f ON f.id = c.file_id AND f.kind = 'code' AND NOT f.is_generated
    LEFT JOIN search_embedding e ON e.chunk_id = c.id
    WHERE f.source_id = %s AND f.path !~ %s AND e.chunk_id IS NULL
)
"""


def main() -> None:
    """Measure each repository, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--characters", type=int, help="default: as the recipe does")
    parser.add_argument("--every-file", action="store_true")
    parser.add_argument("--models-dir", type=Path, help="where the model is built")
    options = parser.parse_args()
    if options.every_file:
        # Before the statements that hold it are composed.
        embedded_files.IS_EMBEDDED = "NOT f.is_generated"
    with empty_installation(None, options.models_dir):
        if options.characters is not None:
            _cut_texts(options.characters)
        _warm_up()
        figures = {str(each): _measure(each) for each in options.repositories}
    print(json.dumps(figures, indent=2))


def _cut_texts(characters: int) -> None:
    from devrag.search.semantic import job as embed_job

    def text_of(_spec: Any, _embedder: Any, chunk: Any) -> str:
        lead = chunk.header.partition(" > ")[2] or chunk.heading
        has_lead = lead and not chunk.text.startswith(lead)
        text: str = f"{lead}\n{chunk.text}" if has_lead else chunk.text
        return text[:characters] if characters else text

    embed_job.sent_text = text_of


def _warm_up() -> None:
    """Load the model, and send no message: this process does what workers would."""
    from celery import current_app

    from devrag.search.semantic.specs import embedder_of, ensure_active_spec

    current_app.conf.broker_url = "memory://"
    embedder_of(ensure_active_spec()).embed_query("warm")


def _measure(repository: Path) -> dict[str, Any]:
    from devrag.core.principal import SYSTEM
    from devrag.jobs.models import Job
    from devrag.sources.models import Chunk, Source
    from devrag.use_cases.add_repository import add_repository

    name = f"bench{Source.objects.count()}"
    asked = add_repository(
        principal=SYSTEM,
        location=str(repository.resolve()),
        product_name=name,
        is_wiki_wanted=False,
        is_local_user=True,
    )
    _run(asked)
    source = Source.objects.get(product__name=name)
    times = _run(
        Job.objects.get(kind="embed", params__sourceID=source.pk), source=source
    )
    report = Job.objects.get(kind="embed", params__sourceID=source.pk).report
    indexed = Chunk.objects.filter(file__source=source).count()
    counts = {key: report[key] for key in ("chunks", "embedded")}
    return {"indexed_chunks": indexed, **counts, **times}


def _run(job: Any, source: Any = None) -> dict[str, Any]:
    """Do all batches of a job; return when a source's vectors were there."""
    from devrag.jobs import engine
    from devrag.jobs.models import Batch

    began = (time.perf_counter(), time.process_time())
    times: dict[str, Any] = {}
    engine.start_job(job.pk)
    while batch := Batch.objects.filter(job=job, state="open").first():
        run = engine.claim_batch(job.pk, batch.queue)
        if run is None:
            break
        engine.run_batch(run)
        engine.advance_job(job.pk)
        if source and "code" not in times and not _lacks_code(source.pk):
            times["code"] = _since(began)
    job.refresh_from_db()
    if job.state != "completed":
        raise SystemExit(f"{job.state}: {job.error}")
    return {**times, "all": _since(began)}


def _lacks_code(source_id: int) -> bool:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_LACKING_CODE, [source_id, embedded_files.ASIDE_PATTERN])
        return bool(cursor.fetchone()[0])


def _since(began: Sequence[float]) -> dict[str, float]:
    wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    return {"seconds": round(wall, 1), "cpu_seconds": round(cpu, 1)}


if __name__ == "__main__":
    main()

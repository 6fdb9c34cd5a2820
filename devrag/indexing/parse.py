"""The parse phase: stored text to facts, rows by COPY, committed with the batch."""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from django.db import connection
from django.db.models import F

from devrag.core.texts import gettext
from devrag.core.timings import measured
from devrag.indexing import rows
from devrag.indexing.parser import parser
from devrag.indexing.planned import planned_chunking
from devrag.jobs.api import append_batches
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, Job
from devrag.jobs.workflow import BatchPlan, Payload, Result
from devrag.labels.api import assign_by_rules
from devrag.parsing.text import is_set_aside
from devrag.parsing.types import PARSER_CRASH, FileFacts
from devrag.sources.api import array_literal, copy_rows
from devrag.sources.models import (
    Chunk,
    Document,
    Fact,
    File,
    Reference,
    Source,
    Symbol,
)

_BATCH_BYTES = 1_500_000
_BATCH_FILES = 300
_WARNINGS_TOLD = 3
# What the parser, which knows no language, says of most documents with warnings.
_LONG_SECTION = re.compile(
    r"The section “.*” is long \(\d+ tokens\) and is indexed in parts\."
)
# Paths of files that became windows, kept with a batch for the report.
_PATHS_NAMED = 20
# A batch of hostile files commits what it has after this time; another does the rest.
_BATCH_SECONDS = 60.0


def plan_parse(job: Job) -> Iterable[BatchPlan]:
    """Plan batches over the staged files that are not parsed yet."""
    files = File.objects.filter(stagedchange__run=job.pk)
    if not job.params.get("full"):
        files = files.filter(state=File.State.STORED)
    part: list[int] = []
    size, first = 0, ""
    found = files.order_by("pk").values_list("pk", "size", "path")
    for pk, file_size, path in found.iterator():
        first = first if part else path
        part.append(pk)
        size += file_size
        if size >= _BATCH_BYTES or len(part) >= _BATCH_FILES:
            yield _plan(part, first)
            part, size = [], 0
    if part:
        yield _plan(part, first)


def _plan(file_ids: list[int], note: str) -> BatchPlan:
    return BatchPlan({"fileIDs": file_ids}, units=len(file_ids), note=note)


def halve_parse(payload: Payload) -> Iterable[BatchPlan]:
    """Close in on the file that ends its worker; alone, it is not parsed any more."""
    ids = payload["fileIDs"]
    if payload.get("crashed"):
        return
    paths = dict(File.objects.filter(pk__in=ids).values_list("pk", "path"))
    if len(ids) == 1:
        crashed = {"fileIDs": ids, "crashed": True}
        yield BatchPlan(crashed, units=1, note=paths.get(ids[0], ""))
        return
    middle = len(ids) // 2
    for part in (ids[:middle], ids[middle:]):
        yield _plan(part, paths.get(part[0], ""))


@measured
def run_parse(run: BatchRun) -> Result:
    """Parse a batch of files; their rows and the batch commit together."""
    files = File.objects.select_for_update(of=("self",)).select_related("source")
    files = files.filter(pk__in=run.payload["fileIDs"])
    is_full = bool(run.job.params.get("full"))
    if not is_full:
        files = files.filter(state=File.State.STORED)
    waiting = list(files.order_by("pk"))
    parsed = list(_parse(run, waiting))
    changed = _delete_old(parsed) if is_full else parsed
    copy_rows("sources_chunk", rows.CHUNK, rows.chunks(changed))
    if parsed:
        _write(parsed)
        assign_by_rules(_source_of(run), [file.pk for file, _ in parsed])
    warnings = _log_warnings(run, parsed)
    if len(parsed) < len(waiting):
        _leave_to_another(run, waiting[len(parsed) :])
    return {
        "files": len(parsed),
        "chunks": sum(len(facts.chunks) for _, facts in parsed),
        "lines": sum(facts.lines for _, facts in parsed),
        "warnings": warnings,
        **_fallbacks(parsed),
    }


def _log_warnings(run: BatchRun, parsed: list[rows.ParsedFile]) -> int:
    """Log what the parser says of files, and return how many warnings that are.

    That a section is long asks nothing of anybody: one line tells of all of them.
    """
    found = [(file.path, text) for file, facts in parsed for text in facts.warnings]
    long = [path for path, text in found if _LONG_SECTION.fullmatch(text)]
    if long:
        text = gettext(
            "Long sections indexed in parts: %(number)s, for example in %(path)s."
        )
        run.log(text % {"number": len(long), "path": long[0]})
    warnings = [
        _named(path, text) for path, text in found if not _LONG_SECTION.fullmatch(text)
    ]
    for warning in warnings[:_WARNINGS_TOLD]:
        run.log(warning, level="warning")
    if len(warnings) > _WARNINGS_TOLD:
        more = len(warnings) - _WARNINGS_TOLD
        text = gettext("%(number)s more warnings are not listed here.")
        run.log(text % {"number": more}, level="warning")
    return len(warnings)


def _source_of(run: BatchRun) -> Source:
    return Source.objects.get(pk=run.job.params["sourceID"])


def _fallbacks(parsed: list[rows.ParsedFile]) -> dict[str, object]:
    """Return how many files became windows by reason, and the paths of some."""
    found = [(facts.fallback, file.path) for file, facts in parsed if facts.fallback]
    if not found:
        return {}
    paths: dict[str, list[str]] = {}
    for reason, path in found[:_PATHS_NAMED]:
        paths.setdefault(reason, []).append(path)
    counts = Counter(reason for reason, _ in found)
    return {"asWindows": dict(counts), "asWindowsPaths": paths}


def _named(path: str, warning: str) -> str:
    return warning if warning.startswith(path) else f"{path}: {warning}"


def _parse(run: BatchRun, files: list[File]) -> Iterator[rows.ParsedFile]:
    """Yield files with their facts, until the batch has taken long enough.

    Raises Conflict soon after the job was cancelled.
    """
    code = PARSER_CRASH if run.payload.get("crashed") else ""
    ends_at = time.monotonic() + _BATCH_SECONDS
    texts = ((file.path, file.text) for file in files)
    done = 0
    found = parser().parse_files(
        texts,
        planned_chunking(run.job),
        windows_code=code,
        on_wait=lambda: run.progress(done, note=files[done].path),
    )
    with contextlib.closing(found):
        for file, facts in zip(files, found, strict=True):
            yield file, facts
            done += 1
            run.progress(done, note=file.path)
            if time.monotonic() > ends_at:
                return


def _leave_to_another(run: BatchRun, files: list[File]) -> None:
    """Give files to a new batch of the same phase, committed with this one."""
    append_batches(run.job, [_plan([file.pk for file in files], files[0].path)])
    units = F("units") - len(files)
    Batch.objects.filter(pk=run.batch.pk).update(units=units)


def _delete_old(parsed: list[rows.ParsedFile]) -> list[rows.ParsedFile]:
    """Make room for what was parsed; return the files whose chunks are to be stored.

    Only a full rebuild meets rows of the same version. They give way, but chunks that
    come out alike stay: search sees them now, and vectors hold on to them.
    """
    ids = [file.pk for file, _ in parsed]
    for model in (Symbol, Reference, Fact):
        model._default_manager.filter(file_id__in=ids).delete()
    # What is known of attachments stands in no text.
    own = Document.objects.filter(file_id__in=ids)
    own.exclude(kind=Document.Kind.ATTACHMENT).delete()
    stored: dict[int, list[rows.Row]] = {}
    chunks = Chunk.objects.filter(file_id__in=ids).order_by("ordinal")
    for row in chunks.values_list(*_COMPARED):
        stored.setdefault(row[0], []).append(row)

    def is_stored(pair: rows.ParsedFile) -> bool:
        known = stored.get(pair[0].pk)
        return known == [row[:-1] for row in rows.chunks([pair])] if known else False

    changed = [pair for pair in parsed if not is_stored(pair)]
    Chunk.objects.filter(file_id__in=[file.pk for file, _ in changed]).delete()
    return changed


# A watcher's mark, the last column, says nothing about the chunk.
_COMPARED = rows.CHUNK[:-1]


def _write(parsed: list[tuple[File, FileFacts]]) -> None:
    for file, _ in parsed:
        file.is_generated = is_set_aside(file.path, file.text)
    copy_rows("sources_symbol", rows.SYMBOL, rows.symbols(parsed))
    copy_rows("sources_reference", rows.REFERENCE, rows.references(parsed))
    copy_rows("sources_fact", rows.FACT, rows.facts(parsed))
    if parsed[0][0].source.has_documents:
        copy_rows("sources_document", rows.DOCUMENT, rows.documents(parsed))
    with connection.cursor() as cursor:
        columns = zip(*map(_file_row, parsed), strict=True)
        cursor.execute(_UPDATE_FILES, [list(column) for column in columns])


def _file_row(parsed: rows.ParsedFile) -> tuple[object, ...]:
    file, facts = parsed
    # A rebuild meets the warnings of the parse before.
    known = [text for text in file.warnings if not text.startswith(f"{file.path} is ")]
    warnings = array_literal(list(dict.fromkeys([*known, *facts.warnings])))
    is_untitled = file.source.has_documents and not facts.title
    title = file.path.rpartition("/")[2] if is_untitled else facts.title
    return (
        *(file.pk, facts.lines, len(facts.chunks), facts.language, facts.mime),
        *(facts.kind, title, facts.module),
        *(file.is_generated, warnings),
    )


# One statement for all: the ORM's bulk_update took a quarter of the phase.
_UPDATE_FILES = """
UPDATE sources_file f SET state = 'parsed', lines = n.lines,
    chunk_count = n.chunk_count, language = n.language, mime = n.mime, kind = n.kind,
    title = n.title, module = n.module, is_generated = n.is_generated,
    warnings = n.warnings::text[]
FROM unnest(
    %s::bigint[], %s::int[], %s::int[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::bool[], %s::text[]
) AS n (id, lines, chunk_count, language, mime, kind, title, module, is_generated,
    warnings)
WHERE f.id = n.id
"""

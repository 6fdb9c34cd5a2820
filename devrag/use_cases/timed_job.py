"""Timings of an index job, with the chunks of each of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Count, Sum
from django.db.models.functions import Length

from devrag.jobs.models import Job, JobState
from devrag.sources.models import Chunk, GitRef, RefFile
from devrag.use_cases.timings import embedding_lines, file_lines, timing_lines


def describe_timings(job: Job) -> Iterator[str]:
    """Yield the lines of `index --verbose` for a job that completed."""
    yield from timing_lines(job.report)
    if "skipped" not in job.report:
        yield from file_lines(_files(job))
    embedding = Job.objects.filter(pk=job.report.get("embedJobID")).first()
    if embedding is None:
        return
    if embedding.state == JobState.COMPLETED:
        yield from embedding_lines(embedding.report)
    else:
        yield (
            f"embedding: {embedding.state}; use --wait-vectors to wait for it, or "
            f"`devrag jobs show {str(embedding.pk)[:8]}` to see it"
        )


def _files(job: Job) -> Iterable[tuple[str, int, int]]:
    """Return path, chunks and characters of the files that the run brought in."""
    ref = GitRef.objects.get(source=job.params["sourceID"], name=job.report["ref"])
    entered = RefFile.objects.filter(ref=ref, since=ref.sequence).values("file")
    sizes = (
        Chunk.objects.filter(file__in=entered)
        .values("file__path")
        .annotate(count=Count("pk"), characters=Sum(Length("text")))
    )
    rows = sizes.order_by("file__path").values_list("file__path", "count", "characters")
    return rows.iterator()

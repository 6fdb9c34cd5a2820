"""The keyword index of this host against the database."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings
from django.db.models import Count

from devrag.core.errors import Conflict
from devrag.jobs.models import OPEN_STATES, Job
from devrag.operations.consistency_checks.types import Check
from devrag.search.api import (
    Generation,
    broken_files,
    catch_up,
    count_documents,
    database_identity,
    forget_sources,
    read_generation,
    wanted_sequences,
    write_generation,
)
from devrag.sources.models import RefFile, Source

# A follower that runs needs a moment after an activation.
_PATIENCE_SECONDS = 5.0
_POLL_SECONDS = 0.2
_WRITER_LOCK = ".tantivy-writer.lock"


def find_broken() -> Sequence[str]:
    """Return files of the index that cannot be read."""
    return broken_files(_folder())


def rebuild(_broken: Sequence[str]) -> None:
    """Build the whole index again, when no follower writes it."""
    empty_index()
    _catch_up()


def empty_index() -> None:
    """Remove all but the writer's lock, which keeps followers out meanwhile.

    The generation that is left holds nothing, so that no follower discards the folder
    under the next writer. Raises Conflict when a follower writes for longer than
    _PATIENCE_SECONDS.
    """
    _with_patience(_empty)


def _empty() -> None:
    lock = _folder() / _WRITER_LOCK
    with lock.open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(
                f"A follower is writing to {_folder()}. Try again when it has finished."
            ) from error
        for path in _folder().iterdir():
            if path != lock:
                path.unlink(missing_ok=True)
        write_generation(_folder(), Generation(database_identity()))


def find_behind() -> Sequence[str]:
    """Return sources that a follower did not bring up to the database in time."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while behind := behind_now():
        if time.monotonic() > deadline:
            break
        time.sleep(_POLL_SECONDS)
    return _names(behind)


def behind_now() -> set[int]:
    """Return the sources whose newest state this host's index lacks."""
    generation = read_generation(_folder())
    have = generation.sequences if generation else {}
    wanted = wanted_sequences()
    return {
        key for key in have.keys() | wanted.keys() if have.get(key) != wanted.get(key)
    }


def _names(source_ids: set[int]) -> list[str]:
    known = dict(Source.objects.filter(pk__in=source_ids).values_list("pk", "name"))
    return sorted(known.get(key, f"deleted source {key}") for key in source_ids)


def find_uneven() -> Sequence[int]:
    """Return sources whose documents are not as many as their current chunks."""
    generation = read_generation(_folder())
    if generation is None or broken_files(_folder()):
        return []
    busy = Job.objects.filter(kind="index", state__in=OPEN_STATES)
    settled = generation.sequences.keys() - behind_now()
    settled -= set(busy.values_list("params__sourceID", flat=True))
    rows = RefFile.objects.filter(
        ref__source__in=settled, ref__is_current=True, until=None
    ).values("ref__source")
    counted = rows.annotate(n=Count("file__chunks")).values_list("ref__source", "n")
    chunks = dict(counted)
    documents = count_documents(_folder(), settled)
    return sorted(key for key in settled if documents[key] != chunks.get(key, 0))


def read_anew(source_ids: Sequence[int]) -> None:
    """Read these sources into the index again."""
    generation = read_generation(_folder())
    if generation is not None:
        write_generation(_folder(), forget_sources(generation, source_ids))
    _catch_up()


def _catch_up(_found: Sequence[str] = ()) -> None:
    """Bring the index up to date, or wait until the follower that has it did."""
    _with_patience(lambda: catch_up(_folder()))


def _with_patience(act: Callable[[], object]) -> None:
    """Do what a follower keeps us from for a moment while it writes."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            act()
        except Conflict:
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


def _folder() -> Path:
    folder: Path = settings.LEXICAL_DIR
    return folder


CHECKS = (
    Check("keyword index unreadable", "is rebuilt", find_broken, rebuild),
    Check("keyword index behind", "is brought up to date", find_behind, _catch_up),
    Check(
        "keyword index inconsistent", "reads the source again", find_uneven, read_anew
    ),
)

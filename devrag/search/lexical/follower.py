"""Bring this host's lexical index up to the activated manifests.

Only interval differences are applied: files whose interval ended after the indexed
sequence leave, files whose interval began after it enter. Files that got other labels
since are read again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from django.db import connection, transaction
from django.db.models import Q

from devrag.labels.api import change_numbers, changed_files
from devrag.search.lexical.documents import read_documents
from devrag.search.lexical.store import (
    Generation,
    LexicalWriter,
    can_open,
    delete_index,
    read_generation,
    write_generation,
)
from devrag.search.prepared import prepared_cursor
from devrag.sources.models import GitRef, RefFile

log = structlog.get_logger("devrag.search")
CHANNEL = "devrag_activated"
# How often a big source at work lets the increments of others pass.
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class CatchUp:
    """What one pass did; all zero when there was nothing to do."""

    sources: int = 0
    files_added: int = 0
    files_removed: int = 0

    def __add__(self, other: CatchUp) -> CatchUp:
        return CatchUp(
            self.sources + other.sources,
            self.files_added + other.files_added,
            self.files_removed + other.files_removed,
        )


def wanted_sequences() -> dict[int, tuple[int, int]]:
    """Return source id → (ref id, sequence) of all current refs."""
    with prepared_cursor() as cursor:
        cursor.execute(_WANTED)
        return {source: (ref, sequence) for source, ref, sequence in cursor}


_WANTED = (
    "SELECT source_id, id, sequence FROM git_refs WHERE is_current AND sequence > 0"
)


def database_identity() -> str:
    """Return what tells this database from one made anew: its first migration's time.

    A restored dump keeps it; there sequences tell what is newer.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(applied)::text FROM django_migrations")
        return str(cursor.fetchone()[0])


def catch_up(folder: Path) -> CatchUp:
    """Apply what was activated since the last pass, and meanwhile, and commit it."""
    database = database_identity()
    wanted = wanted_sequences()
    newest = Generation(database, wanted, labels=_wanted_labels(wanted))
    if _known(folder, database) == newest:
        return CatchUp()
    with contextlib.closing(_open_writer(folder)) as writer:
        # Read again: whoever held the lock until now may have changed it.
        generation = _known(folder, database)
        if generation is None:
            writer.delete_all()
            _commit(writer, folder, generation := Generation(database))
        have, labels = dict(generation.sequences), dict(generation.labels)
        return _Pass(writer, folder, database, have, labels).run()


def _wanted_labels(source_ids: Collection[int]) -> dict[int, int]:
    """Return source id → number of the last change of its labels, if there was one."""
    return {k: v for k, v in change_numbers().items() if k in source_ids}


def _known(folder: Path, database: str) -> Generation | None:
    """Return what the index holds; None when it is of no use."""
    generation = read_generation(folder)
    is_ours = generation is not None and generation.database == database
    return generation if is_ours and can_open(folder) else None


def _commit(writer: LexicalWriter, folder: Path, generation: Generation) -> None:
    writer.commit()
    write_generation(folder, generation)


def _open_writer(folder: Path) -> LexicalWriter:
    try:
        return LexicalWriter(folder)
    except ValueError as error:
        log.warning("lexical index unreadable, building it again", error=str(error))
        delete_index(folder)
        raise


@dataclass(slots=True)
class _Pass:
    """One pass: every source that differs, each committed on its own.

    have: what the index holds; of a source that is at work what it held before, unless
    it is built from nothing. labels: up to which change it holds labels. The quickest
    go first, also ahead of a big one that is at work: after a commit nobody waits for
    the first build of another source.
    """

    writer: LexicalWriter
    folder: Path
    database: str
    have: dict[int, tuple[int, int]]
    labels: dict[int, int] = field(default_factory=dict)
    done: CatchUp = CatchUp()
    looked_at: float = field(default_factory=time.monotonic)
    at_work: set[int] = field(default_factory=set)

    def run(self) -> CatchUp:
        """Bring up one source after the other until none differs."""
        while differing := _find_differing(self.have, wanted_sequences()):
            self.bring_up(differing[0])
        self._follow_labels()
        return self.done

    def _follow_labels(self) -> None:
        """Read the files again whose labels changed, all sources in one commit."""
        wanted = _wanted_labels(self.have)
        changed = {k: n for k, n in wanted.items() if self.labels.get(k) != n}
        for source_id, number in changed.items():
            self._read_labels(source_id, number)
        if changed:
            self._commit()

    def _read_labels(self, source_id: int, number: int) -> None:
        """Read the files of a source again whose labels changed up to a number."""
        known = self.labels.get(source_id, 0)
        # A number ahead of the database's: it was restored from an older copy.
        since = known if known <= number else 0
        changed = changed_files(source_id, since=since, until=number)
        ref_id, sequence = self.have[source_id]
        held = RefFile.objects.filter(
            ref=ref_id, file__in=changed, since__lte=sequence, until=None
        )
        file_ids = list(held.values_list("file_id", flat=True))
        for file_id in changed:
            self.writer.delete_file(file_id)
        for document in read_documents(source_id, file_ids):
            self.writer.add(document)
        self.labels[source_id] = number
        self.done += CatchUp(files_added=len(file_ids), files_removed=len(changed))

    def bring_up(self, source_id: int) -> None:
        """Bring one source up to its current ref, and commit it.

        Asks anew what is wanted: an older sequence than the one that the index holds
        would look like a database restored from an older copy.
        """
        wanted = wanted_sequences().get(source_id)
        if self.have.get(source_id) == wanted:
            return
        self.at_work.add(source_id)
        applied = self._apply(source_id, wanted)  # which may add to `done`
        self.at_work.remove(source_id)
        self.done += applied
        if wanted is not None:
            self.have[source_id] = wanted
        self._commit()

    def _commit(self) -> None:
        labels = dict(self.labels)
        generation = Generation(self.database, dict(self.have), labels=labels)
        _commit(self.writer, self.folder, generation)

    def _apply(self, source_id: int, wanted: tuple[int, int] | None) -> CatchUp:
        if wanted is None:
            self._delete(source_id)
            return CatchUp(sources=1)
        ref_id, sequence = wanted
        known_ref, known_sequence = self.have.get(source_id) or (ref_id, 0)
        # A sequence ahead of the database's: it was restored from an older copy.
        if known_ref != ref_id or not 0 < known_sequence <= sequence:
            self._delete(source_id)
            known_sequence = 0
        if not known_sequence:
            self._note_labels(source_id)
        gone, came = _differences(ref_id, known_sequence, sequence)
        # Asked afterwards: pruning says so before it takes the first interval.
        if _is_pruned(ref_id, known_sequence):
            self._delete(source_id)
            self._note_labels(source_id)
            gone, came = _differences(ref_id, 0, sequence)
        for file_id in gone:
            self.writer.delete_file(file_id)
        for document in read_documents(source_id, came):
            self.writer.add(document)
            if time.monotonic() - self.looked_at > _LOOK_SECONDS:
                self._let_pass()
        return CatchUp(1, len(came), len(gone))

    def _note_labels(self, source_id: int) -> None:
        """Note up to which change the labels hold that a first build is to read."""
        if number := change_numbers().get(source_id):
            self.labels[source_id] = number

    def _delete(self, source_id: int) -> None:
        self.have.pop(source_id, None)
        self.labels.pop(source_id, None)
        self.writer.delete_source(source_id)

    def _let_pass(self) -> None:
        """Apply increments of other sources before the one at work goes on.

        What is committed of that one meanwhile does not count yet: after a pass that
        is cut off, the next one begins it anew, an increment from where it began.
        """
        for source_id in _find_differing(self.have, wanted_sequences()):
            if source_id in self.have and source_id not in self.at_work:
                self.bring_up(source_id)
        self.looked_at = time.monotonic()


def _find_differing(
    have: Mapping[int, tuple[int, int]], wanted: Mapping[int, tuple[int, int]]
) -> list[int]:
    """Return what differs: removals, then increments, then first builds by size."""
    sizes = dict(
        GitRef.objects.filter(is_current=True).values_list(
            "source", "snapshot__file_count"
        )
    )
    differing = [
        source_id
        for source_id in have.keys() | wanted.keys()
        if have.get(source_id) != wanted.get(source_id)
    ]
    return sorted(
        differing,
        key=lambda each: (each in wanted, each not in have, sizes.get(each) or 0),
    )


def _is_pruned(ref_id: int, known_sequence: int) -> bool:
    """Return whether intervals that ended after the known sequence are gone already."""
    behind = GitRef.objects.filter(pk=ref_id, pruned_sequence__gt=known_sequence)
    return known_sequence > 0 and behind.exists()


def _differences(ref_id: int, since: int, now: int) -> tuple[list[int], list[int]]:
    """Return (file ids to remove, file ids to add) between two sequences of a ref."""
    rows = RefFile.objects.filter(ref_id=ref_id)
    changed = rows.filter(Q(until__gt=since) | Q(since__gt=since))
    gone = changed.filter(until__isnull=False, until__lte=now)
    came = rows.filter(since__gt=since, since__lte=now).filter(
        Q(until=None) | Q(until__gt=now)
    )
    entering = list(came.values_list("file_id", flat=True))
    # Entering files are removed first as well, so that a pass can be repeated.
    leaving = set(gone.values_list("file_id", flat=True)) | (
        set(entering) if since else set()
    )
    return sorted(leaving), entering


def announce_activation() -> None:
    """Wake the followers of all hosts when this transaction commits."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")

"""Bring this host's lexical index up to the activated manifests.

Only interval differences are applied: files whose interval ended after the indexed
sequence leave, files whose interval began after it enter.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import structlog
from django.db import connection, transaction
from django.db.models import Q

from devrag.search.lexical.store import (
    Generation,
    LexicalDocument,
    LexicalWriter,
    can_open,
    delete_index,
    read_generation,
    write_generation,
)
from devrag.search.prepared import prepared_cursor
from devrag.sources.models import Chunk, GitRef, RefFile, Symbol

log = structlog.get_logger("devrag.search")
CHANNEL = "devrag_activated"
_FILES_PER_QUERY = 200
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
    if _known(folder, database) == Generation(database, wanted_sequences()):
        return CatchUp()
    with contextlib.closing(_open_writer(folder)) as writer:
        # Read again: whoever held the lock until now may have changed it.
        generation = _known(folder, database)
        if generation is None:
            writer.delete_all()
            _commit(writer, folder, generation := Generation(database))
        return _Pass(writer, folder, database, dict(generation.sequences)).run()


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
    it is built from nothing. The quickest go first, also ahead of a big one that is at
    work: after a commit nobody waits for the first build of another source.
    """

    writer: LexicalWriter
    folder: Path
    database: str
    have: dict[int, tuple[int, int]]
    done: CatchUp = CatchUp()
    looked_at: float = field(default_factory=time.monotonic)
    at_work: set[int] = field(default_factory=set)

    def run(self) -> CatchUp:
        """Bring up one source after the other until none differs."""
        while differing := _find_differing(self.have, wanted_sequences()):
            self.bring_up(differing[0])
        return self.done

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
        generation = Generation(self.database, dict(self.have))
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
        gone, came = _differences(ref_id, known_sequence, sequence)
        # Asked afterwards: pruning says so before it takes the first interval.
        if _is_pruned(ref_id, known_sequence):
            self._delete(source_id)
            gone, came = _differences(ref_id, 0, sequence)
        for file_id in gone:
            self.writer.delete_file(file_id)
        for document in _documents(source_id, came):
            self.writer.add(document)
            if time.monotonic() - self.looked_at > _LOOK_SECONDS:
                self._let_pass()
        return CatchUp(1, len(came), len(gone))

    def _delete(self, source_id: int) -> None:
        self.have.pop(source_id, None)
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


def _documents(source_id: int, file_ids: list[int]) -> Iterator[LexicalDocument]:
    for start in range(0, len(file_ids), _FILES_PER_QUERY):
        part = file_ids[start : start + _FILES_PER_QUERY]
        definitions = _definitions(part)
        chunks = Chunk.objects.filter(file_id__in=part).order_by("file", "ordinal")
        for row in chunks.values(*_CHUNK_FIELDS).iterator(chunk_size=2000):
            key = row["file_id"], row["symbol_ordinal"]
            defined = definitions.get(key, _NOTHING_DEFINED)
            is_first = defined.chunk_ordinal == row["ordinal"]
            yield LexicalDocument(
                chunk_id=row["pk"],
                file_id=row["file_id"],
                source_id=source_id,
                body=row["text"],
                path=row["file__path"],
                # Further pieces of a definition do not define its name again.
                symbols=defined.name if is_first else "",
                headings=f"{row['title']} {row['heading']}",
                header=row["header"],
                is_generated=row["file__is_generated"],
                language=row["file__language"],
                mime=row["file__mime"],
                kinds=tuple(
                    filter(None, (row["file__kind"], row["kind"], defined.kind))
                ),
                complexity=defined.complexity,
            )


_CHUNK_FIELDS = (
    *("pk", "file_id", "ordinal", "kind", "text", "header", "heading", "title"),
    *("symbol_ordinal", "file__path", "file__is_generated"),
    *("file__language", "file__mime", "file__kind"),
)


class _Definition(NamedTuple):
    """A definition with the first chunk of its body."""

    chunk_ordinal: int | None = None
    name: str = ""
    kind: str = ""
    complexity: int = 0


_NOTHING_DEFINED = _Definition()


def _definitions(file_ids: list[int]) -> dict[tuple[int, int | None], _Definition]:
    """Return definitions with text of their own by file and ordinal."""
    rows = Symbol.objects.filter(file_id__in=file_ids, chunk_ordinal__isnull=False)
    return {
        (file_id, ordinal): _Definition(first, name, kind, complexity or 0)
        for file_id, ordinal, first, name, kind, complexity in rows.values_list(
            *("file_id", "ordinal", "chunk_ordinal", "qualified_name", "kind"),
            "complexity",
        )
    }


def announce_activation() -> None:
    """Wake the followers of all hosts when this transaction commits."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")

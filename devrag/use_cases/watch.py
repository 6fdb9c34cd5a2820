"""Watch sources on this machine: mark what changes at once, index it soon after.

A change is marked within a moment; the index run waits until things are quiet, but
never long under constant change. Folders are told by the system; a repository's refs,
few and replaced whole, are looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from watchfiles import Change, watch

from devrag.core.errors import DevragError, InvalidInput, NotFound
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job, JobState
from devrag.sources.api import (
    Identity,
    Selection,
    Stamp,
    clear_dirty,
    file_stamps,
    identity,
    is_unicode,
    mark_dirty,
    ref_stamps,
    wanted_paths,
)
from devrag.sources.models import Source
from devrag.sources.services import source_selection
from devrag.use_cases.index import request_index

QUIET_SECONDS = 2.0
LONGEST_WAIT_SECONDS = 30.0
_TICK_MILLISECONDS = 500
_GROUP_MILLISECONDS = 200
_POLL_MILLISECONDS = 2_000
_FIND_SECONDS = 5.0

Events = set[tuple[Change, str]]


def _key(source: Source) -> tuple[int, str]:
    """Return what tells a watched source from the same one with other settings."""
    return source.pk, repr(sorted(source.metadata.items()))


@dataclass
class Unrest:
    """When changes began and when the last one came; seconds of one clock."""

    began: float | None = None
    last: float = 0.0

    def note(self, now: float) -> None:
        """Count a change."""
        self.began = now if self.began is None else self.began
        self.last = now

    def put_off(self, now: float) -> None:
        """Wait as long as ever before it counts as over, unless more changes."""
        self.began, self.last = now, now + LONGEST_WAIT_SECONDS

    def is_over(self, now: float) -> bool:
        """Return whether it is quiet now, or has been restless for long enough."""
        if self.began is None:
            return False
        due = min(self.last + QUIET_SECONDS, self.began + LONGEST_WAIT_SECONDS)
        return now >= due


@dataclass
class Watched:
    """A source with what changed since its last index run was asked for.

    unmarked: changed paths whose chunks are not marked yet.
    """

    source: Source
    root: Path
    selection: Selection
    unrest: Unrest = field(default_factory=Unrest)
    paths: set[str] = field(default_factory=set)
    unmarked: set[str] = field(default_factory=set)
    job: Job | None = None
    place: Identity | None = None
    stamps: frozenset[Stamp] = frozenset()

    @property
    def is_looked_at(self) -> bool:
        """Return whether few files tell all.

        A repository's refs, or the one document.
        """
        return self.source.source_type == Source.Type.GIT or self.root.is_file()

    def look(self) -> frozenset[Stamp]:
        """Return the stamps of those files."""
        if self.source.source_type == Source.Type.GIT:
            return ref_stamps(self.root)
        return file_stamps(self.root) if self.root.is_file() else frozenset()


def watchable_sources(names: Sequence[str]) -> list[Source]:
    """Return the named sources, or all that lie on this machine."""
    here = Source.objects.filter(host=settings.HOST_NAME, metadata__has_key="path")
    if not names:
        found = list(here)
        if not found:
            raise InvalidInput(
                "There are no sources on this machine. Add a folder: devrag index "
                "PATH --product NAME"
            )
        return found
    missing = set(names) - set(here.values_list("name", flat=True))
    if missing:
        raise NotFound(f"There is no source '{min(missing)}' on this machine.")
    return list(here.filter(name__in=names))


def watchable_folders() -> list[Source]:
    """Return the folders and documents on this machine, for who watches them all."""
    here = Source.objects.filter(host=settings.HOST_NAME, metadata__has_key="path")
    return list(here.exclude(source_type=Source.Type.GIT).select_related("product"))


class Watcher:
    """Watches until `stop` is set. tell: gets a line for people at each event.

    find: looked at every few seconds for the sources to watch; those that come while it
    runs are being indexed by whoever added them. None: always those that are given.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        tell: Callable[[str], object],
        stop: Event,
        find: Callable[[], Sequence[Source]] | None = None,
    ) -> None:
        self._tell = tell
        self._stop = stop
        self._find = find
        self._found_at = time.monotonic()
        self._is_polling = False
        self._is_database_away = False
        self._watched = list(self._begin(sources))

    def _begin(self, sources: Iterable[Source]) -> Iterator[Watched]:
        """Yield sources to watch; what is set of one may be no selection."""
        for source in sources:
            try:
                selection = source_selection(source)
            except DevragError as error:
                self._tell(f"{source.name}: not watched, {error.message}")
                continue
            yield Watched(source, Path(source.metadata["path"]), selection)

    def _find_sources(self) -> None:
        """Take up what is there now, let go of what is not or is set otherwise."""
        if self._find is None or time.monotonic() - self._found_at < _FIND_SECONDS:
            return
        self._found_at = time.monotonic()
        found = {_key(source): source for source in self._find()}
        kept = [each for each in self._watched if _key(each.source) in found]
        known = {_key(each.source) for each in kept}
        new = [source for key, source in found.items() if key not in known]
        begun = list(self._begin(new))
        for watched in begun:
            watched.place, watched.stamps = identity(watched.root), watched.look()
            self._tell(f"Watching {watched.source.name}.")
        self._watched = [*kept, *begun]

    def run(self) -> None:
        """Index what changed while nobody watched, then watch."""
        self._step(set())
        while not self._stop.is_set():
            folders = self._folders()
            for events in self._events(list(folders)):
                self._step(events)
                # A folder that came, went or was replaced needs another watch.
                if self._folders() != folders:
                    break

    def _folders(self) -> dict[Path, Identity]:
        watched = (w for w in self._watched if not w.is_looked_at)
        return {w.root: place for w in watched if (place := identity(w.root))}

    def _events(self, folders: Sequence[Path]) -> Iterator[Events]:
        """Yield what happened, and nothing every half second when nothing did."""
        if not folders:
            while not self._stop.wait(_TICK_MILLISECONDS / 1000):
                yield set()
            return
        try:
            yield from watch(
                *folders,
                watch_filter=None,
                debounce=_GROUP_MILLISECONDS,
                rust_timeout=_TICK_MILLISECONDS,
                yield_on_timeout=True,
                stop_event=self._stop,
                force_polling=self._is_polling or None,
                poll_delay_ms=_POLL_MILLISECONDS,
                ignore_permission_denied=True,
                raise_interrupt=True,
            )
        except FileNotFoundError:
            return  # gone between two looks: the next one says so
        except OSError as error:
            if self._is_polling:
                raise
            self._is_polling = True
            self._tell(
                f"The system cannot watch more files ({error}); checking for changes "
                f"every {_POLL_MILLISECONDS // 1000} s instead. Raise "
                "fs.inotify.max_user_watches to be notified sooner."
            )

    def _step(self, events: Events) -> None:
        for watched in self._watched:
            self._note(watched, events)
        try:
            close_old_connections()
            self._find_sources()
            for watched in self._watched:
                self._mark(watched)
            self._look()
        except OperationalError as error:
            connection.close()
            if not self._is_database_away:
                self._tell(f"Cannot reach the database, trying again: {error}")
            self._is_database_away = True
        else:
            self._is_database_away = False

    def _note(self, watched: Watched, events: Events) -> None:
        """Remember what changed; needs no database."""
        if watched.is_looked_at:
            return
        prefix = f"{watched.root}/"
        paths = {
            path.removeprefix(prefix)
            for _, path in events
            if path.startswith(prefix) and is_unicode(path)
        }
        changed = wanted_paths(watched.root, paths, watched.selection)
        if changed:
            watched.paths |= changed
            watched.unmarked |= changed
            watched.unrest.note(time.monotonic())

    def _mark(self, watched: Watched) -> None:
        if watched.unmarked:
            mark_dirty(source=watched.source, paths=watched.unmarked)
            watched.unmarked = set()

    def _look(self) -> None:
        """See to jobs, vanished folders, moved refs, and what is due."""
        for watched in self._watched:
            self._look_at_place(watched)
            if watched.job is not None:
                self._look_at_job(watched)
            elif watched.place and watched.unrest.is_over(time.monotonic()):
                self._request(watched)

    def _look_at_place(self, watched: Watched) -> None:
        place = identity(watched.root)
        if place is None:
            if watched.place is not None:
                self._tell(f"{watched.root} does not exist any more; waiting for it.")
            watched.place = None
            return
        stamps = watched.look()
        if (place, stamps) != (watched.place, watched.stamps):
            watched.unrest.note(time.monotonic())
        watched.place, watched.stamps = place, stamps

    def _request(self, watched: Watched) -> None:
        count = len(watched.paths)
        try:
            watched.job = request_index(principal=SYSTEM, source=watched.source)
        except DevragError as error:
            watched.unrest.put_off(time.monotonic())
            self._tell(f"{watched.source.name}: {error.message}")
            return
        watched.unrest, watched.paths = Unrest(), set()
        what = f"{count} changed paths" if count else "checking for changes"
        self._tell(f"{watched.source.name}: {what}, indexing.")

    def _look_at_job(self, watched: Watched) -> None:
        job = Job.objects.filter(pk=watched.job.pk).first() if watched.job else None
        while job is not None and job.superseded_by is not None:
            job = job.superseded_by
        if job is not None and job.is_open:
            return
        if job is None or job.state != JobState.COMPLETED:
            watched.job = None
            why = job.error or job.state if job else "its job was deleted"
            self._tell(f"{watched.source.name}: not indexed, {why}")
            return
        clear_dirty(source=watched.source, besides=watched.paths)
        watched.job = None
        counts = ", ".join(
            f"{job.report.get(key, 0)} {key}"
            for key in ("added", "modified", "removed")
        )
        self._tell(f"{watched.source.name}: up to date ({counts}).")

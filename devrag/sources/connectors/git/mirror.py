"""The bare mirror of one repository: branches and tags, nothing checked out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import structlog

from devrag.core.errors import SourceError
from devrag.core.hashing import sha256_hex
from devrag.core.text import slugify_ascii
from devrag.sources.addresses import source_name_from_url
from devrag.sources.connectors.git.commands import GitCommands
from devrag.sources.connectors.git.failures import Damaged
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.connectors.git.refs import (
    DETACHED,
    HEADS,
    TAGS,
    Refs,
    parse_for_each_ref,
)

Progress = Callable[[str], None]

_log = structlog.get_logger(__name__)

_LOCK_TIMEOUT_SECONDS = 120
_MANY_PACKS = 30
_DAMAGED, _REBUILT = "devrag-damaged", "devrag-rebuilt"
_REPACK = ("repack", "-a", "-d", "-q", "--cruft", "--cruft-expiration=2.weeks.ago")
_PACK_REFS = ("pack-refs", "--all")
_FETCH = (
    "fetch",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
    "--no-tags",
    "--no-write-fetch-head",
    "--progress",
    "--prune",
    "--update-shallow",
    "--",
)


def mirror_path(repos_dir: Path, url: str) -> Path:
    """Return where the mirror of a checked URL or path lives."""
    name = slugify_ascii(source_name_from_url(url), "repository")
    return repos_dir / f"{name[:40]}-{sha256_hex(url)[:16]}.git"


def note_damage(path: Path) -> bool:
    """Let the next fetch begin anew; False when it did so already."""
    if not path.is_dir() or (path / _REBUILT).exists():
        return False
    (path / _DAMAGED).touch()
    return True


class Mirror:
    """local: git that reaches the mirror only. remote: git that reaches the source."""

    def __init__(self, path: Path, local: GitCommands, remote: GitCommands) -> None:
        self._path = path
        self._local = local
        self._remote = remote

    def update(self, url: str, wanted: Refs, on_progress: Progress | None) -> Refs:
        """Fetch unless everything is there; return the refs of the mirror."""
        with _locked(self._path, on_progress) as descriptor:
            fetch = partial(self._fetch, url, wanted, on_progress, descriptor)
            if not (self._path / "HEAD").exists():
                self._create(fetch)
            elif (self._path / _DAMAGED).exists():
                self._rebuild(fetch)
            elif self._refs(wanted.head).objects != wanted.objects:
                try:
                    fetch()
                    self._tidy(descriptor)
                except Damaged:
                    self._rebuild(fetch)
                else:
                    (self._path / _REBUILT).unlink(missing_ok=True)
            return self._refs(wanted.head)

    def _create(self, fetch: Callable[[], None]) -> None:
        try:
            self._local.text("init", "--bare", "--quiet", "--template=")
            fetch()
        except BaseException:
            shutil.rmtree(self._path, ignore_errors=True)
            raise

    def _rebuild(self, fetch: Callable[[], None]) -> None:
        """Fetch everything into a new mirror; the old one goes when it is complete."""
        aside = self._path.with_suffix(".damaged")
        shutil.rmtree(aside, ignore_errors=True)
        self._path.rename(aside)
        try:
            self._create(fetch)
        except BaseException:
            aside.rename(self._path)
            raise
        (self._path / _REBUILT).touch()
        shutil.rmtree(aside)

    def _fetch(
        self,
        url: str,
        wanted: Refs,
        on_progress: Progress | None,
        descriptor: int,
    ) -> None:
        self._remove_leftovers()
        refspecs = [f"+{prefix}*:{prefix}*" for prefix in (HEADS, TAGS)]
        if DETACHED in wanted.objects:
            refspecs.append(f"+HEAD:{DETACHED}")
        else:
            self._local.text("update-ref", "-d", DETACHED)
        self._remote.watched(
            *_FETCH, url, *refspecs, on_line=on_progress, keep_open=(descriptor,)
        )

    def _tidy(self, descriptor: int) -> None:
        """Put many packs into one; what no ref reaches stays for running readers."""
        packs = list(self._path.glob("objects/pack/*.pack"))
        if len(packs) <= _MANY_PACKS:
            return
        try:
            for command in (_REPACK, _PACK_REFS):
                self._local.watched(*command, on_line=None, keep_open=(descriptor,))
        except Damaged:
            raise
        except SourceError as error:  # a full disk: what was fetched is there
            _log.warning("mirror_not_repacked", path=self._path.name, reason=str(error))

    def _remove_leftovers(self) -> None:
        """Remove what a killed fetch left; nobody else writes while we hold the lock.

        A fetch that outlived its parent still holds the lock, so we are not here then.
        """
        leftovers = [*self._path.glob("*.lock"), *self._path.glob("refs/**/*.lock")]
        leftovers += self._path.glob("objects/pack/tmp_*")
        for leftover in leftovers:
            leftover.unlink(missing_ok=True)

    def _refs(self, head: str) -> Refs:
        output = self._local.text(
            "for-each-ref", "--format=%(objectname) %(refname)", HEADS, TAGS, DETACHED
        )
        return parse_for_each_ref(output, head)


def _locked(path: Path, on_progress: Progress | None) -> AbstractContextManager[int]:
    def tell_waiting() -> None:
        if on_progress:
            on_progress("waiting for another process to finish fetching")

    return exclusive_lock(
        path.with_suffix(".lock"),
        timeout_seconds=_LOCK_TIMEOUT_SECONDS,
        on_wait=tell_waiting,
    )

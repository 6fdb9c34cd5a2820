"""The bare mirror of one repository: branches and tags, nothing checked out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from devrag.core.hashing import sha256_hex
from devrag.core.text import slugify_ascii
from devrag.sources.addresses import source_name_from_url
from devrag.sources.connectors.git.commands import GitCommands
from devrag.sources.connectors.git.lock import exclusive_lock
from devrag.sources.connectors.git.refs import (
    DETACHED,
    HEADS,
    TAGS,
    Refs,
    parse_for_each_ref,
)

_LOCK_TIMEOUT_SECONDS = 120
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


class Mirror:
    """local: git that reaches the mirror only. remote: git that reaches the source."""

    def __init__(self, path: Path, local: GitCommands, remote: GitCommands) -> None:
        self._path = path
        self._local = local
        self._remote = remote

    def update(
        self, url: str, wanted: Refs, on_progress: Callable[[str], None] | None
    ) -> Refs:
        """Fetch unless everything is there; return the refs of the mirror."""

        def tell_waiting() -> None:
            if on_progress:
                on_progress("waiting for another process to finish fetching")

        with exclusive_lock(
            self._path.with_suffix(".lock"),
            timeout_seconds=_LOCK_TIMEOUT_SECONDS,
            on_wait=tell_waiting,
        ) as descriptor:
            is_new = not (self._path / "HEAD").exists()
            if is_new:
                self._local.text("init", "--bare", "--quiet", "--template=")
            elif self._refs(wanted.head).objects == wanted.objects:
                return wanted
            try:
                self._fetch(url, wanted, on_progress, descriptor)
            except BaseException:
                if is_new:
                    shutil.rmtree(self._path)
                raise
        return self._refs(wanted.head)

    def _fetch(
        self,
        url: str,
        wanted: Refs,
        on_progress: Callable[[str], None] | None,
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

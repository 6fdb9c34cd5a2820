"""Read a git mirror of this host while a page waits: bounded in time and in output."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import structlog
from django.utils.translation import gettext

from devrag.core.environments import minimal_environment
from devrag.core.errors import ServiceUnavailable
from devrag.sources.connectors.git.environment import local_environment
from devrag.sources.mirrors import mirror_of
from devrag.sources.models import Source

_log = structlog.get_logger(__name__)

# A page waits for this; the history of a file of the Linux kernel takes longer.
SECONDS = 2.0
_PORTION = 65_536
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class HistoryUnavailable(ServiceUnavailable):
    """The history of a source cannot be read here, or not in time."""

    code = "history_unavailable"


@dataclass(frozen=True, slots=True)
class GitReader:
    """Runs git commands that only read one mirror. name: of its source."""

    name: str
    mirror: Path

    @classmethod
    def of(cls, source: Source, repos_dir: Path) -> GitReader:
        """Return the reader of a source; HistoryUnavailable where it has no mirror."""
        mirror = mirror_of(source, repos_dir)
        if mirror is None:
            raise HistoryUnavailable(
                gettext("%(source)s is not a git repository, so it has no history.")
                % {"source": source.name}
            )
        if not (mirror / "HEAD").exists():
            raise HistoryUnavailable(
                gettext(
                    "The clone of %(source)s is not on this server. Index the source "
                    "here to read its history."
                )
                % {"source": source.name}
            )
        return cls(source.name, mirror)

    def read(self, *arguments: str, seconds: float = SECONDS) -> bytes:
        """Return what git writes; HistoryUnavailable when it fails or takes longer."""
        try:
            done = subprocess.run(
                ("git", *arguments),
                env=self._environment(),
                cwd=self.mirror,
                capture_output=True,
                timeout=seconds,
                check=True,
            )
        except subprocess.TimeoutExpired as error:
            raise self._too_slow(seconds) from error
        except (OSError, subprocess.SubprocessError) as error:
            raise self._failed(error) from error
        return done.stdout

    def text(self, *arguments: str, seconds: float = SECONDS) -> str:
        """Return what git writes as text."""
        return self.read(*arguments, seconds=seconds).decode("utf-8", "replace")

    def succeeds(self, *arguments: str) -> bool:
        """Return whether a command ends with 0; HistoryUnavailable when it is slow."""
        try:
            done = subprocess.run(
                ("git", *arguments),
                env=self._environment(),
                cwd=self.mirror,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise self._too_slow(SECONDS) from error
        except OSError as error:
            raise self._failed(error) from error
        return done.returncode == 0

    @contextmanager
    def stream(self, *arguments: str, seconds: float = SECONDS) -> Iterator[Stream]:
        """Read what git writes as it comes; leaving the block or the limit ends it."""
        process = subprocess.Popen(
            ("git", *arguments),
            env=self._environment(),
            cwd=self.mirror,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        timer = Timer(seconds, process.kill)
        timer.start()
        try:
            yield Stream(process)
        finally:
            timer.cancel()
            process.kill()
            if process.stdout:
                process.stdout.close()
            process.wait()

    def check_commit(self, name: str) -> str:
        """Return a whole commit hash; HistoryUnavailable for any other text."""
        if not _COMMIT.fullmatch(name):
            raise self._failed(ValueError("no commit hash"))
        return name

    def _environment(self) -> dict[str, str]:
        return minimal_environment() | local_environment(self.mirror)

    def _too_slow(self, seconds: float) -> HistoryUnavailable:
        _log.info("history_too_slow", source=self.name, seconds=seconds)
        return HistoryUnavailable(
            gettext("git did not respond within %(seconds)s seconds.")
            % {"seconds": f"{seconds:g}"}
        )

    def _failed(self, error: Exception) -> HistoryUnavailable:
        _log.info("history_not_read", source=self.name, reason=str(error)[:200])
        return HistoryUnavailable(
            gettext("git could not read the history of %(source)s.")
            % {"source": self.name}
        )


@dataclass(frozen=True, slots=True)
class Stream:
    """The output of a running git."""

    process: subprocess.Popen[bytes]

    def records(self, end: bytes) -> Iterator[str]:
        """Yield what stands between two marks, as far as it came in time."""
        left = b""
        output = self.process.stdout
        while output and (portion := os.read(output.fileno(), _PORTION)):
            *whole, left = (left + portion).split(end)
            yield from (each.decode("utf-8", "replace") for each in whole)
        if left and self.process.wait() == 0:
            yield left.decode("utf-8", "replace")

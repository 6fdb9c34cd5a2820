"""Runs git and turns its failures into ours.

The processes are GitPython's, which end with whoever reads them, but started here:
GitPython passes our whole environment on, with every key in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from signal import SIGKILL
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Any

# Without this, a machine without git could not even import the library.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")

from git.cmd import Git

from devrag.core.environments import minimal_environment
from devrag.core.errors import ConfigurationError, DevragError
from devrag.core.texts import gettext
from devrag.sources.paths import printable

_OLDEST = (2, 37)  # the first to know http.curloptResolve
_BLOCK = 1 << 16
# A longer record names a path that nobody indexes; its end is not kept.
_MAX_RECORD_BYTES = 1 << 16
# Of what a command writes to stderr, its end is kept.
_MAX_STDERR_BYTES = 1 << 16
_WINDOW = 45
_LINE_END = re.compile(rb"[\r\n]")


class GitCommands:
    """git in one environment. Raises what `explain` makes of stderr.

    prefix: a program and its arguments that start git.
    """

    def __init__(
        self,
        directory: Path,
        environment: Mapping[str, str],
        explain: Callable[[str], DevragError],
        prefix: Sequence[str] = (),
    ) -> None:
        self._prefix = tuple(prefix)
        self._directory = directory
        self._environment = dict(environment)
        self._explain = explain

    def check_installed(self) -> None:
        """Refuse to work without a git that can be pinned to checked addresses."""
        found = re.search(r"\d+(?:\.\d+)+", self.text("version"))
        version = found[0] if found else "0.0"
        if tuple(map(int, version.split(".")[:2])) < _OLDEST:
            raise ConfigurationError(
                gettext("git %(version)s is too old; install 2.37 or newer.")
                % {"version": version}
            )

    def text(self, *arguments: str, timeout_seconds: float | None = None) -> str:
        """Return what a command prints; undecodable bytes as surrogates."""
        status, output, stderr = self._run(arguments, timeout_seconds)
        if status:
            raise self._explain(stderr)
        return output

    def succeeds(self, *arguments: str) -> bool:
        """Return whether a command that answers by its exit code says yes."""
        status, _, stderr = self._run(arguments, None)
        if status > 1:
            raise self._explain(stderr)
        return status == 0

    def optional_text(self, *arguments: str) -> str:
        """Return what a command prints; '' when it fails."""
        status, output, _ = self._run(arguments, None)
        return "" if status else output

    def records(self, *arguments: str) -> Iterator[bytes]:
        """Yield the NUL-terminated records a command prints, as they come."""
        process = self._start(arguments)
        rest, said = b"", b""
        for stream, block in _blocks(process.stdout, process.stderr):
            if stream is process.stderr:
                said = (said + block)[-_MAX_STDERR_BYTES:]
                continue
            *complete, rest = (rest + block).split(b"\0")
            rest = rest[:_MAX_RECORD_BYTES]
            yield from complete
        self._finish(process, said)

    def watched(
        self,
        *arguments: str,
        on_line: Callable[[str], None] | None,
        keep_open: tuple[int, ...],
    ) -> None:
        """Run a command that reports its progress.

        keep_open: descriptors it inherits, so that a lock outlives us with the command.
        """
        process = self._start(arguments, pass_fds=keep_open)
        said: list[bytes] = []
        rest = b""
        while block := process.stderr.read1(_BLOCK):
            *lines, rest = _LINE_END.split(rest + block)
            said = [*said, *lines][-20:]
            if on_line and lines:
                on_line(lines[-1].decode("utf-8", "replace").strip())
        self._finish(process, b"\n".join([*said, rest]))

    def blobs(self, digests: Iterable[str]) -> Generator[bytes, None, None]:
        """Yield objects' bytes in order, from a process that works ahead."""
        for size, output in self._ask("--batch", digests):
            data = output.read(size)
            if len(data) != size or output.read(1) != b"\n":
                raise self._explain("missing object")
            yield data

    def sizes(self, digests: Iterable[str]) -> Generator[int, None, None]:
        """Yield objects' sizes in order."""
        for size, _ in self._ask("--batch-check", digests):
            yield size

    def _ask(self, option: str, digests: Iterable[str]) -> Iterator[tuple[int, Any]]:
        """Yield each object's size, and the stream where its bytes come next.

        Two windows of questions fit into the smallest pipe (4,096 bytes), so that
        writing never waits for a git that waits for us to read.
        """
        windows = _windows(digests)
        asked = next(windows, [])
        if not asked:
            return
        process = self._start(("cat-file", option), stdin=PIPE)
        try:
            self._send(process, asked)
            while asked:
                following = next(windows, [])
                self._send(process, following)
                for _ in asked:
                    yield self._size(process), process.stdout
                asked = following
        finally:
            process.proc.kill()
            process.proc.communicate()

    def _send(self, process: Any, digests: Iterable[str]) -> None:
        try:
            process.stdin.write("".join(f"{d}\n" for d in digests).encode("ascii"))
            process.stdin.flush()
        except BrokenPipeError as error:
            raise self._died(process) from error

    def _size(self, process: Any) -> int:
        *_, last = process.stdout.readline().split() or [b""]
        if not last:
            raise self._died(process)
        if not last.isdigit():
            raise self._explain("missing object")
        return int(last)

    def _died(self, process: Any) -> DevragError:
        stderr = process.stderr.read()
        return self._explain(_shown(stderr) or "missing object")

    def _run(
        self, arguments: tuple[str, ...], timeout_seconds: float | None
    ) -> tuple[int, str, str]:
        is_limited = timeout_seconds is not None
        process = self._popen(arguments, process_group=0 if is_limited else None)
        try:
            output, stderr = process.communicate(timeout=timeout_seconds)
        except TimeoutExpired as error:
            # With what talks to the host for it.
            os.killpg(process.pid, SIGKILL)
            process.communicate()
            raise self._explain(f"timed out after {timeout_seconds} s") from error
        text = os.fsdecode(output.removesuffix(b"\n"))
        return abs(process.returncode), text, _shown(stderr)

    def _start(self, arguments: tuple[str, ...], **options: Any) -> Any:
        return Git.AutoInterrupt(self._popen(arguments, **options), arguments)

    def _popen(
        self,
        arguments: tuple[str, ...],
        *,
        stdin: int = DEVNULL,
        pass_fds: tuple[int, ...] = (),
        process_group: int | None = None,
    ) -> Popen[bytes]:
        try:
            return Popen(
                self._command(arguments),
                cwd=self._directory if self._directory.is_dir() else None,
                env=minimal_environment() | self._environment,
                stdin=stdin,
                stdout=PIPE,
                stderr=PIPE,
                pass_fds=pass_fds,
                process_group=process_group,
            )
        except FileNotFoundError as error:
            raise _no_git() from error

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        return [*self._prefix, str(Git.GIT_PYTHON_GIT_EXECUTABLE), *arguments]

    def _finish(self, process: Any, stderr: bytes) -> None:
        # The Popen inside: GitPython's own wait() raises with its own message.
        status = process.proc.wait()
        process.stdout.close()
        process.stderr.close()
        if status:
            raise self._explain(_shown(stderr))


def _blocks(*streams: Any) -> Iterator[tuple[Any, bytes]]:
    """Yield what comes from each of the streams, so that none of them fills up."""
    with DefaultSelector() as selector:
        for stream in streams:
            selector.register(stream, EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                if block := key.fileobj.read1(_BLOCK):  # type: ignore[union-attr]
                    yield key.fileobj, block
                else:
                    selector.unregister(key.fileobj)


def _shown(stderr: bytes) -> str:
    return printable(os.fsdecode(stderr)).strip()


def _windows(digests: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(digests)
    while window := list(islice(rest, _WINDOW)):
        yield window


def _no_git() -> ConfigurationError:
    return ConfigurationError(
        gettext("git is not installed. Install git 2.37 or newer.")
    )

"""The parser process as its users see it: started on demand, limited, replaced."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from devrag.parsing.chunking import DEFAULT_CHUNKING, ChunkOptions
from devrag.parsing.isolated.messages import (
    EXIT_MEMORY,
    LENGTH,
    Answer,
    Item,
    Kind,
    frame,
)
from devrag.parsing.placed import Placed
from devrag.parsing.types import (
    PARSER_CRASH,
    PARSER_MEMORY,
    PARSER_TIMEOUT,
    REASONS,
    FileFacts,
    unparsed,
)

log = structlog.get_logger("devrag.parsing")
_ROOT = Path(__file__).parents[3]
_CHILD = "devrag.parsing.isolated.child"
_WAIT_SECONDS = 1.0
_READ_BYTES = 1 << 20
# The child parses ahead while its answers are being stored.
_PIPE_BYTES = 1 << 20
# Sent by an operator or the system's out-of-memory killer, perhaps for another's sake.
_FROM_OUTSIDE = {signal.SIGKILL, signal.SIGTERM, signal.SIGHUP}
# A child that died with more than this share of its limit in use wanted still more:
# most of what parsers hold doubles when it grows.
_MEMORY_SHARE = 0.4
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class UnreadableData(ValueError):
    """A data file that is broken, or that takes too much time or memory to read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost.

    memory_bytes: beyond what the process needs for itself. cpu_seconds: processor time,
    so that other work on the machine changes nothing. wall_seconds: until an answer, in
    case that the process stands still.
    """

    memory_bytes: int = 1_000_000_000
    cpu_seconds: float = 10.0
    wall_seconds: float = 60.0


_DEFAULT = Limits()


class _ChildEnded(Exception):
    """The child ended without an answer. code: what the file did, '' for nothing."""

    def __init__(self, code: str = "", *, is_from_outside: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.is_from_outside = is_from_outside


def _ignore() -> None:
    """Most callers have nothing to do while they wait."""


class ParserProcess:
    """A child process that parses; it starts with the first use.

    Threads take turns. A caller finishes or closes what parse_files() gave it before
    it asks for anything else.
    """

    def __init__(self, limits: Limits = _DEFAULT) -> None:
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self._received = bytearray()
        self._turn = threading.Lock()
        atexit.register(self.close)

    def parse_files(
        self,
        files: Iterable[tuple[str, str]],
        chunking: ChunkOptions = DEFAULT_CHUNKING,
        *,
        windows_code: str = "",
        on_wait: Callable[[], None] = _ignore,
    ) -> Generator[FileFacts]:
        """Yield the facts of (path, text) pairs in their order; never raises for them.

        windows_code: make windows of all of them, for this reason. on_wait: called
        about once a second while a file takes long; what it raises ends the child and
        comes through.
        """
        kind = Kind.WINDOWS if windows_code else Kind.FACTS
        items = (Item(kind, path, text, windows_code, chunking) for path, text in files)
        for answer in self._answers(deque(items), on_wait):
            yield answer.value

    def load(self, kind: Kind, path: str, text: str) -> Placed:
        """Return a JSON, TOML or YAML text as plain data; may raise UnreadableData."""
        [answer] = self._answers(deque([Item(kind, path, text)]), _ignore)
        if isinstance(answer.value, Placed):
            return answer.value
        raise UnreadableData(answer.error)

    def close(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        self._received.clear()
        if child is None:
            return
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        # After a fork this may be the copy of another process's child.
        if child.returncode is None and self._owner == os.getpid():
            child.kill()
            child.wait()

    def _answers(
        self, left: deque[Item], on_wait: Callable[[], None]
    ) -> Generator[Answer]:
        """Yield an answer for each item; a caller that stops early ends the child."""
        is_second_try = False
        with self._turn, self._closing_unless_done(left):
            while left:
                try:
                    self._send(list(left))
                    while left:
                        answer = self._receive(on_wait)
                        left.popleft()
                        is_second_try = False
                        yield answer
                except _ChildEnded as ended:
                    self.close()
                    if ended.is_from_outside and not is_second_try:
                        is_second_try = True
                    elif ended.code:
                        yield from _without(left, ended.code)

    @contextlib.contextmanager
    def _closing_unless_done(self, left: deque[Item]) -> Iterator[None]:
        """End a child that still works on what nobody waits for any more."""
        try:
            yield
        finally:
            if left:
                self.close()

    def _send(self, items: list[Item]) -> None:
        data = memoryview(frame(pickle.dumps(items, pickle.HIGHEST_PROTOCOL)))
        stdin = self._running().stdin
        deadline = time.monotonic() + self._limits.wall_seconds
        while data:
            if not _is_ready(stdin, select.POLLOUT, deadline):
                raise _ChildEnded(PARSER_TIMEOUT)
            try:
                data = data[os.write(stdin.fileno(), data) :]  # type: ignore[union-attr]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._death() from None

    def _receive(self, on_wait: Callable[[], None]) -> Answer:
        deadline = time.monotonic() + self._limits.wall_seconds
        (length,) = LENGTH.unpack(self._read(LENGTH.size, deadline, on_wait))
        answer: Answer = pickle.loads(  # noqa: S301  from our own child
            self._read(length, deadline, on_wait)
        )
        return answer

    def _read(
        self, length: int, deadline: float, on_wait: Callable[[], None]
    ) -> bytearray:
        """Return so many bytes of what the child wrote."""
        stdout = self._running().stdout
        while len(self._received) < length:
            wait_until = min(deadline, time.monotonic() + _WAIT_SECONDS)
            if _is_ready(stdout, select.POLLIN, wait_until):
                data = os.read(stdout.fileno(), _READ_BYTES)  # type: ignore[union-attr]
                if not data:
                    raise self._death()
                self._received += data
            elif time.monotonic() >= deadline:
                raise _ChildEnded(PARSER_TIMEOUT)
            else:
                on_wait()
        found = self._received[:length]
        del self._received[:length]
        return found

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._owner != os.getpid():
            self._child = self._start()
        return self._child

    def _start(self) -> subprocess.Popen[bytes]:
        limits = (self._limits.memory_bytes, self._limits.cpu_seconds)
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD, *map(str, limits)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=_environment(),
        )
        os.set_blocking(child.stdin.fileno(), False)  # type: ignore[union-attr]
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with contextlib.suppress(OSError):  # a limit of this user's pipes
                fcntl.fcntl(child.stdout, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)  # type: ignore[arg-type]
        self._owner = os.getpid()
        return child

    def _death(self) -> _ChildEnded:
        """Return why the child ended, by its exit status and the memory it had."""
        child = self._running()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        memory = usage.ru_maxrss * _RSS_UNIT
        log.info("parser process ended", status=code, memory_mb=memory // 10**6)
        if code == 0:  # idle for long, or given back much memory
            return _ChildEnded()
        if code == -signal.SIGPROF:
            return _ChildEnded(PARSER_TIMEOUT)
        if code == EXIT_MEMORY or memory > _MEMORY_SHARE * self._limits.memory_bytes:
            return _ChildEnded(PARSER_MEMORY)
        if code > 0:
            raise RuntimeError(
                f"The parser process ended with status {code}; see this process's "
                "standard error for its traceback."
            )
        return _ChildEnded(PARSER_CRASH, is_from_outside=-code in _FROM_OUTSIDE)


def _without(left: deque[Item], code: str) -> Iterator[Answer]:
    """Have the first item made windows next time, or yield what is left without it."""
    item = left[0]
    log.warning("file stopped its parser", path=item.path, reason=code)
    if item.kind == Kind.FACTS:
        left[0] = Item(Kind.WINDOWS, item.path, item.text, code)
        return
    left.popleft()
    if item.kind == Kind.WINDOWS:
        yield Answer(unparsed(item.path, code))
    else:
        yield Answer(error=REASONS[code])


def _is_ready(stream: Any, event: int, deadline: float) -> bool:
    poll = select.poll()
    poll.register(stream, event)
    return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))


def _environment() -> dict[str, str]:
    """Return what the child needs: no secrets, and a mark to be found by."""
    kept = {name: os.environ.get(name, "") for name in ("DEVRAG_HOME", "PYTHONPATH")}
    paths = filter(None, (str(_ROOT), kept["PYTHONPATH"]))
    kept["PYTHONPATH"] = os.pathsep.join(paths)
    return {name: value for name, value in kept.items() if value}

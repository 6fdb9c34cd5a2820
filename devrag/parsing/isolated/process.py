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
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
import structlog

from devrag.core.environments import minimal_environment
from devrag.core.errors import ServiceError
from devrag.core.masked_text import Masked
from devrag.parsing.chunking import DEFAULT_CHUNKING, ChunkOptions
from devrag.parsing.isolated.messages import (
    EXIT_MEMORY,
    LENGTH,
    Item,
    ParserReply,
    RequestKind,
    frame,
)
from devrag.parsing.located_values import Placed
from devrag.parsing.types import (
    PARSER_CRASH,
    PARSER_MEMORY,
    PARSER_TIMEOUT,
    REASONS,
    FileFacts,
    unparsed,
)

log = structlog.get_logger("devrag.parsing")
# What the process needs for itself, before it parses anything.
_OWN_BYTES = 100_000_000
_ROOT = Path(__file__).parents[3]
_CHILD = "devrag.parsing.isolated.child"
# How often a caller that waits is told, and the child's memory looked at.
_WAIT_SECONDS = 1.0
_LOOK_SECONDS = 0.1
# The child parses ahead while its answers are being stored.
_PIPE_BYTES = 1 << 20
# Sent by an operator or the system's out-of-memory killer, perhaps for another's sake.
_FROM_OUTSIDE = {signal.SIGKILL, signal.SIGTERM, signal.SIGHUP}
# A child that died with more than this share of its limit wanted still more: what
# parsers hold doubles when it grows.
_MEMORY_SHARE = 0.4


class UnreadableData(ValueError):
    """A data file that is broken, or that takes too much time or memory to read."""


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """What one file may cost.

    memory_bytes: beyond what the process needs for itself. cpu_seconds: processor time,
    so that other work on the machine changes nothing. wall_seconds: until an answer, in
    case that the process stands still.
    """

    memory_bytes: int = 1_000_000_000
    cpu_seconds: float = 10.0
    wall_seconds: float = 100.0


_DEFAULT = ParserLimits()


class _ChildEnded(Exception):
    """The child ended without an answer. code: what the file did to it, as it seems."""

    def __init__(self, code: str, *, is_from_outside: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self._is_from_outside = is_from_outside

    def may_be_of_others(self, *, was_alone: bool) -> bool:
        """Return whether something else than the file may have ended the child.

        was_alone: the child had been given nothing else, which could have kept memory.
        """
        is_late = self.code == PARSER_TIMEOUT
        return self._is_from_outside or not (is_late or was_alone)


def _ignore() -> None:
    """Most callers have nothing to do while they wait."""


class ParserProcess:
    """A child process that parses; it starts with the first use.

    Threads take turns. A caller finishes or closes what parse_files() gave it before
    it asks for anything else.
    """

    def __init__(self, limits: ParserLimits = _DEFAULT) -> None:
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        self._peak_bytes = 0
        # How many items the child that runs has answered.
        self._answered = 0
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
        kind = RequestKind.WINDOWS if windows_code else RequestKind.FACTS
        items = (Item(kind, path, text, windows_code, chunking) for path, text in files)
        for answer in self._answers(deque(items), on_wait):
            yield answer.value

    def mask_texts(self, texts: Sequence[tuple[str, str]]) -> list[ParserReply]:
        """Return each text of (path, text) pairs as Masked, or an error.

        In a process, as texts are masked beside other work, and a text by which an
        expression takes for ever costs no more than its own answer. All are sent at
        once; only if that fails, each on its own.
        """
        if not texts:
            return []
        every = tuple(text for _, text in texts)
        together = Item(RequestKind.MASKED, f"{len(texts)} files", "", texts=every)
        [answer] = self._answers(deque([together]), _ignore)
        if not answer.error:
            pairs = zip(texts, answer.value, strict=True)
            return [ParserReply(new or Masked(old)) for (_, old), new in pairs]
        items = (
            Item(RequestKind.MASKED, path, "", texts=(text,)) for path, text in texts
        )
        answers = zip(texts, self._answers(deque(items), _ignore), strict=True)
        return [
            each if each.error else ParserReply(each.value[0] or Masked(old))
            for (_, old), each in answers
        ]

    def load(self, kind: RequestKind, path: str, text: str) -> Placed:
        """Return a JSON, TOML or YAML text as plain data; may raise UnreadableData."""
        [answer] = self._answers(deque([Item(kind, path, text)]), _ignore)
        if isinstance(answer.value, Placed):
            return answer.value
        raise UnreadableData(answer.error)

    def close(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
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
    ) -> Generator[ParserReply]:
        """Yield an answer for each item; a caller that stops early ends the child."""
        is_second_try = False
        with self._turn, self._closing_unless_done(left):
            while left:
                # Alone the second time, so that no other item takes memory from it.
                asked = 1 if is_second_try else len(left)
                try:
                    self._send(list(islice(left, asked)), on_wait)
                    for _ in range(asked):
                        answer = self._receive(on_wait)
                        left.popleft()
                        is_second_try = False
                        yield answer
                except _ChildEnded as ended:
                    was_alone = asked == 1 and not self._answered
                    self.close()
                    is_second_try = not is_second_try and ended.may_be_of_others(
                        was_alone=was_alone
                    )
                    if not is_second_try:
                        yield from _without(left, ended.code)

    @contextlib.contextmanager
    def _closing_unless_done(self, left: deque[Item]) -> Iterator[None]:
        """End a child that still works on what nobody waits for any more."""
        try:
            yield
        finally:
            if left:
                self.close()

    def _send(self, items: list[Item], on_wait: Callable[[], None]) -> None:
        data = memoryview(frame(pickle.dumps(items, pickle.HIGHEST_PROTOCOL)))
        stdin = self._running().stdin
        self._peak_bytes = 0
        deadline = time.monotonic() + self._limits.wall_seconds
        while data:
            self._wait(stdin, select.POLLOUT, deadline, on_wait)
            try:
                data = data[os.write(stdin.fileno(), data) :]  # type: ignore[union-attr]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._death() from None

    def _receive(self, on_wait: Callable[[], None]) -> ParserReply:
        deadline = time.monotonic() + self._limits.wall_seconds
        self._peak_bytes = 0
        (length,) = LENGTH.unpack(self._read(LENGTH.size, deadline, on_wait))
        answer: ParserReply = pickle.loads(  # noqa: S301  from our own child
            self._read(length, deadline, on_wait)
        )
        self._answered += 1
        return answer

    def _read(self, length: int, deadline: float, on_wait: Callable[[], None]) -> bytes:
        """Return so many bytes of what the child wrote."""
        stdout = self._running().stdout
        found: list[bytes] = []
        while length:
            self._wait(stdout, select.POLLIN, deadline, on_wait)
            data = os.read(stdout.fileno(), length)  # type: ignore[union-attr]
            if not data:
                raise self._death()
            found.append(data)
            length -= len(data)
        return b"".join(found)

    def _wait(
        self, stream: Any, event: int, deadline: float, on_wait: Callable[[], None]
    ) -> None:
        """Wait for the child, within its limits."""
        poll = select.poll()
        poll.register(stream, event)
        told_at = time.monotonic()
        while not poll.poll(_LOOK_SECONDS * 1000):
            now = time.monotonic()
            if now >= deadline:
                raise _ChildEnded(PARSER_TIMEOUT)
            self._check_memory()
            if now - told_at > _WAIT_SECONDS:
                told_at = now
                on_wait()

    def _check_memory(self) -> None:
        """Note how much memory the child has, for the reason of its end."""
        with contextlib.suppress(psutil.Error):
            memory = psutil.Process(self._running().pid).memory_info().rss
            self._peak_bytes = max(self._peak_bytes, memory)
        # Where the system does not hold the child to its limit (macOS).
        if self._peak_bytes > self._limits.memory_bytes + _OWN_BYTES:
            raise _ChildEnded(PARSER_MEMORY)

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
        self._answered = 0
        return child

    def _death(self) -> _ChildEnded:
        """Return why the child ended, by its exit status and the memory it had."""
        child = self._running()
        code, peak = child.wait(), self._peak_bytes
        log.info("parser process ended", status=code, memory_mb=peak // 10**6)
        if code == 0:  # it was idle for long, or had kept much memory of a big file
            return _ChildEnded(PARSER_CRASH, is_from_outside=True)
        if code == -signal.SIGPROF:
            return _ChildEnded(PARSER_TIMEOUT)
        if code == EXIT_MEMORY or peak > _MEMORY_SHARE * self._limits.memory_bytes:
            return _ChildEnded(PARSER_MEMORY)
        if code > 0:
            raise ServiceError(
                f"The parser process exited with status {code}. Its traceback is in "
                "the log of the process that started it."
            )
        return _ChildEnded(PARSER_CRASH, is_from_outside=-code in _FROM_OUTSIDE)


def _without(left: deque[Item], code: str) -> Iterator[ParserReply]:
    """Have the first item made windows next time, or yield what is left without it."""
    item = left[0]
    log.warning("file stopped its parser", path=item.path, reason=code)
    if item.kind == RequestKind.FACTS:
        left[0] = Item(RequestKind.WINDOWS, item.path, item.text, code)
        return
    left.popleft()
    if item.kind == RequestKind.WINDOWS:
        yield ParserReply(unparsed(item.path, code))
    else:
        yield ParserReply(error=REASONS[code])


def _environment() -> dict[str, str]:
    """Return what the child needs: no secrets, and a mark to be found by."""
    found = minimal_environment("DEVRAG_HOME")
    paths = filter(None, (str(_ROOT), os.environ.get("PYTHONPATH")))
    return {**found, "PYTHONPATH": os.pathsep.join(paths)}

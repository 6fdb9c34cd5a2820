"""Checks diagrams with the real Mermaid parser: the file the viewer serves, run in V8.

One context lives per process (a forked worker makes its own) behind a lock. A diagram
the parser rejects is a finding; a parser that cannot run is a `MermaidUnavailable`.
"""

from __future__ import annotations

import json
import os
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from py_mini_racer import (
    JSEvalException,
    JSOOMException,
    JSPromise,
    JSPromiseError,
    JSTimeoutException,
    MiniRacer,
)

from devrag.core.errors import ServiceError
from devrag.core.texts import gettext

_SHIM = Path(__file__).with_name("mermaid_shim.js")
_MEMORY_BYTES = 512 * 1024 * 1024
_LOAD_SECONDS = 30.0
_LONGEST_MESSAGE = 400


class MermaidUnavailable(ServiceError):
    """The parser itself could not run; says nothing about any diagram."""

    code = "mermaid_unavailable"
    default_permanent = True


class MermaidParser:
    """The Mermaid parser of one script file. Thread-safe."""

    def __init__(self, script: Path, *, timeout_seconds: float = 5.0) -> None:
        self._script = script
        self._timeout = timeout_seconds
        self._lock = threading.Lock()
        self._context: MiniRacer | None = None

    def error_in(self, diagram: str) -> str | None:
        """Return why the diagram does not parse, None when it does."""
        with self._lock:
            answer = self._ask(diagram)
            if answer is None:
                answer = self._ask_afresh(diagram)
        kind, _, message = answer.partition(": ")
        if kind == "harness":
            raise MermaidUnavailable(
                gettext(
                    "The Mermaid parser %(script)s failed: %(reason)s. Its "
                    "version must match devrag/wiki/mermaid_shim.js."
                )
                % {"script": self._script.name, "reason": message}
            )
        return message[:_LONGEST_MESSAGE] if kind == "bad" else None

    def close(self) -> None:
        """Give V8's memory back; the next question loads the parser again."""
        with self._lock:
            self._drop()

    def _ask_afresh(self, diagram: str) -> str:
        """Ask a new context: one that a suspended machine left behind stays mute."""
        self._drop()
        answer = self._ask(diagram)
        late = f"bad: it takes longer than {self._timeout:g} s to parse"
        return late if answer is None else answer

    def _ask(self, diagram: str) -> str | None:
        """Return the parser's answer, None when none came in time."""
        context = self._context or self._load()
        try:
            promise = context.eval(
                f"checkDiagram({json.dumps(diagram)})", timeout_sec=self._timeout
            )
            if not isinstance(promise, JSPromise):
                return f"harness: no promise but {type(promise).__name__}"
            return str(promise.get(timeout=self._timeout))
        except JSTimeoutException:
            return None
        except JSOOMException:
            self._drop()
            return "bad: it needs too much memory to parse"
        except (JSEvalException, JSPromiseError) as error:
            self._drop()
            return f"harness: {error}"

    def _load(self) -> MiniRacer:
        try:
            source = self._script.read_text(encoding="utf-8")
            context = MiniRacer()
            context.set_hard_memory_limit(_MEMORY_BYTES)
            context.eval(_SHIM.read_text(encoding="utf-8"))
            context.eval(f"{source}\n;0", timeout_sec=_LOAD_SECONDS)
        except OSError as error:
            raise MermaidUnavailable(
                gettext(
                    "Cannot read the Mermaid parser %(script)s: "
                    "%(reason)s. It is part of the installation; reinstall "
                    "devrag."
                )
                % {"script": self._script, "reason": error.strerror}
            ) from error
        except JSEvalException as error:
            raise MermaidUnavailable(
                gettext("Cannot load the Mermaid parser %(script)s: %(reason)s")
                % {"script": self._script, "reason": str(error)[:_LONGEST_MESSAGE]}
            ) from error
        self._context = context
        return context

    def _drop(self) -> None:
        context, self._context = self._context, None
        if context is not None:
            with suppress(JSTimeoutException):
                # Lets what a timeout stopped report first.
                context.eval("0", timeout_sec=self._timeout)
            context.close()


def shared_parser(script: Path) -> MermaidParser:
    """Return this process's parser for the script."""
    return _parser_of(script, os.getpid())


@lru_cache(maxsize=2)
def _parser_of(script: Path, process_id: int) -> MermaidParser:
    del process_id  # part of the key: a V8 context does not survive a fork
    return MermaidParser(script)

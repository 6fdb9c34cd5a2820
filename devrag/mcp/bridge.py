"""Standard input and output, passed on to a server that runs beside it.

It starts in a third of a second where Django and the SDK would take two, and the model
that answers is loaded already. Standard library, settings and no more.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any, BinaryIO

from devrag.mcp.local import sign_local

_PATH, _VERSION_KEY = "/mcp", "io.modelcontextprotocol/protocolVersion"
_TRACE_KEY = "devrag/trace"
# reindex waits longest, ten minutes at most.
_TIMEOUT_SECONDS = 630.0
_AT_ONCE = 16
_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_CONNECTION_FAILED, _PARSE_ERROR = -32000, -32700
Json = dict[str, Any]


class Bridge:
    """Passes each line on as a request of its own, so that none waits for another."""

    def __init__(
        self, host: str, port: int, output: BinaryIO, *, is_verbose: bool = False
    ) -> None:
        self._address = host, port
        self._output = output
        self._is_verbose = is_verbose
        self._lock = threading.Lock()
        self._version = ""
        self._open: dict[object, http.client.HTTPConnection] = {}

    def run(self, lines: BinaryIO) -> None:
        """Serve until the input ends; what was asked by then is answered."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bridge") as threads:
            for line in lines:
                if line.strip():
                    self._take(line, threads)

    def _take(self, line: bytes, threads: ThreadPoolExecutor) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            self._say(_failure(None, _PARSE_ERROR, "This line is no JSON."))
            return
        method = message.get("method", "") if isinstance(message, dict) else ""
        if method == "notifications/cancelled":
            self._cancel(message)
            return
        sent: Future[None] = threads.submit(self._pass_on, message, line)
        if method == "initialize":
            sent.result()  # the version of all that follows

    def _cancel(self, message: Json) -> None:
        """Hang up on a request: the server sees it and stops."""
        connection = self._open.pop((message.get("params") or {}).get("requestId"), None)
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(2)

    def _pass_on(self, message: Any, line: bytes) -> None:
        key = message.get("id") if isinstance(message, dict) else None
        if self._is_verbose and isinstance(message, dict):
            line = _with_trace(message)
        connection = http.client.HTTPConnection(*self._address, timeout=_TIMEOUT_SECONDS)
        if key is not None:
            self._open[key] = connection
        with closing(connection):
            try:
                connection.request("POST", _PATH, line, self._headers(message))
                answer = connection.getresponse().read()
            except (OSError, http.client.HTTPException) as error:
                if self._open.pop(key, None) is not None:  # else it was cancelled
                    self._say(_failure(key, _CONNECTION_FAILED, _gone(error)))
                return
        if self._open.pop(key, None) is not None or key is None:
            self._answer(message, answer)

    def _headers(self, message: Any) -> dict[str, str]:
        params = message.get("params") if isinstance(message, dict) else None
        params = params if isinstance(params, dict) else {}
        method = str(message.get("method", "")) if isinstance(message, dict) else ""
        meta = params.get("_meta") or {}
        headers = {
            "Authorization": f"Bearer {sign_local()}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if version := meta.get(_VERSION_KEY) or self._version:
            headers["MCP-Protocol-Version"] = str(version)
        if _VERSION_KEY in meta:  # its era says in headers what the body says
            headers["Mcp-Method"] = method
            if name := params.get(_NAMES.get(method, "")):
                headers["Mcp-Name"] = _encoded(str(name))
        return headers

    def _answer(self, message: Any, answer: bytes) -> None:
        if not answer.strip():
            return
        if isinstance(message, dict) and message.get("method") == "initialize":
            result = json.loads(answer).get("result") or {}
            self._version = str(result.get("protocolVersion", ""))
        if self._is_verbose:
            _print_trace(json.loads(answer))
        self._say(answer)

    def _say(self, answer: bytes) -> None:
        with self._lock:
            self._output.write(answer.strip().replace(b"\n", b" ") + b"\n")
            self._output.flush()


def _with_trace(message: Json) -> bytes:
    params = message.setdefault("params", {})
    if message.get("method") == "tools/call" and isinstance(params, dict):
        params.setdefault("_meta", {})[_TRACE_KEY] = True
    return json.dumps(message).encode()


def _print_trace(answer: Any) -> None:
    result = answer.get("result") if isinstance(answer, dict) else None
    meta = result.get("_meta") if isinstance(result, dict) else None
    for line in (meta or {}).get(_TRACE_KEY) or ():
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _encoded(value: str) -> str:
    """Return a header's value; what is not ASCII travels as base64."""
    if value.isascii() and value.isprintable() and value == value.strip():
        return value
    import base64  # noqa: PLC0415 - hardly ever

    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _failure(key: object, code: int, message: str) -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": key, "error": error}).encode()


def _gone(error: Exception) -> str:
    return (
        f"The devrag server does not answer ({error or type(error).__name__}). Ask "
        "again, or see `devrag server status`."
    )

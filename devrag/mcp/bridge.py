"""Standard input and output, passed on to a server that runs beside it.

It starts in a third of a second where Django and the SDK would take two, and the model
that answers is loaded already. Standard library, settings and no more.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any, BinaryIO

from devrag.mcp.local import sign_local

_PATH, _VERSION_KEY = "/mcp", "io.modelcontextprotocol/protocolVersion"
_TRACE_KEY = "devrag/trace"
# reindex waits longest, ten minutes at most.
_TIMEOUT_SECONDS = 630.0
_AT_ONCE = 16
_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_CONNECTION_FAILED, _INVALID_REQUEST, _PARSE_ERROR = -32000, -32600, -32700
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
        # By the id of the request, as it is written.
        self._open: dict[str, http.client.HTTPConnection] = {}

    def run(self, lines: BinaryIO) -> None:
        """Serve until the input ends; what was asked by then is answered."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="bridge") as threads:
            for line in lines:
                if line.strip():
                    self._take(line, threads)

    def _take(self, line: bytes, threads: ThreadPoolExecutor) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._say(_failure(None, _PARSE_ERROR, "This line is not valid JSON."))
            return
        fields = message if isinstance(message, dict) else {}
        if fields.get("method") == "notifications/cancelled":
            self._cancel(_params(fields).get("requestId"))
            return
        connection = http.client.HTTPConnection(
            *self._address, timeout=_TIMEOUT_SECONDS
        )
        key = json.dumps(fields.get("id"))
        self._open[key] = connection
        sent = threads.submit(self._pass_on, fields, line, connection, key)
        if fields.get("method") == "initialize":
            sent.result()  # the version of all that follows

    def _cancel(self, request_id: object) -> None:
        """Hang up on a request: the server sees it and stops."""
        connection = self._open.pop(json.dumps(request_id), None)
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def _pass_on(
        self,
        fields: Json,
        line: bytes,
        connection: http.client.HTTPConnection,
        key: str,
    ) -> None:
        if self._is_verbose and fields.get("method") == "tools/call":
            line = _with_trace(fields)
        with closing(connection):
            try:
                connection.connect()
                if self._open.get(key) is not connection:
                    return  # cancelled before it was sent
                connection.request("POST", _PATH, line, self._headers(fields))
                answer = connection.getresponse().read()
            except (OSError, http.client.HTTPException) as error:
                answer = _failure(fields.get("id"), _CONNECTION_FAILED, _gone(error))
            except ValueError as error:
                said = f"This message cannot be forwarded: {error}"
                answer = _failure(fields.get("id"), _INVALID_REQUEST, said)
        if self._open.pop(key, None) is connection and answer.strip():
            self._answer(fields, _as_answer(fields, answer))

    def _headers(self, fields: Json) -> dict[str, str]:
        params, method = _params(fields), str(fields.get("method", ""))
        meta = _meta(params)
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

    def _answer(self, fields: Json, answer: bytes) -> None:
        if fields.get("method") == "initialize":
            result = json.loads(answer).get("result") or {}
            self._version = str(result.get("protocolVersion", ""))
        if self._is_verbose:
            _print_trace(json.loads(answer))
        self._say(answer)

    def _say(self, answer: bytes) -> None:
        with self._lock:
            self._output.write(answer.strip().replace(b"\n", b" ") + b"\n")
            self._output.flush()


def _params(fields: Json) -> Json:
    params = fields.get("params")
    return params if isinstance(params, dict) else {}


def _meta(params: Json) -> Json:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _as_answer(fields: Json, answer: bytes) -> bytes:
    """Return what goes out: a message of the protocol, with the id that was asked."""
    try:
        message = json.loads(answer)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        said = "The devrag server did not respond with an MCP message."
        return _failure(fields.get("id"), _CONNECTION_FAILED, said)
    if message.get("id") is None and fields.get("id") is not None:
        # It refused what it had not read.
        return json.dumps({**message, "id": fields["id"]}).encode()
    return answer


def _with_trace(fields: Json) -> bytes:
    """Return a call that asks for its timings as well."""
    params = _params(fields)
    meta = {**_meta(params), _TRACE_KEY: True}
    return json.dumps({**fields, "params": {**params, "_meta": meta}}).encode()


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
        f"The devrag server is not responding ({error or type(error).__name__}). Try "
        "again, or check `devrag server status`."
    )

"""The door for agents of the installation that runs: one connection to /mcp."""

from __future__ import annotations

import http.client
import json
import os
from pathlib import Path
from typing import Any


class Door:
    """Asks as the local operator. The server of DEVRAG_HOME must run."""

    def __init__(self) -> None:
        from devrag.mcp.local import sign_local
        from devrag.runtime.layout import Home
        from devrag.runtime.pidfile import running_server

        server = running_server(Home(Path(os.environ["DEVRAG_HOME"])))
        assert server, "start the server first"
        self._sign = sign_local
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def post(self, body: bytes) -> Any:
        """Return the answer to a JSON-RPC message."""
        headers = {
            "Authorization": f"Bearer {self._sign()}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._connection.request("POST", "/mcp", body, headers)
        return json.loads(self._connection.getresponse().read())

    def call(self, tool: str, **arguments: Any) -> Any:
        """Return what a tool answers: its text is what an agent reads."""
        params = {"name": tool, "arguments": arguments}
        answer = self.post(message("tools/call", params))["result"]
        assert not answer.get("isError"), answer
        return answer


def message(method: str, params: Any) -> bytes:
    """Return a JSON-RPC request."""
    said = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.dumps(said).encode()

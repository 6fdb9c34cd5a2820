"""Does the web process answer? Only 200 and JSON `status` "ok" count.

`python -m devrag.runtime.health PORT` ends with 0 or 1, for the health checks of
containers: without Django it takes a tenth of a second, `devrag health` two.
"""

from __future__ import annotations

import http.client
import json
import sys
import time

# Addresses to listen on that are no addresses to call.
_CALLABLE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104
_BODY_LIMIT = 65_536


def check_server_health(host: str, port: int, timeout_seconds: float = 3.0) -> bool:
    """Return whether GET /health answers in time.

    It answers 200 and JSON with status "ok".
    """
    status, answer = _ask(host, port, "/health", timeout_seconds)
    return status == 200 and isinstance(answer, dict) and answer.get("status") == "ok"


def is_server_ready(host: str, port: int, timeout_seconds: float = 3.0) -> bool:
    """Return whether the web process can answer, whatever its workers do."""
    return _ask(host, port, "/ready", timeout_seconds)[0] == 200


def _ask(host: str, port: int, path: str, timeout_seconds: float) -> tuple[int, object]:
    """Return status and JSON of an answer within the time, 0 without one."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(
        _CALLABLE.get(host, host), port, timeout=timeout_seconds
    )
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read(_BODY_LIMIT))
    except (OSError, http.client.HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()
    is_in_time = time.monotonic() - began <= timeout_seconds
    return (response.status if is_in_time else 0), answer


def server_url(host: str, port: int) -> str:
    """Return the address to open for a server that listens there."""
    name = _CALLABLE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


if __name__ == "__main__":
    sys.exit(not check_server_health("127.0.0.1", int(sys.argv[1])))

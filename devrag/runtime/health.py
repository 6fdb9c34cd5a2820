"""Does the web process answer? Only 200 and JSON `status` "ok" count (S3-ADR-013.8)."""

from __future__ import annotations

import http.client
import json
import time

# Addresses to listen on that are no addresses to call.
_CALLABLE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104
_BODY_LIMIT = 65_536


def check_server_health(host: str, port: int, timeout_seconds: float = 3.0) -> bool:
    """Say whether GET /health answers 200 and JSON with status "ok" within the time."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(
        _CALLABLE.get(host, host), port, timeout=timeout_seconds
    )
    try:
        connection.request("GET", "/health", headers={"Accept": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read(_BODY_LIMIT))
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()
    is_in_time = time.monotonic() - began <= timeout_seconds
    is_ok = isinstance(answer, dict) and answer.get("status") == "ok"
    return response.status == 200 and is_ok and is_in_time


def server_url(host: str, port: int) -> str:
    """Return the address to open for a server that listens there."""
    name = _CALLABLE.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

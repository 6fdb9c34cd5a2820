"""Where the embedded services listen: a small JSON file under DEVRAG_HOME/run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Endpoints:
    """URLs of the running embedded services; empty where a service is external."""

    database_url: str
    redis_url: str


def read_endpoints(home: Path) -> Endpoints | None:
    """Return the recorded endpoints, or None when nothing embedded was started."""
    try:
        data = json.loads((home / "run" / "services.json").read_text("utf-8"))
    except FileNotFoundError:
        return None
    return Endpoints(data.get("database_url", ""), data.get("redis_url", ""))

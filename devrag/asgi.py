"""ASGI entry point: the web process keeps a database pool and a warm query model."""

from __future__ import annotations

import os
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
os.environ.setdefault("DEVRAG_DATABASE_POOL", "true")

from django.core.asgi import get_asgi_application

_django = get_asgi_application()

from devrag.mcp import door  # noqa: E402 - models need the set-up
from devrag.search.service import warm_up  # noqa: E402


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Lead agents to their door, everybody else to Django."""
    is_mcp = scope["type"] == "http" and scope["path"].rstrip("/") == door.PATH
    await (door.serve if is_mcp else _django)(scope, receive, send)


def _warm_up() -> None:
    """Load what the first question needs; an agent's first, too."""
    warm_up()
    door.warm_up()


# The first question must not wait for the embedding model to load.
threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()

"""ASGI entry point: the web process keeps a database pool and a warm query model."""

from __future__ import annotations

import os
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
os.environ.setdefault("DEVRAG_DATABASE_POOL", "true")

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

_django = get_asgi_application()

from devrag.access.known_senders import is_known_sender  # noqa: E402 - as above
from devrag.core.foreground import ReadsFirst, web_requests  # noqa: E402
from devrag.core.threads import with_closing_threads  # noqa: E402
from devrag.http_server.body_limit import BodyLimit  # noqa: E402
from devrag.http_server.request_metrics import RequestMetrics  # noqa: E402
from devrag.http_server.upload_gate import UploadGate  # noqa: E402
from devrag.mcp import http_app  # noqa: E402 - models need the set-up
from devrag.search.api import warm_up  # noqa: E402
from devrag.web.errors import render_page_of  # noqa: E402


async def _route(scope: Any, receive: Any, send: Any) -> None:
    """Pass requests of agents to MCP, all others to Django."""
    is_mcp = scope["type"] == "http" and scope["path"].rstrip("/") == http_app.PATH
    await (http_app.serve if is_mcp else _django)(scope, receive, send)


async def _is_known(scope: Any) -> bool:
    return await sync_to_async(is_known_sender, thread_sensitive=False)(scope)


_gate = UploadGate(_route, _is_known)
_limited = BodyLimit(_gate, settings.MAX_UPLOAD_BYTES, render_page_of)
application = with_closing_threads(RequestMetrics(ReadsFirst(_limited, web_requests)))


def _warm_up() -> None:
    """Load what the first page, the first question and an agent's first need."""
    get_resolver().url_patterns  # noqa: B018 - a second, which a request would wait for
    warm_up()
    http_app.warm_up()


# The first question must not wait for the embedding model to load.
threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()

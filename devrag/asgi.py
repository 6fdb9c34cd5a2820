"""ASGI entry point: the web process keeps a database pool and a warm query model."""

from __future__ import annotations

import os
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
os.environ.setdefault("DEVRAG_DATABASE_POOL", "true")

from django.core.asgi import get_asgi_application

application = get_asgi_application()

from devrag.search.service import warm_up  # noqa: E402 - models need the set-up

# The first question must not wait for the embedding model to load.
threading.Thread(target=warm_up, name="warm-up", daemon=True).start()

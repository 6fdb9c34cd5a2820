"""ASGI entry point: the web process keeps a database pool."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
os.environ.setdefault("DEVRAG_DATABASE_POOL", "true")

from django.core.asgi import get_asgi_application

application = get_asgi_application()

"""Django's registration of this package, which has the `server` command."""

from __future__ import annotations

from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    name = "devrag.runtime"
    label = "runtime"

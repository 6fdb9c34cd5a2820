"""Django's entry to the room: it carries the `server` command."""

from __future__ import annotations

from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    name = "devrag.runtime"
    label = "runtime"

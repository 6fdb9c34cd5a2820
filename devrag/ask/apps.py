"""Registers the package with Django."""

from __future__ import annotations

from django.apps import AppConfig


class AskConfig(AppConfig):
    """Questions, answers, conversations."""

    name = "devrag.ask"
    default_auto_field = "django.db.models.BigAutoField"

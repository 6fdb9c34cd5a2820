"""Django's registration of this room."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.apps import AppConfig
from django.db import transaction
from django.db.models.signals import post_save


class SearchConfig(AppConfig):
    name = "devrag.search"

    def ready(self) -> None:
        # Wherever it is changed: page, admin, command.
        sender = "products.Product"
        post_save.connect(_follow_product, sender=sender, dispatch_uid="vectors")


def _follow_product(instance: Any, *, created: bool, **_signal: Any) -> None:
    """Let a product that may or must not use external models get the vectors it needs.

    Models are imported once all are there.
    """
    from devrag.search.semantic.request import request_lacking  # noqa: PLC0415

    if not created:
        transaction.on_commit(partial(request_lacking, instance))

"""Django's registration of this package."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class AccessConfig(AppConfig):
    name = "devrag.access"
    verbose_name = gettext_lazy("Access")

    def ready(self) -> None:
        """Record what happens to accounts, wherever it is done."""
        from devrag.access import account_events  # noqa: F401, PLC0415
        from devrag.access.admin_events import (  # noqa: PLC0415
            record_administration,
        )

        record_administration()

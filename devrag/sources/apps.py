"""Django's registration of this package."""

from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy

from devrag.sources.checks import check_ssh_key


class SourcesConfig(AppConfig):
    name = "devrag.sources"
    verbose_name = gettext_lazy("Sources")

    def ready(self) -> None:
        register(check_ssh_key)

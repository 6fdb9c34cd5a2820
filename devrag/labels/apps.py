"""Django's registration of this package."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LabelsConfig(AppConfig):
    name = "devrag.labels"
    verbose_name = gettext_lazy("Labels")

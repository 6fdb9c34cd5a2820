"""Django's registration of this package."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy


class JobsConfig(AppConfig):
    name = "devrag.jobs"
    verbose_name = gettext_lazy("Jobs")

    def ready(self) -> None:
        """Bind tasks to the application's broker in every process."""
        import_string(settings.CELERY_APP).set_default()

"""Jobs in the admin: to look at; actions live where people work."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline

from devrag.core.errors import DevragError
from devrag.jobs.models import Batch, Job, JobEvent
from devrag.jobs.services import cancel_job, retry_job


class _ReadOnly:
    """Rows that only the engine writes."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class BatchInline(_ReadOnly, TabularInline):
    model = Batch
    fields = [
        "phase",
        "ordinal",
        "state",
        "attempts",
        "losses",
        "units",
        "done_units",
        "error",
    ]
    extra = 0


class JobEventInline(_ReadOnly, TabularInline):
    model = JobEvent
    fields = ["at", "level", "message"]
    readonly_fields = ["at"]
    extra = 0


@admin.register(Job)
class JobAdmin(_ReadOnly, ModelAdmin):
    list_display = ["created_at", "kind", "product", "source_name", "state", "error"]
    list_filter = ["kind", "state"]
    search_fields = ["id", "source_name", "error"]
    list_select_related = ["product"]
    inlines = [JobEventInline, BatchInline]
    actions = ["cancel", "retry"]

    @admin.action(description=gettext_lazy("Cancel"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        self._each(request, queryset, cancel_job)

    @admin.action(description=gettext_lazy("Retry"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        self._each(request, queryset, retry_job)

    def _each(
        self, request: HttpRequest, jobs: QuerySet[Job], act: Callable[..., Job]
    ) -> None:
        for job in jobs:
            try:
                act(job=job)
            except DevragError as error:
                self.message_user(request, error.message, messages.ERROR)

"""Jobs in the admin: to find, to look at, to cancel and to try again."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import display

from devrag.core.admin import STATE_COLOURS, ReadOnly, act_on_each, page_link
from devrag.jobs.models import Batch, Job, JobEvent
from devrag.jobs.services import cancel_job, retry_job
from devrag.jobs.wording import describe_seconds


class BatchInline(ReadOnly, TabularInline):
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


class JobEventInline(ReadOnly, TabularInline):
    model = JobEvent
    fields = ["at", "level", "message"]
    readonly_fields = ["at"]
    extra = 0


@admin.register(Job)
class JobAdmin(ReadOnly, ModelAdmin):
    list_display = [
        "what",
        "shown_state",
        "product",
        "requested_by",
        "created_at",
        "took",
        "error",
    ]
    list_display_links = ["created_at"]
    list_filter = ["state", "kind", "product"]
    list_filter_submit = True
    search_fields = ["id", "source_name", "requested_by", "error"]
    list_select_related = ["product"]
    date_hierarchy = "created_at"
    inlines = [JobEventInline, BatchInline]
    actions = ["cancel", "retry"]

    def view_on_site(self, obj: Job) -> str:
        return reverse("web:job", args=[obj.pk])

    @display(description=gettext_lazy("Job"), ordering="kind")
    def what(self, job: Job) -> SafeString:
        """Lead to the page that shows it live."""
        subject = job.source_name or (job.product.name if job.product else "")
        return page_link(f"{job.kind} {subject}", "web:job", job.pk)

    @display(description=gettext_lazy("State"), ordering="state", label=STATE_COLOURS)
    def shown_state(self, job: Job) -> str:
        return job.state

    @display(description=gettext_lazy("Took"))
    def took(self, job: Job) -> str:
        if job.started_at is None or job.finished_at is None:
            return ""
        return describe_seconds((job.finished_at - job.started_at).total_seconds())

    @admin.action(description=gettext_lazy("Cancel"))
    def cancel(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        act_on_each(request, queryset, lambda job: cancel_job(job=job))

    @admin.action(description=gettext_lazy("Retry"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        act_on_each(request, queryset, lambda job: retry_job(job=job))

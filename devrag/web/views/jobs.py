"""Jobs: the list, one job live, cancel and retry."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from devrag.core.htmx import redirect_or_location, render_page
from devrag.core.page_urls import job_url
from devrag.jobs.models import Job
from devrag.jobs.selectors import get_changeable_job
from devrag.jobs.services import cancel_job, retry_job
from devrag.products.services import find_visible_product
from devrag.web.forms import JobsForm
from devrag.web.pages.job_watch import tell_end
from devrag.web.pages.jobs import (
    get_job_page,
    list_jobs,
    list_kinds,
    list_poll_seconds,
)
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)


@require_GET
@reader_required
def jobs(request: WebRequest) -> HttpResponse:
    form = JobsForm(request.GET)
    form.is_valid()
    # A filter with a wrong value is dropped, the others still count.
    wanted = {name: form.cleaned_data.get(name, "") for name in form.fields}
    lines = list_jobs(request.principal, **wanted)
    context = {
        "form": form,
        "wanted": wanted,
        "kinds": list_kinds(),
        "product": wanted["product"]
        and find_visible_product(wanted["product"], request.principal),
        "jobs": lines,
        "poll_seconds": list_poll_seconds(lines),
    }
    return render_page(request, "web/jobs.html", context, partial="list")


@require_GET
@reader_required
def job(request: WebRequest, job_id: uuid.UUID) -> HttpResponse:
    page = get_job_page(request.principal, job_id)
    return render_page(
        request, "web/job.html", {"page": page, "product": page.job.product}
    )


@require_GET
@reader_required
def progress(request: WebRequest, job_id: uuid.UUID) -> HttpResponse:
    """Answer a poll; a finished job makes the page that waits for it reload.

    view: "strip" for pages of what the job makes, "following" for what follows it.
    """
    page = get_job_page(request.principal, job_id)
    view = request.GET.get("view")
    if view == "following":
        return render(request, "web/job.html#following", {"page": page})
    is_strip = view == "strip"
    if not page.job.is_open:
        if is_strip:
            _tell_when_reloaded(request, page.job)
        return HttpResponseClientRefresh()
    template = "components/job_strip.html" if is_strip else "web/job.html#progress"
    return render(request, template, {"page": page, "job": page.job})


def _tell_when_reloaded(request: WebRequest, job: Job) -> None:
    """Tell how it ended on the page that waited for it, which shows what it made."""
    ended = tell_end(job)
    if ended is None:
        return
    link = format_html('<a href="{}">{}</a>', ended.url, ended.label)
    has_link = ended.is_difference or ended.kind != "success"
    said = format_html("{} {}", ended.message, link if has_link else "")
    messages.add_message(request, getattr(messages, ended.kind.upper()), said)


@require_POST
@reader_required
def cancel(request: WebRequest, job_id: uuid.UUID) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, job_url(job_id))
    cancel_job(job=get_changeable_job(job_id, request.principal))
    return redirect_or_location(request, job_url(job_id))


@require_POST
@reader_required
def retry(request: WebRequest, job_id: uuid.UUID) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, job_url(job_id))
    again = retry_job(job=get_changeable_job(job_id, request.principal))
    return redirect_or_location(request, job_url(again.pk))

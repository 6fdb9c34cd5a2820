"""Whether one's own jobs ended: the tiny answer that pages elsewhere poll."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET
from django_htmx.http import trigger_client_event

from devrag.core.errors import InvalidInput
from devrag.web.pages.job_watch import watch_jobs
from devrag.web.requests import WebRequest, is_signed_in


@require_GET
def ended(request: WebRequest) -> HttpResponse:
    if not is_signed_in(request.principal):
        # No way to the sign-in page: nobody asked, and something may be half typed.
        return HttpResponse()
    watch = watch_jobs(request.principal, _ids(request.GET.get("jobs", "")))
    # Nothing in place of the element that asked ends the asking.
    response = HttpResponse()
    if watch.jobs:
        context = {"jobs": watch.jobs, "seconds": watch.seconds}
        response = render(request, "components/job_watch.html", context)
    if watch.ended:
        told = {
            "message": watch.ended.message,
            "kind": watch.ended.kind,
            "url": watch.ended.url,
            "label": watch.ended.label,
        }
        trigger_client_event(response, "toast", told)
    return response


def _ids(text: str) -> list[uuid.UUID]:
    try:
        return [uuid.UUID(each) for each in text.split(",") if each]
    except ValueError as error:
        raise InvalidInput(gettext("These are not job IDs.")) from error

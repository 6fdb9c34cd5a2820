"""For whoever watches the instance: ready to answer, and numbers for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from devrag import __version__
from devrag.access.auth import is_direct_local_request
from devrag.access.services import principal_of_token
from devrag.core.unavailable import DATABASE_FAILURES
from devrag.jobs.api import count_open_jobs, measure_queues
from devrag.operations.consistency_checks.keyword import behind_now
from devrag.operations.health import CHECKS, describe_health
from devrag.search.models import SearchLog
from devrag.sources.models import Source

_TEXT = "text/plain; version=0.0.4; charset=utf-8"
Sample = tuple[str, float]


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when this process can answer requests: its database is there.

    Workers and broker are a matter of `/health`: a proxy must not take the pages away
    with them.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DATABASE_FAILURES:
        headers = {"Retry-After": "5"}
        return JsonResponse({"status": "unready"}, status=503, headers=headers)
    return JsonResponse({"status": "ready"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus, on this machine or with a token of the scope `admin`."""
    if not (is_direct_local_request(request) or _is_admin(request)):
        said = "Send a token with the scope 'admin' in the header 'Authorization'.\n"
        headers = {"WWW-Authenticate": 'Bearer scope="admin"'}
        return HttpResponse(said, status=401, headers=headers, content_type=_TEXT)
    return HttpResponse("\n".join([*_lines(), ""]), content_type=_TEXT)


def _is_admin(request: HttpRequest) -> bool:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    principal = principal_of_token(secret) if scheme.lower() == "bearer" else None
    if principal is None or principal.product_ids is not None:
        return False
    return principal.may("admin") and principal.is_admin


def _lines() -> Iterator[str]:
    """Yield the exposition format: help and type, then the samples."""
    for name, text, samples in _gauges():
        yield f"# HELP devrag_{name} {text}"
        yield f"# TYPE devrag_{name} gauge"
        for labels, value in samples:
            yield f"devrag_{name}{labels} {value:g}"


def _gauges() -> Iterator[tuple[str, str, list[Sample]]]:
    state = describe_health()
    running, pending = count_open_jobs()
    queues = measure_queues()
    now = timezone.now()
    yield "info", "Version.", [(f'{{version="{__version__}"}}', 1)]
    parts = [(f'{{part="{name}"}}', float(state[name] == "ok")) for name in CHECKS]
    yield "up", "Whether a service is up.", parts
    jobs = [('{state="running"}', running), ('{state="pending"}', pending)]
    yield "jobs", "Open jobs.", [(labels, float(n)) for labels, n in jobs]
    waiting = [(f'{{queue="{q.name}"}}', float(q.waiting)) for q in queues]
    yield "queue_waiting", "Waiting batches.", waiting
    ages = [
        (f'{{queue="{q.name}"}}', (now - q.since).total_seconds())
        for q in queues
        if q.since is not None
    ]
    yield (
        "queue_age_seconds",
        "Age of the oldest job with waiting batches, in seconds.",
        ages,
    )
    yield "sources", "Sources.", [("", Source.objects.count())]
    yield "sources_failing", "Sources whose last run failed.", [("", _failing())]
    behind = [("", float(len(behind_now())))]
    yield "keyword_index_behind", "Sources missing from the keyword index.", behind
    yield (
        "searches",
        "Searches stored in the last 30 days.",
        [("", SearchLog.objects.count())],
    )


def _failing() -> int:
    return Source.objects.filter(index_failures__gt=0).count()

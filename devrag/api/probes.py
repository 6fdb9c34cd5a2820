"""For whoever watches the instance: ready to answer, and numbers for Prometheus."""

from __future__ import annotations

import hmac

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from devrag.access.auth import is_direct_local_request
from devrag.access.services import principal_of_token
from devrag.core.metrics.exposition import CONTENT_TYPE
from devrag.core.principal import Principal
from devrag.core.unavailable import DATABASE_FAILURES
from devrag.operations.metrics.document import describe_metrics

_TEXT = "text/plain; charset=utf-8"


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
    """Answer Prometheus: on this machine, with METRICS_TOKEN, or an admin's token."""
    if not (is_direct_local_request(request) or _may_read(request)):
        said = (
            "Send METRICS_TOKEN, or a token with the scope 'admin', in the header "
            "'Authorization: Bearer …'.\n"
        )
        headers = {"WWW-Authenticate": 'Bearer scope="admin"'}
        return HttpResponse(said, status=401, headers=headers, content_type=_TEXT)
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(describe_metrics(), content_type=CONTENT_TYPE, headers=headers)


def _may_read(request: HttpRequest) -> bool:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret:
        return False
    wanted = settings.METRICS_TOKEN
    if wanted and hmac.compare_digest(secret.encode(), wanted.encode()):
        return True
    return _is_admin(principal_of_token(secret))


def _is_admin(principal: Principal | None) -> bool:
    if principal is None or principal.product_ids is not None:
        return False
    return principal.may("admin") and principal.is_admin

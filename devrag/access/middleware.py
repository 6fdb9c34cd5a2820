"""Put the caller's Principal on each request, and tell the audit log whose it is."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from django.http import HttpRequest, HttpResponse

from devrag.access.auth import principal_of_request
from devrag.access.sign_in import client_address
from devrag.audit.api import Entry, Origin, bound_origin
from devrag.core.principal import Principal

# Programs with a token ask there; whose it is, is known once it is read.
_PROGRAMS = ("/api/", "/v1/")


class PrincipalMiddleware:
    """Set `request.principal`; sync and thin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        principal = principal_of_request(request)
        request.principal = principal  # type: ignore[attr-defined]
        with bound_origin(_origin_of(request, principal)):
            return self.get_response(request)


def _origin_of(request: HttpRequest, principal: Principal) -> Origin:
    is_program = request.path.startswith(_PROGRAMS)
    return Origin(
        entry=Entry.API if is_program else Entry.WEB,
        address=client_address(request),
        request_id=uuid4().hex,
        caller=principal,
    )

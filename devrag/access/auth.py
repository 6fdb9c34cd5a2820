"""Who makes a request: browser session, Bearer token, direct loopback request."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.http.request import split_domain_port

from devrag.core.principal import ANONYMOUS, Principal, Role

_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
# What reverse proxies and tunnels add, besides X-Forwarded-*.
_PROXY_HEADERS = frozenset(
    {
        "HTTP_FORWARDED",
        "HTTP_VIA",
        "HTTP_X_REAL_IP",
        "HTTP_X_CLIENT_IP",
        "HTTP_TRUE_CLIENT_IP",
        "HTTP_CF_CONNECTING_IP",
        "HTTP_CDN_LOOP",
    }
)
LOCAL_READER = Principal(name="local reader", role=Role.VIEWER)


def principal_of_user(user: AbstractBaseUser | AnonymousUser) -> Principal:
    """Return the principal of a signed-in user, or ANONYMOUS.

    Superusers are administrators; staff may add products; memberships decide the rest.
    """
    if not user.is_authenticated or not user.is_active:
        return ANONYMOUS
    if getattr(user, "is_superuser", False):
        role = Role.ADMIN
    else:
        role = Role.MAINTAINER if getattr(user, "is_staff", False) else Role.VIEWER
    name = user.get_username()
    return Principal(name=name, role=role, user_id=user.pk, user_name=name)


def principal_of_request(request: HttpRequest) -> Principal:
    """Return who a browser request comes from; open reading only when local."""
    principal = principal_of_user(request.user)
    if principal is ANONYMOUS and is_direct_local_request(request):
        return LOCAL_READER
    return principal


def is_direct_local_request(request: HttpRequest) -> bool:
    """Return whether the request came straight from this machine, past no proxy.

    Needs all of: the embedded setting, a loopback peer, a local Host (a foreign name
    that was made to resolve to this machine is none), no header that a reverse proxy
    or tunnel would add, and no page of another origin that sent it.
    """
    if not settings.IS_OPEN_READING:
        return False
    host, _port = split_domain_port(request.META.get("HTTP_HOST", ""))
    is_forwarded = any(
        key in _PROXY_HEADERS or key.startswith("HTTP_X_FORWARDED")
        for key in request.META
    )
    return (
        host in _LOCAL_NAMES
        and not is_forwarded
        and not _is_from_other_origin(request)
        and _is_loopback_peer(request)
    )


def _is_from_other_origin(request: HttpRequest) -> bool:
    """Return whether a browser sent it for a page of another site or port.

    Whoever follows a link from elsewhere opens the page in a window of its own, which
    the other page cannot read.
    """
    headers = request.headers
    origin = headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{headers.get('Host')}":
        return True
    site = headers.get("Sec-Fetch-Site", "none")
    is_link = (headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")) == (
        "navigate",
        "document",
    )
    return site not in {"same-origin", "none"} and not is_link


def _is_loopback_peer(request: HttpRequest) -> bool:
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False

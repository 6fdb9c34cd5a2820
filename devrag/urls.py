"""All addresses of the application."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, JsonResponse
from django.urls import URLPattern, URLResolver, include, path, re_path

from devrag.api import api, chat
from devrag.api.errors import unknown_endpoint
from devrag.api.probes import metrics, ready
from devrag.operations.health import describe_health
from devrag.web.views.auth import SignIn, SignOut, admin_password, admin_sign_in

# Not in every command: what the administration shows takes seconds to load.
admin.autodiscover()
# One sign-in and one page for passwords, with their limits.
admin.site.login = admin_sign_in  # type: ignore[method-assign]
admin.site.password_change = admin_password  # type: ignore[method-assign,assignment]


def health(_request: HttpRequest) -> JsonResponse:
    """Answer 200 with status ok, or 503 and what is wrong."""
    state = describe_health()
    if state["status"] == "ok":
        return JsonResponse(state)
    return JsonResponse(state, status=503, headers={"Retry-After": "5"})


handler400 = "devrag.web.errors.bad_request"
handler403 = "devrag.web.errors.permission_denied"
handler404 = "devrag.web.errors.not_found"
handler500 = "devrag.web.errors.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("devrag.web.urls")),
    path("health", health, name="health"),
    path("ready", ready, name="ready"),
    path("metrics", metrics, name="metrics"),
    path("api/v1/", unknown_endpoint),
    path("api/v1/", api.urls),
    re_path("^api/v1/", unknown_endpoint),
    path("v1/", chat.unknown_endpoint),
    path("v1/", chat.chat_api.urls),
    re_path("^v1/", chat.unknown_endpoint),
    path("admin/", admin.site.urls),
    # The names by which allauth finds them.
    path("sign-in/", SignIn.as_view(), name="account_login"),
    path("sign-out/", SignOut.as_view(), name="account_logout"),
]

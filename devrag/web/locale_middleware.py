"""In which language and time zone a person reads: by choice, else by browser.

A signed-in user's stored preferences win over the cookies of the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from devrag.access.preferences import preferences_of
from devrag.access.sessions import note_session

# static/js/shell.js sets it.
ZONE_COOKIE = "timezone"
# What programs read says the same to all of them.
_FOR_PROGRAMS = ("/api/", "/v1/", "/mcp", "/health")


class LanguageMiddleware(LocaleMiddleware):
    """Speak the language of the cookie, else of the browser; English to programs."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith(_FOR_PROGRAMS):
            translation.activate(settings.LANGUAGE_CODE)
            request.LANGUAGE_CODE = settings.LANGUAGE_CODE
        else:
            super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Name the language of pages; files and answers to programs have their own."""
        if not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


class TimeZoneMiddleware:
    """Tell times in the browser's zone, which a cookie names after the first page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(find_zone(request.COOKIES.get(ZONE_COOKIE, ""))):
            return self.get_response(request)


class PreferencesMiddleware:
    """Use what the signed-in user prefers, and note that their session is in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(_FOR_PROGRAMS):
            return self.get_response(request)
        note_session(request)
        chosen = preferences_of(request.user)
        if chosen.language:
            translation.activate(chosen.language)
            request.LANGUAGE_CODE = translation.get_language()
        zone = find_zone(chosen.time_zone)
        if zone is None:
            return self.get_response(request)
        with timezone.override(zone):
            return self.get_response(request)


@lru_cache(maxsize=256)
def find_zone(name: str) -> ZoneInfo | None:
    """Return the zone of a name like `Asia/Tokyo`, None when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None

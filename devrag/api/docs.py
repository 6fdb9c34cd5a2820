"""The page that shows the interface, from files that ninja brings along.

ninja in INSTALLED_APPS would do as much, and load pydantic and Django's test client
into every worker: 12 MB a process.
"""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI, Swagger


class OfflineSwagger(Swagger):
    """Swagger without a content network. Its files are in STATICFILES_DIRS."""

    def render_page(
        self, request: HttpRequest, api: NinjaAPI, **kwargs: Any
    ) -> HttpResponse:
        options = {**self.settings, "url": self.get_openapi_url(api, kwargs)}
        context = {"swagger_settings": json.dumps(options), "api": api}
        return render(request, self.template, context)

"""Settings of the instance: agents to connect, models with their test, health."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import Conflict
from devrag.core.htmx import is_partial, render_page
from devrag.operations.status import describe_status
from devrag.web.pages.connect import list_snippets
from devrag.web.pages.connect_chat import get_chat_access
from devrag.web.pages.jobs import to_lines
from devrag.web.pages.models import Trial, get_models_page, try_model
from devrag.web.requests import WebRequest, admin_required, sign_in_required
from devrag.web.translated_terms import PARTS

_MODELS = "settings/models.html"


@require_GET
@sign_in_required
def connect(request: WebRequest) -> HttpResponse:
    context = {
        "snippets": list_snippets(request),
        "chat": get_chat_access(request, request.principal),
        "section": "connect",
    }
    return render_page(request, "settings/connect.html", context)


@require_GET
@sign_in_required
def models(request: WebRequest) -> HttpResponse:
    context = {"page": get_models_page(request.principal), "section": "models"}
    return render_page(request, _MODELS, context)


@require_POST
@admin_required
def test(request: WebRequest, kind: str, name: str) -> HttpResponse:
    try:
        result = try_model(request.principal, kind, name)
    except Conflict as error:
        result = Trial(is_ok=False, problem=error.message)
    if is_partial(request):
        return render(request, f"{_MODELS}#result", {"result": result})
    context = {
        "page": get_models_page(request.principal),
        "section": "models",
        "result": result,
        "tested": f"{kind}-{name}",
    }
    return render_page(request, _MODELS, context)


@require_GET
@sign_in_required
def health(request: WebRequest) -> HttpResponse:
    """Show how the instance is; the page asks again by itself."""
    status = describe_status(request.principal)
    context = {
        "status": status,
        "parts": [(PARTS[part.name], part) for part in status.parts],
        "failures": to_lines(status.failures),
        "section": "health",
    }
    return render_page(request, "settings/health.html", context, partial="status")

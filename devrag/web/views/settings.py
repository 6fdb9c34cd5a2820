"""Settings of the instance: agents to connect, models with their test, health."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import Conflict
from devrag.core.htmx import is_partial, render_page
from devrag.core.principal import Principal
from devrag.operations.status import describe_status
from devrag.use_cases.api import get_model_state
from devrag.web.model_forms import LanguageModelForm
from devrag.web.pages.connect import list_snippets
from devrag.web.pages.connect_chat import get_chat_access
from devrag.web.pages.jobs import to_lines
from devrag.web.pages.language_model import (
    get_model_in_use,
    list_products,
)
from devrag.web.pages.models import Trial, get_models_page, try_model
from devrag.web.requests import WebRequest, admin_required, sign_in_required
from devrag.web.translated_terms import PARTS

MODELS_TEMPLATE = "settings/models.html"


@require_GET
@sign_in_required
def connect(request: WebRequest) -> HttpResponse:
    context = {
        "snippets": list_snippets(request),
        "chat": get_chat_access(request, request.principal),
        "section": "connect",
    }
    return render_page(request, "settings/connect.html", context)


def models_context(
    principal: Principal, *, form: LanguageModelForm | None = None
) -> dict[str, Any]:
    """Return what the page of models shows; the form only to administrators.

    Queries: 3.
    """
    context = {
        "page": get_models_page(principal),
        "in_use": get_model_in_use(),
        "section": "models",
    }
    if not principal.is_admin:
        return context
    state = get_model_state(principal)
    return context | {
        "state": state,
        "model_form": form or LanguageModelForm(state=state),
        "products": list_products(principal),
    }


@require_GET
@sign_in_required
def models(request: WebRequest) -> HttpResponse:
    context = models_context(request.principal)
    return render_page(request, MODELS_TEMPLATE, context)


@require_POST
@admin_required
def test(request: WebRequest, kind: str, name: str) -> HttpResponse:
    try:
        result = try_model(request.principal, kind, name)
    except Conflict as error:
        result = Trial(is_ok=False, problem=error.message)
    if is_partial(request):
        return render(request, f"{MODELS_TEMPLATE}#result", {"result": result})
    context = {
        **models_context(request.principal),
        "result": result,
        "tested": f"{kind}-{name}",
    }
    return render_page(request, MODELS_TEMPLATE, context)


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

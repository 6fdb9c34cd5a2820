"""The language model in the browser: choose it, test it, see what a wiki costs."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import Conflict, DevragError, InvalidInput
from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.use_cases.api import change_model, get_model_state, try_model
from devrag.web.model_forms import LanguageModelForm
from devrag.web.pages.language_model import (
    ModelTrial,
    get_wiki_estimate,
    run_trial,
)
from devrag.web.requests import WebRequest, admin_required, sign_in_required
from devrag.web.views.settings import MODELS_TEMPLATE, models_context


@sensitive_post_parameters("secret")
@require_POST
@admin_required
def change(request: WebRequest) -> HttpResponse:
    """Store what was chosen."""
    state = get_model_state(request.principal)
    form = LanguageModelForm(request.POST, state=state)
    if form.is_valid():
        try:
            change_model(principal=request.principal, choice=form.choice)
        except DevragError as error:
            form.add_error(None, error.message)
        else:
            messages.success(request, gettext("Saved. It applies within seconds."))
            place = reverse("web:settings_models") + "#dr-language-model"
            return redirect_or_location(request, place)
    return _page(request, form, status=422)


@sensitive_post_parameters("secret")
@require_POST
@admin_required
def test(request: WebRequest) -> HttpResponse:
    """Ask the model as the form has it, stored or not, for one word."""
    form = LanguageModelForm(request.POST, state=get_model_state(request.principal))
    trial = run_trial(lambda: _ask(request, form))
    if is_partial(request):
        return render(request, "components/model_trial.html", {"trial": trial})
    return _page(request, form, trial=trial)


@require_GET
@sign_in_required
def estimate(request: WebRequest, name: str) -> HttpResponse:
    """Show what a product's wiki would take."""
    context: dict[str, Any] = {"here": request.get_full_path()}
    try:
        context["found"] = get_wiki_estimate(request.principal, name)
    except Conflict as error:
        context["problem"] = error.message
    return render_page(
        request, "settings/wiki_estimate.html", context, partial="estimate"
    )


def _ask(request: WebRequest, form: LanguageModelForm) -> Any:
    if not form.is_valid():
        first = next(iter(form.errors.values()))[0]
        raise InvalidInput(str(first))
    return try_model(principal=request.principal, choice=form.choice)


def _page(
    request: WebRequest,
    form: LanguageModelForm,
    *,
    trial: ModelTrial | None = None,
    status: int = 200,
) -> HttpResponse:
    context = models_context(request.principal, form=form) | {"trial": trial}
    return render_page(request, MODELS_TEMPLATE, context, status=status)

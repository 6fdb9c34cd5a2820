"""A person's API tokens: list, make, revoke. The secret is in one answer only."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from devrag.access.own_tokens import create_own_token, revoke_own_token
from devrag.core.htmx import redirect_or_location, render_page
from devrag.web.pages.connect import list_snippets
from devrag.web.pages.connect_chat import get_chat_access
from devrag.web.pages.tokens import grantable_products, list_token_rows
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.settings_forms import TokenForm

_TEMPLATE = "settings/tokens.html"


@require_http_methods(["GET", "POST"])
@never_cache
@sign_in_required
def tokens(request: WebRequest) -> HttpResponse:
    principal = request.principal
    products = grantable_products(principal)
    is_sent = request.method == "POST"
    form = TokenForm(
        request.POST if is_sent else None, principal=principal, products=products
    )
    context = {"form": form, "has_products": bool(products), "section": "tokens"}
    if is_sent and form.is_valid():
        given = form.cleaned_data
        token, secret = create_own_token(
            principal=principal,
            name=given["name"],
            scopes=given["scopes"],
            product_names=given["products"],
            days=given["days"],
        )
        context |= {
            "made": token,
            "secret": secret,
            "snippets": list_snippets(request, secret),
            "chat": get_chat_access(request, principal, secret),
            "form": TokenForm(principal=principal, products=products),
        }
    context["tokens"] = list_token_rows(principal)
    status = 422 if is_sent and not form.is_valid() else 200
    return render_page(request, _TEMPLATE, context, status=status)


@require_POST
@sign_in_required
def revoke(request: WebRequest, token_id: int) -> HttpResponse:
    token = revoke_own_token(principal=request.principal, token_id=token_id)
    messages.success(request, gettext("“%(name)s” is revoked.") % {"name": token.name})
    return redirect_or_location(request, reverse("web:settings_tokens"))

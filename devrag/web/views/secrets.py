"""What was masked in a product's files: the list, and what maintainers dismiss."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.services import get_maintained_product
from devrag.use_cases.api import SecretFilter, dismiss_secret, reopen_secret
from devrag.web.pages.secrets import get_secrets_page
from devrag.web.requests import WebRequest, sign_in_required
from devrag.web.unsent_forms import writer_required

_CHOICES = ("state", "rule", "source")


@require_GET
@sign_in_required
def secrets(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    chosen = {key: request.GET.get(key, "") for key in _CHOICES}
    wanted = SecretFilter(**chosen)
    number = request.GET.get("page", "")
    page = get_secrets_page(product, request.principal, wanted, number)
    query = urlencode({key: value for key, value in chosen.items() if value})
    context = {"product": product, "page": page, "query": query}
    return render_page(request, "web/secrets.html", context)


@require_POST
@writer_required
def decide(request: WebRequest, name: str, finding_id: int) -> HttpResponse:
    """Dismiss a finding with a reason, or list it again."""
    product = get_maintained_product(name, request.principal)
    if request.POST.get("state") == "open":
        reopen_secret(
            principal=request.principal, product=product, finding_id=finding_id
        )
        messages.success(request, gettext("The finding is listed again."))
    else:
        dismiss_secret(
            principal=request.principal,
            product=product,
            finding_id=finding_id,
            reason=request.POST.get("reason", ""),
        )
        messages.success(request, gettext("Dismissed. The text stays masked."))
    return redirect_or_location(request, reverse("web:secrets", args=[product.name]))

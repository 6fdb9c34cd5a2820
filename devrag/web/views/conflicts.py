"""Where documents contradict the code: the list, and what maintainers decide."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.htmx import redirect_or_location, render_page
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.web.pages.conflicts import get_conflicts
from devrag.web.requests import WebRequest, reader_required
from devrag.web.unsent_forms import writer_required
from devrag.wiki.api import decide_conflict


@require_GET
@reader_required
def conflicts(request: WebRequest, name: str) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    kind, state = request.GET.get("kind", ""), request.GET.get("state", "")
    page = get_conflicts(product, request.principal, kind, state)
    return render_page(
        request, "web/conflicts.html", {"product": product, "page": page}
    )


@require_POST
@writer_required
def decide(request: WebRequest, name: str, conflict_id: int) -> HttpResponse:
    """Keep what a maintainer says of a conflict."""
    product = get_maintained_product(name, request.principal)
    row = decide_conflict(
        principal=request.principal,
        product=product,
        conflict_id=conflict_id,
        state=request.POST.get("state", ""),
    )
    said = {
        "open": gettext("The conflict is open again."),
        "outdated": gettext("The documentation is marked as outdated."),
        "dismissed": gettext("This will not be reported as a conflict again."),
    }
    messages.success(request, said[row.state])
    return redirect_or_location(request, reverse("web:conflicts", args=[product.name]))

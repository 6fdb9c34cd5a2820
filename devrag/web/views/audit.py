"""The audit log: of the installation in the settings, of a product on its own page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from devrag.core.htmx import render_page
from devrag.products.models import Product
from devrag.products.services import get_maintained_product
from devrag.use_cases.api import AUDIT_FILES, export_events
from devrag.web.audit_form import AuditForm
from devrag.web.pages.audit import action_groups, get_audit_page
from devrag.web.requests import WebRequest, admin_required, sign_in_required


@require_GET
@admin_required
def audit(request: WebRequest) -> HttpResponse:
    return _page(request, None)


@require_GET
@sign_in_required
def product_audit(request: WebRequest, name: str) -> HttpResponse:
    return _page(request, get_maintained_product(name, request.principal))


@require_GET
@admin_required
def export(request: WebRequest, kind: str) -> HttpResponse:
    """Answer with all events that match the filter as a file."""
    return _file(request, kind, "")


@require_GET
@sign_in_required
def product_export(request: WebRequest, name: str, kind: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    return _file(request, kind, product.name)


def _page(request: WebRequest, product: Product | None) -> HttpResponse:
    form = AuditForm(request.GET)
    wanted = form.wanted(product.name if product else "")
    before = form.cleaned_data.get("before")
    shown = {key: str(value) for key, value in request.GET.items() if value}
    query = {key: value for key, value in shown.items() if key != "before"}
    page = get_audit_page(request.principal, wanted, before)
    names = [product.name] if product else []
    address = reverse("web:product_audit", args=names) if product else ""
    context = {
        "form": form,
        "page": page,
        "wanted": wanted,
        "groups": action_groups(),
        "product": product,
        "section": "audit",
        "address": address or reverse("web:settings_audit"),
        "is_filtered": bool(query),
        "is_first": not before,
        "query": urlencode(query),
        "older": urlencode({**query, "before": page.older}),
        "exports": [(kind, _export_url(product, kind, query)) for kind in AUDIT_FILES],
    }
    template = "web/audit.html" if product else "settings/audit.html"
    return render_page(request, template, context, partial="events")


def _export_url(product: Product | None, kind: str, query: dict[str, str]) -> str:
    if product is None:
        path = reverse("web:settings_audit_export", args=[kind])
    else:
        path = reverse("web:product_audit_export", args=[product.name, kind])
    return f"{path}?{urlencode(query)}" if query else path


def _file(request: WebRequest, kind: str, product: str) -> HttpResponse:
    wanted = AuditForm(request.GET).wanted(product)
    events = export_events(principal=request.principal, wanted=wanted, kind=kind)
    response: HttpResponseBase = StreamingHttpResponse(
        events, content_type=AUDIT_FILES[kind]
    )
    day = timezone.localdate().isoformat()
    name = f"{product or 'devrag'}-audit-{day}.{kind}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response  # type: ignore[return-value]  # guards know no streams

"""How the instance does, for administrators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.htmx import redirect_or_location, render_page
from devrag.insights.api import measure_storage
from devrag.web.pages.monitoring import get_monitoring_page
from devrag.web.requests import WebRequest, admin_required


@require_GET
@admin_required
def monitoring(request: WebRequest) -> HttpResponse:
    page = get_monitoring_page(request.principal)
    context = {"page": page, "section": "monitoring"}
    return render_page(request, "settings/monitoring.html", context)


@require_POST
@admin_required
def measure(request: WebRequest) -> HttpResponse:
    """Measure the storage now instead of within the hour."""
    measure_storage()
    messages.success(request, gettext("Storage measured."))
    return redirect_or_location(request, reverse("web:settings_monitoring"))

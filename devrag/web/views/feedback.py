"""Problems that readers report at a paragraph, and maintainers resolve."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from devrag.ask.api import resolve_rating
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.htmx import is_partial, redirect_or_location, render_page
from devrag.core.markdown import render_markdown
from devrag.products.models import Product
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.spending.language_model import is_model_set
from devrag.web.pages.wiki_feedback import feedback_url, get_feedback
from devrag.web.pages.wiki_notes import address_of
from devrag.web.requests import WebRequest
from devrag.web.unsent_forms import writer_required
from devrag.wiki.api import (
    add_feedback,
    author_of,
    paragraph_of,
    resolve_feedback,
)
from devrag.wiki.models import Page

_TEMPLATE = "web/report_problem.html"


@require_http_methods(["GET", "POST"])
@writer_required
def wrong(request: WebRequest, name: str, page_id: int, block: int) -> HttpResponse:
    product = get_visible_product(name, request.principal)
    page = _find_page(product, page_id)
    source = paragraph_of(page, block)
    remark, error = request.POST.get("remark", ""), ""
    back = address_of(product, page.version.wiki, page.path, f"dr-block-{block}")
    if request.method == "POST":
        try:
            add_feedback(
                principal=request.principal, page=page, block=block, remark=remark
            )
        except InvalidInput as refused:
            error = refused.message
        else:
            return _thank(request, back)
    quoted = render_markdown(source).html
    context = {
        "product": product,
        "quoted": mark_safe(quoted),  # noqa: S308 - sanitised
        "language": page.version.wiki.language,
        "remark": remark,
        "error": error,
        "action": request.get_full_path(),
        "is_inline": is_partial(request),
        "back": back,
        "draft": f"wrong-{page.pk}-{block}",
        "is_model_set": is_model_set(),
    }
    status = 422 if error else 200
    return render_page(request, _TEMPLATE, context, partial="form", status=status)


@require_GET
@writer_required
def feedback(request: WebRequest, name: str) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    context = {
        "product": product,
        "page": get_feedback(product),
        "is_model": author_of(product).is_model,
    }
    return render_page(request, "web/feedback.html", context)


@require_POST
@writer_required
def resolve(request: WebRequest, name: str, feedback_id: int) -> HttpResponse:
    product = get_maintained_product(name, request.principal)
    resolve_feedback(
        principal=request.principal, product=product, feedback_id=feedback_id
    )
    messages.success(request, gettext("The report is resolved."))
    return redirect_or_location(request, feedback_url(product))


@require_POST
@writer_required
def resolve_answer(request: WebRequest, name: str, turn_id: int) -> HttpResponse:
    """Resolve a bad rating of an answer."""
    product = get_maintained_product(name, request.principal)
    resolve_rating(principal=request.principal, product=product, turn_id=turn_id)
    messages.success(request, gettext("The report is resolved."))
    return redirect_or_location(request, feedback_url(product))


def _thank(request: WebRequest, back: str) -> HttpResponse:
    if request.htmx:
        return render_page(request, _TEMPLATE, {}, partial="thanks")
    messages.success(
        request, gettext("Thank you. The maintainers of this wiki can see your report.")
    )
    return redirect_or_location(request, back)


def _find_page(product: Product, page_id: int) -> Page:
    pages = Page.objects.filter(version__wiki__product=product, pk=page_id)
    page = pages.select_related("version__wiki").first()
    if page is None:
        raise NotFound(
            gettext(
                "The wiki was updated and no longer has this text. Open the page again."
            )
        )
    return page

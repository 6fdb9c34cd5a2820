"""`llms.txt`: what there is to read, for agents. source: llmstxt.org"""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from devrag.core.page_urls import wiki_markdown_url
from devrag.core.untrusted import mark_markdown
from devrag.products.models import Product
from devrag.products.services import get_visible_product
from devrag.web.requests import WebRequest, reader_required
from devrag.wiki.api import agents_list, shown_wiki


@require_GET
@reader_required
def product(request: WebRequest, name: str) -> HttpResponse:
    found = get_visible_product(name, request.principal)
    wiki = shown_wiki(found)
    if wiki is None or wiki.current is None:
        return _text("This product has no wiki yet.\n", status=404)
    base = _base(request)
    listed = agents_list(
        wiki.current, lambda path: base + wiki_markdown_url(name, path)
    )
    return _text(mark_markdown(listed))


@require_GET
@reader_required
def products(request: WebRequest) -> HttpResponse:
    visible = Product.objects.visible_to(request.principal).filter(
        wikis__current__isnull=False
    )
    lines = [
        _line(_base(request), each) for each in visible.distinct().order_by("name")
    ]
    head = "# devrag\n\n> Wikis of source code; each sentence names its lines."
    return _text("\n\n".join([head, "## Products", "\n".join(lines)]) + "\n")


def _line(base: str, found: Product) -> str:
    url = base + reverse("web:llms_product", args=[found.name])
    about = " ".join(found.description.split())
    return f"- [{found}]({url})" + (f": {about}" if about else "")


def _base(request: WebRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _text(text: str, status: int = 200) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)

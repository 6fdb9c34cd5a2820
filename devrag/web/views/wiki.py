"""Wiki pages, their Markdown, and writing them again."""

from __future__ import annotations

from typing import cast

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.cache import (
    get_conditional_response,
    patch_cache_control,
    set_response_etag,
)
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_GET, require_POST

from devrag.core.errors import DevragError, NotFound
from devrag.core.htmx import add_toast, is_partial, redirect_or_location, render_page
from devrag.core.page_urls import job_url, wiki_url
from devrag.core.untrusted import mark_markdown
from devrag.products.models import Product
from devrag.products.services import (
    get_maintained_product,
    get_visible_product,
    may_maintain,
)
from devrag.products.wiki_settings import LANGUAGES
from devrag.use_cases.api import request_wiki
from devrag.web.pages.conflicts import conflicts_on
from devrag.web.pages.freshness import get_wiki_freshness
from devrag.web.pages.jobs import find_open_wiki_job
from devrag.web.pages.outdated import outdated_quoted
from devrag.web.pages.saved_answers import see_saved_answer
from devrag.web.pages.wiki import get_wiki_page
from devrag.web.pages.wiki_claims import get_claim_preview
from devrag.web.pages.wiki_draft import (
    find_published_url,
    get_draft,
    get_draft_preview,
    get_draft_tree,
)
from devrag.web.pages.wiki_drafts import find_first_drafts
from devrag.web.pages.wiki_tree import get_marked_tree, tree_of_drafts
from devrag.web.requests import (
    WebRequest,
    ask_to_sign_in,
    is_signed_in,
    reader_required,
)
from devrag.web.views.ask import owner_from
from devrag.wiki.api import find_page, link_citations

# The lines never change; whether they still stand does.
PREVIEW_SECONDS = 300


@require_GET
@reader_required
def page(request: WebRequest, name: str, page: str = "index") -> HttpResponse:
    product = get_visible_product(name, request.principal)
    if page.endswith(".md"):
        return _markdown(request, product, page)
    if (language := page.rstrip("/")) in LANGUAGES:
        return redirect(f"{wiki_url(name)}?language={language}")
    job = find_open_wiki_job(product)
    if is_partial(request):
        tree = get_marked_tree(product, f"{page}.md", job)
        return render_page(request, "web/wiki.html", {"tree": tree}, partial="pages")
    hide = request.GET.getlist("hide")
    shown = get_wiki_page(product, f"{page}.md", job, hide)
    if shown and page == "index":
        wanted = request.GET.get("language") or get_language() or ""
        if url := shown.url_in(wanted):
            return redirect(url)
    drafts = find_first_drafts(product, job) if shown is None else None
    owner = owner_from(request)
    context = {
        "product": product,
        "page": shown,
        "saved": shown and see_saved_answer(product, shown.page, shown.sources, owner),
        "drafts": drafts,
        "tree": tree_of_drafts(product, drafts) if drafts else None,
        "conflicts": shown and conflicts_on(product, request.principal, shown.page),
        "outdated": shown and outdated_quoted(product, request.principal, shown.page),
        "may_maintain": may_maintain(request.principal, product),
        "job": job,
    }
    return render_page(request, "web/wiki.html", context)


@require_GET
@reader_required
def freshness(request: WebRequest, name: str) -> HttpResponse:
    """Answer with the badge that says whether the wiki is up to date."""
    product = get_visible_product(name, request.principal)
    found = get_wiki_freshness(product)
    if found is None:
        raise NotFound(gettext("%(product)s has no wiki yet") % {"product": product})
    context = {"freshness": found, "name": product.name}
    return render_page(request, "components/freshness.html", context)


@require_GET
@reader_required
def draft(request: WebRequest, name: str, language: str, page: str) -> HttpResponse:
    """Answer with a page of the version that is being written, else what is read."""
    product = get_visible_product(name, request.principal)
    job, path = find_open_wiki_job(product), f"{page}.md"
    if job is None:
        return redirect(find_published_url(product, language, path))
    if is_partial(request):
        tree = get_draft_tree(product, job, language, path)
        return render_page(request, "web/wiki.html", {"tree": tree}, partial="pages")
    shown = get_draft(product, job, language, path)
    context = {"product": product, "page": shown, "job": job}
    return render_page(request, "web/wiki_draft.html", context)


@require_GET
@reader_required
def draft_claim(
    request: WebRequest, name: str, language: str, ordinal: int, page: str
) -> HttpResponse:
    """Answer with the lines of a draft's citation, for its preview."""
    product = get_visible_product(name, request.principal)
    job = find_open_wiki_job(product)
    if job is None:
        raise NotFound(gettext("This draft was published or discarded."))
    preview = get_draft_preview(product, job, language, f"{page}.md", ordinal)
    return render_page(request, "web/claim.html", {"preview": preview})


@require_GET
@reader_required
def claim(request: WebRequest, name: str, claim: int) -> HttpResponse:
    """Answer with the lines of a citation, for its preview."""
    product = get_visible_product(name, request.principal)
    preview = get_claim_preview(product, claim)
    response = render_page(request, "web/claim.html", {"preview": preview})
    set_response_etag(response)
    patch_cache_control(response, private=True, max_age=PREVIEW_SECONDS)
    found = get_conditional_response(request, response["ETag"], response=response)
    return cast("HttpResponse", found)


def _markdown(request: WebRequest, product: Product, path: str) -> HttpResponse:
    page = find_page(product, path)
    if page is None:
        return HttpResponse("This product has no wiki yet.\n", status=404)
    base = f"{request.scheme}://{request.get_host()}"
    text = link_citations(product, page, base)
    is_person = request.headers.get("Sec-Fetch-Dest") == "document"  # a browser's tab
    return HttpResponse(
        text if is_person else mark_markdown(text),
        content_type="text/markdown; charset=utf-8",
        headers={"Vary": "Sec-Fetch-Dest"},
    )


@require_POST
@reader_required
def regenerate(request: WebRequest, name: str) -> HttpResponse:
    if not is_signed_in(request.principal):
        return ask_to_sign_in(request, wiki_url(name))
    product = get_maintained_product(name, request.principal)
    try:
        job = request_wiki(
            principal=request.principal,
            product=product,
            is_redesigned="redesign" in request.POST,
        )
    except DevragError as error:
        if not request.htmx:
            raise
        response = HttpResponse(status=204)
        add_toast(response, error.message, kind="error")
        return response
    if not request.htmx:
        return redirect_or_location(request, job_url(job.pk))
    return render_page(
        request,
        "components/job_strip.html",
        {"job": find_open_wiki_job(product) or job},
    )

"""A page's Markdown for readers elsewhere: citations as links to files."""

from __future__ import annotations

import re

from devrag.core.page_urls import file_url
from devrag.products.models import Product
from devrag.wiki.models import Claim, Page

_CITATION = re.compile(r"\]\(cite:(\d+)\)")


def claim_url(product: str, claim: Claim) -> str:
    """Return the address of the cited lines at their commit."""
    return file_url(
        product,
        claim.source_name,
        claim.version_identifier,
        claim.path,
        claim.start_line,
        claim.end_line,
    )


def link_citations(product: Product, page: Page, base: str) -> str:
    """Return a page's Markdown with citations as links to files under `base`."""
    urls = {
        claim.ordinal: base + claim_url(product.name, claim)
        for claim in page.claims.all()
    }

    def replace(match: re.Match[str]) -> str:
        url = urls.get(int(match[1]))
        return f"](<{url}>)" if url else match[0]

    return _CITATION.sub(replace, page.markdown)

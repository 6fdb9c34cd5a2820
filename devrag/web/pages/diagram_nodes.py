"""Where the nodes of a wiki page's diagrams lead: to pages, files and definitions.

The labels are compared with the titles of pages and with what the page itself cites, so
that no file is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.core.markdown import NodeResolver
from devrag.core.page_urls import file_url
from devrag.products.models import Product
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.paths import ToUrl
from devrag.wiki.api import claim_url
from devrag.wiki.models import Claim, Page

_NAME = re.compile(r"\w[\w.]*")
_DEFINES = (
    r"^[ \t]*(?:\w+[ \t]+)*(?:class|interface|struct|trait|enum|type|record|object"
    r"|module|def|func|fn|function)[ \t]+{}\b"
)


def resolve_nodes(
    product: Product, claims: Iterable[Claim], pages: Iterable[Page], to_url: ToUrl
) -> NodeResolver:
    """Return what finds the address of a node by its label. Queries: 0."""
    cited = list(claims)
    titles = {page.title: to_url(page.path) for page in pages}
    files = _files(product, cited)

    def resolve(label: str) -> str | None:
        words = label.strip()
        return titles.get(words) or files.get(words) or _definition(words)

    def _definition(name: str) -> str | None:
        if not _NAME.fullmatch(name):
            return None
        wanted = re.compile(_DEFINES.format(re.escape(name)), re.MULTILINE)
        found = next((each for each in cited if wanted.search(each.excerpt)), None)
        return claim_url(product.name, found) if found else None

    return resolve


def _files(product: Product, claims: Iterable[Claim]) -> dict[str, str]:
    """Return the ends of cited paths that mean one file → its address."""
    found: dict[str, set[tuple[str, str]]] = {}
    for source, path in {(claim.source_name, claim.path) for claim in claims}:
        parts = path.split("/")
        for start in range(len(parts)):
            found.setdefault("/".join(parts[start:]), set()).add((source, path))
    return {
        end: file_url(product.name, source, CURRENT_VERSION, path)
        for end, places in found.items()
        if len(places) == 1
        for source, path in places
    }

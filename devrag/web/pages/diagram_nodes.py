"""Where the nodes of a wiki page's diagrams lead: to pages, files and definitions.

The labels are compared with the titles of pages and with what the page itself cites, so
that no file is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial

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
    titles = {page.title: page.path for page in pages}
    # When a label is looked up: most pages have no diagram.
    files = cache(partial(_ends_of_paths, cited))

    def resolve(label: str) -> str | None:
        words = label.strip()
        if words in titles:
            return to_url(titles[words])
        if place := files().get(words):
            source, path = place
            return file_url(product.name, source, CURRENT_VERSION, path)
        return _definition(words)

    def _definition(name: str) -> str | None:
        if not _NAME.fullmatch(name):
            return None
        wanted = re.compile(_DEFINES.format(re.escape(name)), re.MULTILINE)
        found = next((each for each in cited if wanted.search(each.excerpt)), None)
        return claim_url(product.name, found) if found else None

    return resolve


def _ends_of_paths(claims: Iterable[Claim]) -> dict[str, tuple[str, str]]:
    """Return the ends of cited paths that mean one file → its source and path."""
    found: dict[str, set[tuple[str, str]]] = {}
    for source, path in {(claim.source_name, claim.path) for claim in claims}:
        parts = path.split("/")
        for start in range(len(parts)):
            found.setdefault("/".join(parts[start:]), set()).add((source, path))
    return {
        end: next(iter(places)) for end, places in found.items() if len(places) == 1
    }

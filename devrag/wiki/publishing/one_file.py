"""A version as one Markdown file: its pages in the order of their tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from devrag.wiki.checking.validators import linked_page
from devrag.wiki.evidence.citations import CITATION, ClaimDraft, stated_place
from devrag.wiki.models import Page, Version
from devrag.wiki.publishing.html import in_tree_order
from devrag.wiki.publishing.versions import claim_draft

_FENCE = re.compile(r"^\s*(```+|~~~+)")
_HEADING = re.compile(r"^(#{1,5})(?=\s)")
_LINK = re.compile(r"\]\(([^)\s#]+\.md)(#[^)\s]*)?\)")


def one_markdown(version: Version) -> str:
    """Return all pages in one file: headings one level lower, links within the file.

    Citations are footnotes that name page and number: `[^3-1]`.
    """
    pages = [
        page for page, _ in in_tree_order(version.pages.prefetch_related("claims"))
    ]
    anchors = {page.path: f"page-{number}" for number, page in enumerate(pages, 1)}
    product = version.wiki.product
    parts = [f"# {product.title or product.name}"]
    for number, page in enumerate(pages, 1):
        parts.append(f'<a id="{anchors[page.path]}"></a>')
        parts.append("\n".join(_lines(page, number, anchors)).strip())
        claims = [claim_draft(claim) for claim in page.claims.all()]
        parts += ["\n".join(_notes(claims, number))] if claims else []
    return "\n\n".join(parts) + "\n"


def _lines(page: Page, number: int, anchors: Mapping[str, str]) -> Iterator[str]:
    """Yield a page's lines for the file; those of code stay as they are."""

    def lead(match: re.Match[str]) -> str:
        target = linked_page(page.path, unquote(match[1]))
        return f"](#{anchors[target]})" if target in anchors else match[0]

    fence = ""
    for line in page.markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if fence or mark:
            yield line
            continue
        cited = CITATION.sub(rf"[^{number}-\1]", line)
        yield _LINK.sub(lead, _HEADING.sub(r"#\1", cited))


def _notes(claims: list[ClaimDraft], number: int) -> Iterator[str]:
    for claim in claims:
        yield f"[^{number}-{claim.ordinal}]: `{stated_place(claim)}`"

"""A version as files: Markdown, HTML, both in one archive, and a list for agents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from django.db.models import Count, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext

from devrag.core.errors import Conflict
from devrag.core.text import escape_markdown
from devrag.products.models import Product
from devrag.wiki.evidence.citations import as_footnotes
from devrag.wiki.models import Claim, Page, Version
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.publishing.html import as_html, html_pages
from devrag.wiki.publishing.versions import claim_draft, prefix_of, readable_wikis
from devrag.wiki.wording import WORDINGS

_LIST = "llms.txt"
_FIRST_ZIP_YEAR = 1980
# Wikis of large projects have a tenth of it, with the lines that they cite.
_MOST_CHARACTERS = 30_000_000
_ENTRY = 100  # characters of a page's link in the list of all


def files_of(version: Version, kind: str) -> dict[str, str]:
    """Return relative path → text. kind: md or html, each with its `llms.txt`."""
    return {**dict(_pages(version, kind)), _LIST: _list(version, kind)}


def exported_files(product: Product) -> dict[str, str]:
    """Return the Markdown that readers see; another language in a folder of its own."""
    wikis = readable_wikis(product)
    return {
        prefix_of(wiki, wikis) + path: text
        for wiki in wikis
        if wiki.current is not None
        for path, text in files_of(wiki.current, "md").items()
    }


def _pages(version: Version, kind: str) -> Iterator[tuple[str, str]]:
    return html_pages(version) if kind == "html" else _markdown_pages(version)


def _list(version: Version, kind: str) -> str:
    return agents_list(version, as_html if kind == "html" else str)


def _markdown_pages(version: Version) -> Iterator[tuple[str, str]]:
    """Yield path and Markdown for any viewer, citations as footnotes."""
    for page in version.pages.prefetch_related("claims"):
        claims = [claim_draft(claim) for claim in page.claims.all()]
        yield page.path, as_footnotes(page.markdown, claims)


def archive_of(version: Version, kind: str) -> bytes:
    """Return a zip of a version's files. kind: md, html, or zip for both.

    Equal versions, equal bytes. Each page is packed as it is made.
    """
    kinds = ("html", "md") if kind == "zip" else (kind,)
    return _zip(version, chain(*(_pages(version, each) for each in kinds)), kinds[-1])


def check_export_size(version: Version, kind: str) -> None:
    """Raise Conflict for a version that is too large for one answer. Queries: 2.

    kind: as of `archive_of`.
    """
    pages = version.pages.aggregate(count=Count("pk"), size=Sum(Length("markdown")))
    cited = Claim.objects.filter(page__version=version)
    size = (pages["size"] or 0) + (cited.aggregate(s=Sum(Length("excerpt")))["s"] or 0)
    if kind != "md":
        size += pages["count"] ** 2 * _ENTRY  # each page lists all
    if size <= _MOST_CHARACTERS:
        return
    raise Conflict(
        gettext(
            "Version %(number)s is too large to download: %(size)s characters; the "
            "limit is %(most)s. Run `devrag wiki export` on the server."
        )
        % {
            "number": version.number,
            "size": f"{size:,}",
            "most": f"{_MOST_CHARACTERS:,}",
        }
    )


def agents_list(version: Version, name: Callable[[str], str]) -> str:
    """Return `llms.txt`: what the product is, and each page with its summary.

    name: a page's path → what it is called in this export. source: llmstxt.org
    """
    product = version.wiki.product
    say = WORDINGS[version.wiki.language].say
    pages = list(version.pages.order_by("ordinal"))
    front = next((page.summary for page in pages if page.path == INDEX), "")
    notes = [page for page in pages if page.kind == Page.NOTE]
    written = [page for page in pages if page.kind != Page.NOTE]
    parts = [f"# {product.title or product.name}"]
    parts += [f"> {_in_line(front)}"] if front else []
    parts += [say("## Pages"), _links(written, name)]
    parts += [say("## Notes"), _links(notes, name)] if notes else []
    return "\n\n".join(parts) + "\n"


def _links(pages: Iterable[Page], name: Callable[[str], str]) -> str:
    return "\n".join(_link(page, name(page.path)) for page in pages)


def _link(page: Page, address: str) -> str:
    # What people typed shows as they typed it.
    show = escape_markdown if page.kind == Page.NOTE else _in_line
    summary = f": {show(page.summary)}" if page.summary else ""
    return f"- [{show(page.title)}]({address}){summary}"


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _zip(version: Version, pages: Iterable[tuple[str, str]], listed: str) -> bytes:
    at = version.created_at
    stamp = (max(at.year, _FIRST_ZIP_YEAR), at.month, at.day, at.hour, at.minute, 0)
    folder = version.wiki.product.name
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in chain(pages, [(_LIST, _list(version, listed))]):
            entry = zipfile.ZipInfo(f"{folder}/{path}", stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)
    return buffer.getvalue()

"""A version as HTML pages that open from a folder: no server, no scripts."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from devrag.core.errors import ConfigurationError
from devrag.core.markdown import Citation, LinkResolver, render_markdown
from devrag.wiki.checking.validators import linked_page
from devrag.wiki.evidence.citations import ClaimDraft, stated_place
from devrag.wiki.models import Page, Version
from devrag.wiki.planning.page_kind import INDEX
from devrag.wiki.publishing.versions import claim_draft
from devrag.wiki.wording import WORDINGS

_STYLES = ("app.css", "css/prose.css", "css/code.css", "css/wiki.css", "css/export.css")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the list of pages."""

    title: str
    url: str
    depth: int
    is_current: bool


@dataclass(frozen=True, slots=True)
class _Evidence:
    ordinal: int
    place: str
    excerpt: str


def html_pages(version: Version) -> Iterator[tuple[str, str]]:
    """Yield path and HTML of a version's pages, and the style sheet they share."""
    pages = list(version.pages.prefetch_related("claims"))
    tree = in_tree_order(pages)
    yield "style.css", _style_sheet()
    for page in pages:
        yield as_html(page.path), _render(version, page, tree)


def as_html(path: str) -> str:
    """Return the name of a page's HTML file."""
    return f"{path.removesuffix('.md')}.html"


def _render(version: Version, page: Page, tree: Sequence[tuple[Page, int]]) -> str:
    claims = {str(c.ordinal): claim_draft(c) for c in page.claims.all()}

    def cite(key: str) -> Citation | None:
        claim = claims.get(key)
        return Citation(f"#dr-claim-{key}", stated_place(claim)) if claim else None

    rendered = render_markdown(
        page.markdown,
        resolve_link=_between_pages(page.path, {each.path for each, _ in tree}),
        resolve_citation=cite,
    )
    product = version.wiki.product
    say = WORDINGS[version.wiki.language].say
    context = {
        "page": page,
        "product": product.title or product.name,
        "labels": {
            "pages": say("Wiki pages"),
            "evidence": say("Evidence"),
            "toc": say("On this page"),
            "written": say(
                "Version {number}, written {time} UTC by {writer}.",
                number=version.number,
                time=version.created_at.strftime("%Y-%m-%d %H:%M"),
                writer=version.writer,
            ),
        },
        "language": version.wiki.language,
        "root": "../" * page.path.count("/"),
        "entries": [_entry(page, each, depth) for each, depth in tree],
        "html": rendered.html,
        "toc": [heading for heading in rendered.toc if heading.level in {2, 3}],
        "claims": list(map(_evidence, claims.values())),
    }
    return render_to_string("wiki/export.html", context)


def _entry(current: Page, page: Page, depth: int) -> _Entry:
    url = _relative(current.path, page.path)
    return _Entry(page.title, url, depth, page.path == current.path)


def _evidence(claim: ClaimDraft) -> _Evidence:
    return _Evidence(claim.ordinal, stated_place(claim), claim.excerpt)


def _between_pages(base: str, pages: set[str]) -> LinkResolver:
    def resolve(href: str) -> str | None:
        target, fragment = urldefrag(href)
        path = linked_page(base, unquote(target))
        if path not in pages:
            return None
        return _relative(base, path) + (f"#{fragment}" if fragment else "")

    return resolve


def _relative(base: str, path: str) -> str:
    return posixpath.relpath(as_html(path), posixpath.dirname(base) or ".")


def in_tree_order(pages: Iterable[Page]) -> list[tuple[Page, int]]:
    """Return each page with its depth; the front page stands above none."""
    children: dict[str, list[Page]] = {}
    known: dict[str, Page] = {page.path: page for page in pages}
    for page in known.values():
        is_below = page.parent_path in known and page.parent_path != INDEX
        children.setdefault(page.parent_path if is_below else "", []).append(page)

    def below(path: str, depth: int) -> Iterator[tuple[Page, int]]:
        for page in children.get(path, ()):
            yield page, depth
            yield from below(page.path, depth + 1)

    return list(below("", 0))


def _style_sheet() -> str:
    parts = []
    for name in _STYLES:
        file = finders.find(name)
        if not isinstance(file, str):
            raise ConfigurationError(
                f"The style sheet {name} is missing from the static files of this "
                "installation. Reinstall devrag."
            )
        parts.append(Path(file).read_text(encoding="utf-8"))
    return "\n".join(parts)

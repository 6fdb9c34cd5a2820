"""A page with its comments as a Markdown document. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.sources.connectors.confluence.api import Space
from devrag.sources.connectors.confluence.content import Content
from devrag.sources.connectors.confluence.links import PageLinks
from devrag.sources.connectors.confluence.storage import storage_to_markdown
from devrag.sources.documents import DocumentFacts, read_time, write_document


def page_document(
    page: Content, space: Space, links: PageLinks, comments: Sequence[Content]
) -> str:
    """Return what is kept of a page: its facts, title, text and comments."""
    parts = [f"# {_in_line(page.title)}", storage_to_markdown(page.body or "", links)]
    if comments:
        parts.append("## Comments")
    for each in comments:
        written = storage_to_markdown(each.body or "", links)
        parts += [f"### {_said_by(each)}", written]
    body = "\n\n".join(filter(None, parts))
    return write_document(page_facts(page, space, links.base_url), body)


def page_url(page: Content, base_url: str) -> str:
    """Return an address of the page that stays when it is renamed."""
    if page.content_id in page.address:
        return f"{base_url}{page.address}"
    return f"{base_url}/pages/viewpage.action?pageId={page.content_id}"


def page_facts(page: Content, space: Space, base_url: str) -> DocumentFacts:
    """Return what is known of a page."""
    above = tuple(title for each, title in page.ancestors if each != space.home_id)
    return DocumentFacts(
        page.title or "Untitled",
        place=(space.name, *(("Blog",) if page.kind == "blogpost" else above)),
        author=page.author,
        labels=page.labels,
        created=page.created,
        changed=page.changed,
        url=page_url(page, base_url),
        version=str(page.number),
    )


def _said_by(comment: Content) -> str:
    when = read_time(comment.created)
    day = f"{when:%Y-%m-%d}" if when else ""
    return ", ".join(filter(None, (_in_line(comment.author) or "Unknown", day)))


def _in_line(words: str) -> str:
    return " ".join(words.split())

"""A page, or a data source, as a Markdown document. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement

from devrag.sources.connectors.notion.blocks import (
    BlockElements,
    NotionWriter,
    PageLinks,
)
from devrag.sources.connectors.notion.content import Block
from devrag.sources.connectors.notion.node import Node
from devrag.sources.connectors.notion.properties import Facts
from devrag.sources.connectors.notion.richtext import add_rich, add_text
from devrag.sources.connectors.notion.tree import UNTITLED
from devrag.sources.connectors.pages.json_data import Json, list_of, part_of, text_of
from devrag.sources.documents import DocumentFacts, read_time, write_document


def write_page(
    node: Node,
    facts: DocumentFacts,
    *,
    values: Iterable[tuple[str, str]],
    blocks: Sequence[Block],
    comments: Sequence[Json],
    links: PageLinks,
) -> str:
    """Return what is kept of a page: facts, title, properties, text and comments."""
    root = _root(node)
    _add_list(root, values)
    BlockElements(links).add(root, blocks)
    if comments:
        add_text(SubElement(root, "h2"), "Comments")
    for each in comments:
        add_text(SubElement(root, "h3"), _said_by(each))
        add_rich(SubElement(root, "p"), list_of(each, "rich_text"), links)
    return write_document(facts, NotionWriter().write(root))


def write_data_source(
    node: Node,
    facts: DocumentFacts,
    *,
    columns: Iterable[tuple[str, str]],
    links: PageLinks,
) -> str:
    """Return what is kept of a data source: description and properties; no rows."""
    root = _root(node)
    add_rich(SubElement(root, "p"), list_of(node.data, "description"), links)
    add_text(SubElement(root, "h2"), "Properties")
    _add_list(root, columns)
    return write_document(facts, NotionWriter().write(root))


def page_facts(
    node: Node, *, place: tuple[str, ...], known: Facts, author: str, url: str
) -> DocumentFacts:
    """Return what is known of a page. author: who made it, unless a property tells."""
    return DocumentFacts(
        node.title or UNTITLED,
        place=place,
        status=known.status,
        is_closed=known.is_closed,
        author=known.author or author,
        labels=known.labels,
        created=node.created,
        changed=node.edited,
        url=url,
    )


def _root(node: Node) -> Element:
    root = Element("div")
    add_text(SubElement(root, "h1"), node.title or UNTITLED)
    return root


def _add_list(root: Element, values: Iterable[tuple[str, str]]) -> None:
    made = SubElement(root, "ul")
    for name, words in values:
        add_text(SubElement(made, "li"), f"{name}: {words}")


def _said_by(comment: Json) -> str:
    when = read_time(text_of(comment, "created_time"))
    day = f"{when:%Y-%m-%d}" if when else ""
    name = text_of(part_of(comment, "display_name"), "resolved_name")
    by = name or text_of(part_of(comment, "created_by"), "name")
    return ", ".join(filter(None, (" ".join(by.split()) or "Unknown", day)))

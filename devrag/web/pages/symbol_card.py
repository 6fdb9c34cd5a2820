"""The card of a definition: what one wants to know without leaving the line."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from django.urls import reverse

from devrag.core.highlight import highlight_lines
from devrag.core.text import shorten
from devrag.web.kind_labels import shown_kind
from devrag.web.pages.symbol_links import FoundDefinition

_SIGNATURE_CHARACTERS, _DOC_CHARACTERS = 600, 400


@dataclass(frozen=True, slots=True)
class SymbolCard:
    """signature: highlighted lines. doc: the first paragraph of its documentation."""

    name: str
    kind: str
    signature: tuple[str, ...]
    doc: str
    place: str
    file_url: str
    url: str
    references_url: str


def get_symbol_card(found: FoundDefinition) -> SymbolCard:
    """Return the card of a definition."""
    symbol = found.symbol
    signature = shorten_lines(symbol.signature or symbol.qualified_name)
    names = (found.product.name, found.source.name, found.version)
    return SymbolCard(
        name=symbol.qualified_name,
        kind=shown_kind(symbol.kind, symbol.file.language),
        signature=tuple(highlight_lines(signature, symbol.file.language)),
        doc=first_paragraph(symbol.docstring),
        place=f"{symbol.file.path}:{symbol.start_line}",
        file_url=found.file_url(symbol.file.path, symbol.start_line),
        url=found.url,
        references_url=reverse("web:references", args=[*names, symbol.uuid]),
    )


def first_paragraph(docstring: str) -> str:
    """Return the text before the first empty line, as one line.

    >>> first_paragraph('''
    ...     Sends
    ...     a request.
    ...
    ...     More.''')
    'Sends a request.'
    """
    paragraph = inspect.cleandoc(docstring).partition("\n\n")[0]
    return shorten(" ".join(paragraph.split()), _DOC_CHARACTERS)


def shorten_lines(text: str) -> str:
    """Return a signature of bounded length; its lines stay."""
    if len(text) <= _SIGNATURE_CHARACTERS:
        return text
    return text[:_SIGNATURE_CHARACTERS].rstrip() + " …"

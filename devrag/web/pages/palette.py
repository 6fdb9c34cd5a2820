"""What the palette offers for a few letters: places, definitions and actions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db.models import F
from django.utils.translation import gettext

from devrag.core.highlight import places_of_words
from devrag.core.page_urls import file_url, product_url, symbol_url, wiki_url
from devrag.core.principal import Principal
from devrag.navigation.symbol_search import FoundSymbol, find_symbols
from devrag.products.models import Product
from devrag.sources.api import FoundFile, find_files
from devrag.sources.models import Source
from devrag.sources.selectors import CURRENT_VERSION
from devrag.web.pages.palette_actions import Choice, fits, list_actions
from devrag.wiki.models import Page

_EACH = 6
# Fewer letters stand in nearly every path and title.
_FEWEST = 2
_PATH_AND_LINE = re.compile(
    r"(?P<path>.*?[^:\s]):(?P<line>[1-9]\d{0,6})(?::\d*)?:?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    choices: tuple[Choice, ...]


def get_palette(
    principal: Principal, text: str, product_name: str, theme: str
) -> tuple[Group, ...]:
    """Return what fits the text; of the product first where one is looked at.

    Queries: 2 without a text; with one 5, and those of find_symbols.
    """
    text = text.strip()
    products = list(Product.objects.visible_to(principal))
    here = [each for each in products if each.name == product_name]
    actions = list_actions(principal, here[0] if here else None, theme)
    fitting = [each for each in actions if fits(text, each.title, each.detail)]
    groups = [(gettext("Actions"), fitting)]
    groups.insert(bool(not text), (gettext("Products"), _products(products, text)))
    if len(text) >= _FEWEST:
        groups.append((gettext("Wiki"), _pages(here or products, text)))
    if text:
        visible = Source.objects.within_limits(principal)
        sources = visible.filter(product__in=here or products)
        source_ids = list(sources.values_list("pk", flat=True))
        path, line = _read_place(text)
        symbols = (gettext("Definitions"), _symbols(source_ids, text))
        found = find_files(path, source_ids, limit=_EACH + 2) if path else []
        files = (gettext("Files"), [_file(each, line) for each in found])
        is_path = any(_is_end(path, each.path) for each in found)
        groups += [files, symbols] if is_path else [symbols, files]
    return tuple(Group(name, _mark(found, text)) for name, found in groups if found)


def _mark(choices: Iterable[Choice], text: str) -> tuple[Choice, ...]:
    """Return the choices with the words of a text marked in those without marks."""
    words = text.split()
    return tuple(
        each
        if each.places
        else replace(each, places=tuple(places_of_words(each.title, words)))
        for each in choices
    )


def _products(products: Iterable[Product], text: str) -> list[Choice]:
    return [
        Choice(str(each), each.description, product_url(each.name), icon="layers")
        for each in products
        if fits(text, each.name, each.title)
    ][:_EACH]


def _pages(products: Iterable[Product], text: str) -> list[Choice]:
    rows = Page.objects.filter(
        version__wiki__product__in=products, version=F("version__wiki__current")
    )
    for word in text.split():
        rows = rows.filter(title__icontains=word)
    found = rows.values_list("title", "path", "version__wiki__product__name")
    return [
        Choice(title, product, wiki_url(product, path), icon="book")
        for title, path, product in found.order_by("ordinal")[:_EACH]
    ]


def _read_place(text: str) -> tuple[str, int]:
    """Return the path and line of `src/till.py:12:3`, as compilers and grep write it.

    The path is empty where too few letters are typed, the line 0 where none is.
    """
    place = _PATH_AND_LINE.fullmatch(text)
    path, line = (place["path"], int(place["line"])) if place else (text, 0)
    path = path.removeprefix("./").strip("/")
    return (path if len(path) >= _FEWEST else ""), line


def _is_end(text: str, path: str) -> bool:
    """Return whether a text is a path or the end of one, with its extension."""
    return "." in text and f"/{path}".lower().endswith(f"/{text}".lower())


def _file(found: FoundFile, line: int) -> Choice:
    at = f":{line}" if line else ""
    return Choice(
        found.path.rpartition("/")[2],
        f"{found.source}/{found.path}{at}",
        file_url(found.product, found.source, CURRENT_VERSION, found.path, line),
        icon="file",
    )


def _symbols(source_ids: list[int], text: str) -> list[Choice]:
    found = find_symbols(source_ids, text, limit=_EACH, is_typing=True)
    return [_definition(each) for each in found]


def _definition(found: FoundSymbol) -> Choice:
    symbol, file = found.symbol, found.symbol.file
    source = file.source
    more = f" (+{found.definitions - 1})" if found.definitions > 1 else ""
    return Choice(
        symbol.qualified_name,
        f"{file.path}:{symbol.start_line}{more}",
        symbol_url(source.product.name, source.name, CURRENT_VERSION, symbol.uuid),
        icon="code",
        places=found.places,
    )

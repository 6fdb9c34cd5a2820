"""A definition in the version that is looked at, and the addresses around it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.page_urls import file_url, symbol_url
from devrag.navigation.symbols import get_symbol
from devrag.products.models import Product
from devrag.sources.models import GitRef, Source, Symbol
from devrag.use_cases.api import brief, find_ref
from devrag.web.kind_labels import shown_kind


@dataclass(frozen=True, slots=True)
class SymbolLink:
    name: str
    kind: str
    url: str
    place: str


@dataclass(frozen=True, slots=True)
class FoundDefinition:
    """A definition, and the version of the source that it was found in."""

    product: Product
    source: Source
    version: str
    ref: GitRef
    symbol: Symbol

    @property
    def url(self) -> str:
        return self.url_of(self.symbol)

    def url_of(self, symbol: Symbol) -> str:
        return symbol_url(
            self.product.name, self.source.name, self.version, symbol.uuid
        )

    def link(self, symbol: Symbol) -> SymbolLink:
        place = f"{symbol.file.path}:{symbol.start_line}"
        url = self.url_of(symbol)
        kind = shown_kind(symbol.kind, symbol.file.language)
        return SymbolLink(symbol.qualified_name, kind, url, place)

    def file_url(self, path: str, start: int = 0, end: int = 0) -> str:
        names = (self.product.name, self.source.name, self.version)
        return file_url(*names, path, start, end)


def find_symbol(
    product: Product, source: Source, version: str, uuid: UUID
) -> FoundDefinition:
    """Return a definition at a version; NotFound says why. Queries: 2."""
    ref = find_ref(source, version)
    if ref is None:
        raise NotFound(
            gettext(
                "The definitions of %(source)s at %(version)s are no longer "
                "stored. See the current version."
            )
            % {"source": source.name, "version": brief(version)}
        )
    return FoundDefinition(product, source, version, ref, get_symbol(ref, uuid))

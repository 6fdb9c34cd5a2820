"""Menus of a search page that narrow it: the values that all matches have, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop

from devrag.search.api import FacetValue, count_facets
from devrag.search.types import SYMBOL_KINDS, SearchQuery
from devrag.web.kind_labels import kind_label
from devrag.web.pages.languages import name_language
from devrag.web.search_urls import search_url

_TITLES = {
    "language": gettext_noop("Language"),
    "kind": gettext_noop("Definitions"),
    "source": gettext_noop("Source"),
    "folder": gettext_noop("Folder"),
}
# What a facet is called in the address of a search.
_NAMES = {"folder": "path"}


@dataclass(frozen=True, slots=True)
class FacetLink:
    """A value, and the search for matches with it; of a chosen one without it."""

    label: str
    count: int
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A menu of values, the commonest first; what is chosen has a chip, too."""

    title: str
    links: tuple[FacetLink, ...]


def list_facets(query: SearchQuery, wanted: Mapping[str, Any]) -> tuple[Facet, ...]:
    """Return the menus of a question. wanted: its filters, as in its address."""
    counted = count_facets(query)
    if "kind" in counted:
        # Kinds of files are chosen beside the box; those of chunks are for agents.
        of_code = [each for each in counted["kind"] if each.value in SYMBOL_KINDS]
        counted["kind"] = tuple(of_code)
    return tuple(
        _facet(name, counted[name], wanted) for name in _TITLES if counted.get(name)
    )


def _facet(
    name: str, values: tuple[FacetValue, ...], wanted: Mapping[str, Any]
) -> Facet:
    key = _NAMES.get(name, name)
    chosen = str(wanted.get(key) or "")
    links = tuple(
        FacetLink(
            label=_label(name, each.value),
            count=each.count,
            url=search_url({**wanted, key: "" if each.value == chosen else each.value}),
            is_chosen=each.value == chosen,
        )
        for each in values
    )
    return Facet(gettext(_TITLES[name]), links)


def _label(name: str, value: str) -> str:
    if name == "language":
        return name_language(value)
    return kind_label(value) if name == "kind" else value

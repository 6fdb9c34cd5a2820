"""What a filter of a question may become: `lang:py` → `lang:python`."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from devrag.core.principal import Principal
from devrag.labels.api import known_names
from devrag.products.models import Product
from devrag.search.types import KINDS
from devrag.sources.models import Document, File, Source

_MOST = 8
# Paths looked at for the folders among them.
_PATHS = 20_000
_FILTER = re.compile(
    r"(?P<start>-?(?P<name>lang|kind|label|path|product|status|author):)(?P<value>\S*)"
)
_NAMES = (
    *("lang:", "kind:", "label:", "-label:", "path:", "-path:", "product:"),
    *("status:", "author:", "after:", "before:"),
)
# Documents looked at for names that begin so.
_DOCUMENTS = 20_000


def complete_filter(principal: Principal, word: str, product: str) -> tuple[str, ...]:
    """Return filters that begin with a word, in the order to offer them.

    Queries: 0 to 2.
    """
    match = _FILTER.fullmatch(word)
    if match is None:
        return tuple(name for name in _NAMES if word and name.startswith(word))
    found = _values(principal, match["name"], match["value"], product)
    whole = (match["start"] + value for value in found)
    return tuple(each for each in whole if each != word)[:_MOST]


def _values(principal: Principal, name: str, value: str, product: str) -> list[str]:
    begun = value.lower()
    if name == "kind":
        return [each for each in KINDS if each.startswith(begun)]
    products = Product.objects.visible_to(principal)
    if name == "product":
        return list(
            products.filter(name__istartswith=value).values_list("name", flat=True)[
                : _MOST + 1
            ]
        )
    if product:
        products = products.filter(name=product)
    if name == "label":
        names = known_names(list(products.values_list("pk", flat=True)))
        return [each for each in names if each.startswith(begun)]
    sources = Source.objects.within_limits(principal).filter(product__in=products)
    if name in _OF_DOCUMENTS:
        return _known_words(sources, name, begun.strip('"'))
    ids = sorted(sources.values_list("pk", flat=True))
    return _folders(ids, value) if name == "path" else _languages(ids, begun)


_OF_DOCUMENTS = ("status", "author")


def _known_words(sources: QuerySet[Source], name: str, begun: str) -> list[str]:
    """Return the statuses or authors of pages and tickets, the commonest first.

    begun: how they begin, of names each word. Queries: 1.
    """
    rows = Document.objects.filter(
        file__source__in=sources,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    ).exclude(**{name: ""})
    latest = rows.order_by("-pk").values_list(name, flat=True)[:_DOCUMENTS]
    counted = [word for word, _ in Counter(latest).most_common()]
    offered = ["open", "closed", *counted] if name == "status" else counted
    fitting = dict.fromkeys(word for word in offered if _fits(word, begun))
    return [_quoted(word) for word in fitting][: _MOST + 1]


def _fits(word: str, begun: str) -> bool:
    return any(f" {word.casefold()}".find(mark + begun) >= 0 for mark in (" ", "-"))


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _languages(source_ids: list[int], begun: str) -> list[str]:
    rows = File.objects.filter(
        source__in=source_ids, language__startswith=begun, manifests__until=None
    )
    counted = rows.exclude(language="").order_by("language")
    return list(counted.values_list("language", flat=True).distinct()[: _MOST + 1])


def _folders(source_ids: list[int], value: str) -> list[str]:
    """Return the folders one level below what is written, the fullest first."""
    begin = value.removeprefix("/")
    depth = begin.count("/") + 1
    with connection.cursor() as cursor:
        asked: list[Any] = [depth, source_ids, begin, _PATHS, depth, _MOST + 1]
        cursor.execute(_FOLDERS, asked)
        return [row[0] for row in cursor.fetchall()]


_FOLDERS = """
SELECT array_to_string((string_to_array(path, '/'))[1:%s], '/') || '/' AS folder
FROM (
    SELECT f.path FROM sources_file f
    WHERE f.source_id = ANY(%s) AND starts_with(f.path, %s)
      AND EXISTS (
        SELECT FROM sources_reffile m WHERE m.file_id = f.id AND m.until IS NULL
      )
    LIMIT %s
) AS paths
WHERE split_part(path, '/', %s + 1) <> ''
GROUP BY folder ORDER BY count(*) DESC, folder LIMIT %s
"""

"""The tickets that subjects of commits name: `#12`, `GH-12`, `!12`, `refs #12`.

A number only means something in one tracker: that of the repository itself, else the
only one of the product.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from devrag.core.principal import Principal
from devrag.mentions.document_keys import keys_of, paths_of
from devrag.mentions.names import current
from devrag.products.models import Product
from devrag.sources.models import Document, Source

TRACKERS = (Source.Type.REDMINE, Source.Type.GITHUB, Source.Type.GITLAB)
# Their tickets lie beside a repository of the same address.
_HOSTS_OF_CODE = (Source.Type.GITHUB, Source.Type.GITLAB)
_NUMBER = re.compile(r"(?<![\w&#/=.\-])(#|GH-|!)([1-9]\d{0,6})(?![\w-])")
_SCP = re.compile(r"(?:[^@/]+@)?([\w.-]+):(?!//)(.+)")


@dataclass(frozen=True, slots=True)
class SubjectPart:
    """A piece of a commit's subject. ticket: the one it names, None for plain text."""

    text: str
    ticket: Document | None = None


def link_tickets(
    principal: Principal, product: Product, source: Source, subjects: Sequence[str]
) -> list[tuple[SubjectPart, ...]]:
    """Return subjects of commits in pieces, those that name tickets apart. Queries: 2.

    source: that of the commits. Only tickets that the principal may read.
    """
    keys = {_key(match) for each in subjects for match in _NUMBER.finditer(each)}
    tickets = _find_tickets(principal, product, source, keys) if keys else {}
    return [_parts(each, tickets) for each in subjects]


def _key(match: re.Match[str]) -> str:
    return f"{match[1].replace('GH-', '#')}{match[2]}"


def _parts(subject: str, tickets: dict[str, Document]) -> tuple[SubjectPart, ...]:
    found: list[SubjectPart] = []
    end = 0
    for match in _NUMBER.finditer(subject):
        ticket = tickets.get(_key(match))
        if ticket is None:
            continue
        if match.start() > end:
            found.append(SubjectPart(subject[end : match.start()]))
        found.append(SubjectPart(match[0], ticket))
        end = match.end()
    if end < len(subject):
        found.append(SubjectPart(subject[end:]))
    return tuple(found)


def _find_tickets(
    principal: Principal, product: Product, source: Source, keys: set[str]
) -> dict[str, Document]:
    tracker = _tracker_of(source, _trackers(principal, product))
    if tracker is None:
        return {}
    documents = current(Document.objects, "file__", [tracker.pk]).filter(
        kind=Document.Kind.TICKET, file__path__in=paths_of(keys)
    )
    found: dict[str, Document] = {}
    for document in documents.select_related("file__source").defer("file__text"):
        for key in keys.intersection(keys_of(document)):
            found[key] = document
    return found


def _trackers(principal: Principal, product: Product) -> Iterable[Source]:
    sources = Source.objects.within_limits(principal).filter(product=product)
    return sources.filter(source_type__in=TRACKERS)


def _tracker_of(source: Source, trackers: Iterable[Source]) -> Source | None:
    """Return the tracker of a repository, None where it may be one of several."""
    host, path = _address(source.location)
    possible: list[Source] = []
    for tracker in trackers:
        if tracker.source_type in _HOSTS_OF_CODE:
            other_host, other_path = _address(tracker.location)
            if (host, path) == (other_host, other_path):
                return tracker
            if host == other_host:  # the tickets of another repository there
                continue
        possible.append(tracker)
    return possible[0] if len(possible) == 1 else None


def _address(location: str) -> tuple[str, str]:
    """Return host and path of a repository, alike for https, ssh and issue lists.

    >>> _address("git@github.com:tea/shop.git")
    ('github.com', 'tea/shop')
    """
    match = _SCP.fullmatch(location)
    if match and "://" not in location:
        host, path = match[1], match[2]
    else:
        try:
            parts = urlsplit(location)
            host, path = parts.hostname or "", parts.path
        except ValueError:
            return "", location
    name = path.strip("/").removesuffix(".git").lower()
    return host.lower(), name.partition("/-/")[0].removesuffix("/issues")

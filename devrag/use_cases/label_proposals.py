"""Topics of a product's wiki that its vocabulary lacks, as labels to add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from devrag.core.page_urls import wiki_url
from devrag.labels.api import KINDS, MAX_NAME, MAX_PATHS
from devrag.labels.models import Label
from devrag.products.models import Product
from devrag.wiki.api import WikiTopic, list_topics, plain_text

_MOST = 12
_NO_NAME = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True, slots=True)
class ProposedLabel:
    """A label as it would be added. title, url: of the wiki page on its topic."""

    name: str
    description: str
    paths: tuple[str, ...]
    title: str
    url: str

    @property
    def paths_text(self) -> str:
        """Its patterns as they are typed, one in each line."""
        return "\n".join(self.paths)


def propose_labels(product: Product) -> list[ProposedLabel]:
    """Return topics that are no labels yet, in the order of the wiki. Queries: 3.

    None for topics that a built-in label means, also one that was removed.
    """
    topics = list_topics(product)
    if not topics:
        return []
    rows = Label.objects.filter(product=product, is_removed=False)
    known = {*rows.values_list("name", flat=True), *KINDS}
    known |= {_name_of(kind.title) for kind in KINDS.values()}
    return list(islice(_lacking(product, topics, known), _MOST))


def _lacking(
    product: Product, topics: Iterable[WikiTopic], known: set[str]
) -> Iterator[ProposedLabel]:
    for topic in topics:
        name = _name_of(topic.title)
        if not name or name in known:
            continue
        known.add(name)
        about = ": ".join(filter(None, (topic.title, plain_text(topic.summary))))
        url = wiki_url(product.name, topic.path)
        yield ProposedLabel(name, about, _paths(topic), topic.title, url)


def _name_of(title: str) -> str:
    name = _NO_NAME.sub("-", title.lower()).strip("-.+")
    return name[:MAX_NAME].rstrip("-.+")


def _paths(topic: WikiTopic) -> tuple[str, ...]:
    """Return the files of a topic as patterns, none where they are too many."""
    paths = tuple(dict.fromkeys(each.partition("/")[2] for each in topic.files))
    return paths if len(paths) <= MAX_PATHS else ()

"""Which files give the address or number of pages and tickets, for many at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from devrag.mentions.api import Scope
from devrag.mentions.document_keys import keys_of
from devrag.mentions.names import current
from devrag.sources.models import Document, Reference, Source

# Documents of which the keys are looked for in one query.
_AT_ONCE = 500
_MOST_DOCUMENTS = 20_000
_MOST_ROWS = 50_000


def find_links(source_ids: Sequence[int]) -> list[tuple[int, int]]:
    """Return (file, document) pairs: the file gives the document's address or number.

    Of the most recent documents of these sources, in what is indexed now. A number
    counts where the sources have one tracker. Queries: 2, and 1 for 500 documents.
    """
    rows = Source.objects.filter(pk__in=source_ids).values_list("pk", "source_type")
    scope = Scope(tuple(rows))
    documents = current(Document.objects, "file__", scope.sources)
    documents = documents.order_by("-changed_at", "pk").only("kind", "url")
    found: dict[tuple[int, int], None] = {}
    known = list(documents[:_MOST_DOCUMENTS])
    for start in range(0, len(known), _AT_ONCE):
        found |= dict.fromkeys(_links(known[start : start + _AT_ONCE], scope))
    return sorted(found)[:_MOST_ROWS]


def _links(documents: Sequence[Document], scope: Scope) -> Iterator[tuple[int, int]]:
    by_key: dict[str, list[int]] = defaultdict(list)
    for document in documents:
        for key in keys_of(document):
            by_key[key].append(document.pk)
    rows = current(Reference.objects, "file__", scope.sources).filter(
        source__in=scope.sources,
        last_name__in=list(by_key),
        kind__in=scope.document_kinds,
    )
    for file, key in rows.values_list("file_id", "last_name").distinct()[:_MOST_ROWS]:
        yield from ((file, each) for each in by_key[key] if each != file)

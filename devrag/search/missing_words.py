"""Words of a question that stand nowhere in what it asks."""

from __future__ import annotations

from devrag.search.lexical.terms import counterparts
from devrag.search.query_intent import read_question
from devrag.search.retrievers import reader
from devrag.search.service import sources_in_scope
from devrag.search.types import SearchQuery
from devrag.sources.models import Chunk, File

_MOST_WORDS = 24


def missing_words(query: SearchQuery) -> tuple[str, ...]:
    """Return the words and names of a query that no text in its scope has.

    Names are looked for as they are written; a word that the other language has, by the
    table of terms, is not missing. Without an index nothing is.
    """
    question = read_question(query.text)
    source_ids = sources_in_scope(query)
    names = {name.lower(): name for name in question.names}
    words = sorted(question.words - set(names))[:_MOST_WORDS]
    asked = {word: (word, *counterparts(word)) for word in words}
    asked |= {name: (name,) for name in names}
    wanted = {form for forms in asked.values() for form in forms}
    found = reader().find_words(wanted, query, source_ids)
    if found is None:
        return ()
    missing = [word for word, forms in asked.items() if found.isdisjoint(forms)]
    return tuple(names.get(word, word) for word in missing)


def has_japanese_documents(query: SearchQuery) -> bool:
    """Return whether a document in a query's scope is written in Japanese. Queries: 1.

    Code with Japanese comments alone does not count.
    """
    rows = Chunk.objects.filter(
        file__source__in=sources_in_scope(query),
        file__kind=File.Kind.DOC,
        file__manifests__until=None,
        language="ja",
    )
    return rows.exists()

"""A question as a query of tantivy: words, phrases, filters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import tantivy
from tantivy import Occur, Query

from devrag.search.document_filters import changed_days, wanted_terms
from devrag.search.lexical.analyser import STOP_WORDS, analyse, tokenize
from devrag.search.lexical.japanese import readings_asked
from devrag.search.lexical.labels import PLACE_ROOT, label, place_parts
from devrag.search.lexical.stemming import other_forms
from devrag.search.lexical.store import build_schema
from devrag.search.lexical.terms import counterparts
from devrag.search.types import DOCUMENT_KINDS, SearchQuery
from devrag.sources.api import label_term

# How much a match in a field counts; the body is the measure.
_BOOSTS = {"body": 1.0, "header": 1.0, "headings": 1.5, "path": 1.5, "symbols": 2.0}
_NAMES = ("path", "symbols", "headings")
# Where a text itself has a word: a file's path says it of all its texts.
_OWN = ("body", "symbols", "headings")
# Against the word as it was written.
_OTHER_FORM = 0.3
# What the other language calls it: リダイレクト and redirect.
_COUNTERPART = 0.5
_PREFIX = 2.0
_MIN_BEGINNING = 3
_MAX_QUERY_TOKENS = 64
_MAX_NAME_BYTES = 255
_SCHEMA = build_schema()
Clause = tuple[Occur, Query]


def build_query(query: SearchQuery, source_ids: Collection[int] | None) -> Query | None:
    """Return what finds the words within phrases and filters, or None without words.

    source_ids: None for every source.
    """
    tokens = list(dict.fromkeys(tokenize(query.text)))[:_MAX_QUERY_TOKENS]
    if not tokens:
        return None
    fields = _fields(tokens)
    should = [clause for token in tokens for clause in _word(token, fields[token])]
    should += _readings(query.text)
    if query.is_typing:
        should += _beginning(tokens[-1])
    # What holds a phrase of common words need not hold any other word.
    occur = Occur.Should if any(map(tokenize, query.phrases)) else Occur.Must
    words = Query.boolean_query(should)
    return Query.boolean_query([(occur, words), *_scope(query, source_ids)])


def build_all(query: SearchQuery, source_ids: Collection[int] | None) -> Query | None:
    """Return what finds texts with every word in any of its forms, None without words.

    Words that most texts hold need not be there, unless there are no others.
    """
    tokens = list(dict.fromkeys(tokenize(query.text)))[:_MAX_QUERY_TOKENS]
    wanted = [token for token in tokens if token not in STOP_WORDS] or tokens
    if not wanted:
        return None
    words = [_word(token, _OWN) for token in wanted]
    if query.is_typing and wanted[-1] == tokens[-1]:
        words[-1] += _beginning(tokens[-1])
    must = [(Occur.Must, Query.boolean_query(each)) for each in words]
    return Query.boolean_query([*must, *_scope(query, source_ids)])


def build_word(
    word: str, query: SearchQuery, source_ids: Collection[int] | None
) -> Query:
    """Return what finds one word in any of its forms within phrases and filters.

    While one types, a word that goes on is found by its beginning.
    """
    should = _word(word, tuple(_BOOSTS))
    if query.is_typing and tokenize(query.text)[-1:] == [word]:
        should += _beginning(word)
    words = Query.boolean_query(should)
    return Query.boolean_query([(Occur.Must, words), *_scope(query, source_ids)])


def build_whole(
    tokens: Collection[str], query: SearchQuery, source_ids: Collection[int] | None
) -> Query:
    """Return what finds all of some tokens, as they are, within phrases and filters."""
    wanted = [
        (Occur.Must, Query.boolean_query(_anywhere(token)))
        for token in list(tokens)[:_MAX_QUERY_TOKENS]
    ]
    return Query.boolean_query([*wanted, *_scope(query, source_ids)])


def build_like(
    word: str, query: SearchQuery, source_ids: Collection[int] | None
) -> Query:
    """Return what finds words that are one letter apart, within phrases and filters."""
    should = [
        (Occur.Should, Query.fuzzy_term_query(_SCHEMA, field, word))
        for field in ("body", "headings")
    ]
    like = Query.boolean_query(should)
    return Query.boolean_query([(Occur.Must, like), *_scope(query, source_ids)])


def _anywhere(token: str) -> list[Clause]:
    return [(Occur.Should, Query.term_query(_SCHEMA, field, token)) for field in _OWN]


def build_scope(query: SearchQuery, source_ids: Collection[int]) -> Query:
    """Return what finds all that phrases and filters let through, unranked."""
    return Query.const_score_query(Query.boolean_query(_scope(query, source_ids)), 0.0)


def _fields(tokens: Collection[str]) -> dict[str, Collection[str]]:
    """Return where to look for each token; beside others, common words only in names.

    Most texts hold them: they cost most of the time and order nothing.
    """
    everywhere = STOP_WORDS.issuperset(tokens)
    return {
        token: _NAMES if token in STOP_WORDS and not everywhere else tuple(_BOOSTS)
        for token in tokens
    }


def _word(token: str, fields: Collection[str]) -> list[Clause]:
    forms = other_forms(token) if token not in STOP_WORDS else ()
    weighed = [
        (token, 1.0),
        *((form, _OTHER_FORM) for form in forms),
        *((form, _COUNTERPART) for form in _counterparts(token)),
    ]
    return [
        _should(Query.term_query(_SCHEMA, field, form), weight * _BOOSTS[field])
        for form, weight in weighed
        for field in fields
    ]


def _readings(text: str) -> list[Clause]:
    return [
        _should(Query.term_query(_SCHEMA, field, reading), boost)
        for reading in sorted(readings_asked(text))
        for field, boost in _BOOSTS.items()
    ]


def _counterparts(token: str) -> set[str]:
    """Return the words of the other language in all their forms."""
    words = counterparts(token)
    return {form for word in words for form in (word, *other_forms(word))}


def _beginning(token: str) -> list[Clause]:
    """Return what finds words that begin so; two letters begin too many in texts."""
    if len(token) == 1 and token.isascii():
        return []
    fields = _NAMES if len(token) < _MIN_BEGINNING and token.isascii() else _BOOSTS
    return [
        _should(_unranked(_begins(field, token)), _PREFIX * _BOOSTS[field])
        for field in fields
    ]


def _begins(field: str, token: str) -> Query:
    return Query.regex_query(_SCHEMA, field, f"{re.escape(token)}.*")


def _should(query: Query, boost: float) -> Clause:
    return Occur.Should, Query.boost_query(query, boost)


def _unranked(query: Query) -> Query:
    return Query.const_score_query(query, 1.0)


def _scope(query: SearchQuery, source_ids: Collection[int] | None) -> list[Clause]:
    """Return what every hit must and must not match; none of it counts."""
    must = [
        *_labels(query),
        *map(_any_label, query.labels, query.label_ids),
        *_documents(query),
        *filter(None, map(_phrase, query.phrases)),
        *filter(None, map(_place, query.paths)),
    ]
    if source_ids is not None:
        must.append(Query.term_set_query(_SCHEMA, "source_id", sorted(source_ids)))
    if query.path_prefix:
        must.append(_from_root(query.path_prefix))
    if query.min_complexity:
        must.append(_complexity(query.min_complexity))
    must_not = [
        *filter(None, map(_place, query.without_paths)),
        *map(_any_label, query.without_labels, query.without_label_ids),
    ]
    if not query.include_generated:
        must_not.append(Query.term_query(_SCHEMA, "is_generated", 1))
    return [
        *((Occur.Must, Query.const_score_query(each, 0.0)) for each in must),
        *((Occur.MustNot, each) for each in must_not),
    ]


def _labels(query: SearchQuery) -> Iterable[Query]:
    for name in ("language", "mime", "kind"):
        value = getattr(query, name)
        if value and value not in DOCUMENT_KINDS:
            yield Query.term_query(_SCHEMA, "labels", label(name, value), "basic")


def _documents(query: SearchQuery) -> Iterable[Query]:
    """Yield what finds pages and tickets by their terms and day of change."""
    for term in wanted_terms(query):
        yield Query.term_query(_SCHEMA, "labels", label("document", term), "basic")
    after, before = changed_days(query)
    if after or before:
        yield Query.range_query(
            _SCHEMA,
            "changed_day",
            tantivy.FieldType.Unsigned,
            lower_bound=after.toordinal() if after else 1,
            upper_bound=before.toordinal() - 1 if before else None,
        )


def _any_label(name: str, ids: Collection[int]) -> Query:
    """Return what finds files with one of these labels, or one of their source.

    ids: what the name stands for in products.
    """
    terms = [label("label", str(each)) for each in ids]
    terms.append(label("document", label_term(name)))
    return Query.term_set_query(_SCHEMA, "labels", terms)


def _complexity(least: int) -> Query:
    kind = tantivy.FieldType.Unsigned
    return Query.range_query(_SCHEMA, "complexity", kind, lower_bound=least)


def _phrase(text: str) -> Query | None:
    """Return what finds these tokens side by side in any one field."""
    tokens = analyse(text).split()
    if not tokens:
        return None
    return Query.boolean_query(
        [(Occur.Should, _side_by_side(field, tokens)) for field in _BOOSTS]
    )


def _side_by_side(field: str, tokens: list[str]) -> Query:
    if len(tokens) == 1:
        return Query.term_query(_SCHEMA, field, tokens[0])
    return Query.phrase_query(_SCHEMA, field, list(tokens))


def _from_root(prefix: str) -> Query:
    parts = [PLACE_ROOT, *place_parts(prefix)]
    return _parts_in_order(parts, is_whole=prefix.endswith("/"))


def _place(path: str) -> Query | None:
    parts = place_parts(path)
    return _parts_in_order(parts, is_whole=path.endswith("/")) if parts else None


def _parts_in_order(parts: list[str], *, is_whole: bool) -> Query:
    """Return what finds these parts of a path; the last one may be a beginning."""
    if is_whole:
        return _side_by_side("places", parts)
    patterns = [re.escape(_as_name(part)) for part in parts]
    patterns[-1] += ".*"
    if len(patterns) == 1:
        return Query.regex_query(_SCHEMA, "places", patterns[0])
    return Query.regex_phrase_query(_SCHEMA, "places", list(patterns))


def _as_name(part: str) -> str:
    """Cut off what no file system has; tantivy takes no pattern of such a length."""
    return part.encode()[:_MAX_NAME_BYTES].decode(errors="ignore")

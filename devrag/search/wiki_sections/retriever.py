"""Find sections of wiki pages by their words: what `kind:wiki` asks for, nothing else.

They are few, thousands where sources have millions of chunks, and must be right the
moment a version is shown or rolled back: PostgreSQL finds them, the terms are weighed
here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.postgres.search import SearchQueryField
from django.db.models import (
    BooleanField,
    Count,
    Exists,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast
from django.utils.translation import gettext

from devrag.labels.models import PageLabel
from devrag.products.models import Product
from devrag.products.wiki_settings import readable_languages
from devrag.search.globs import path_regex
from devrag.search.lexical.analyser import STOP_WORDS, tokenize
from devrag.search.lexical.stemming import other_forms
from devrag.search.models import WikiSection
from devrag.search.query_intent import Question
from devrag.search.reasons import matched_terms
from devrag.search.types import WIKI, Hit, SearchQuery, SearchResult
from devrag.search.wiki_sections.vectors import any_of, phrase_of, quote

_LANGUAGE, _MIME = "markdown", "text/markdown"
_MAX_TOKENS = 32
# Against the word as it was written, as in the lexical index.
_OTHER_FORM = 0.3
# Of text, path, page title and heading (D, C, B, A); 1: divided by the length's log.
_RANK = "ts_rank('{0.4,0.3,0.5,0.8}', %(expressions)s, 1)"
# The weight that is shown as a score of one half.
_HALF = 0.1


@dataclass(frozen=True, slots=True)
class _Edition:
    """A wiki in scope. folder: of its addresses, '' in the main language."""

    language: str
    folder: str
    sections: int


@dataclass(frozen=True, slots=True)
class _Term:
    """A word of the question as tsqueries: as it was written, and its other forms."""

    word: str
    forms: str


def search_wiki(query: SearchQuery, question: Question) -> SearchResult:
    """Answer with sections of the wikis that the caller may read, best first.

    Queries: 4.
    """
    began = time.perf_counter()
    hits = () if _excludes_all(query) else _find(query, question)
    return SearchResult(
        query=query,
        hits=tuple(hits),
        milliseconds=(time.perf_counter() - began) * 1000,
        notes=_notes(query),
    )


def _excludes_all(query: SearchQuery) -> bool:
    """Return whether a filter asks for what no wiki page has."""
    return bool(
        query.source
        or query.tags
        or query.min_complexity
        or query.max_complexity
        or query.language not in {"", _LANGUAGE}
        or query.mime not in {"", _MIME}
    )


def _notes(query: SearchQuery) -> tuple[str, ...]:
    if query.source:
        return (
            gettext("Wikis belong to products. Filter by product instead of source."),
        )
    if query.mode == "semantic":
        return (gettext("Wiki pages are searched by keyword only."),)
    return ()


def _find(query: SearchQuery, question: Question) -> Sequence[Hit]:
    terms = _terms(query)
    products = {each.pk: each for each in Product.objects.visible_to(query.principal)}
    if query.product:
        products = {k: v for k, v in products.items() if v.name == query.product}
    editions = _editions(products)
    scores = _ask(query, terms, editions)
    best = sorted(scores, key=lambda key: (-scores[key], key))[: query.limit]
    rows = WikiSection.objects.defer("tokens").in_bulk(best)
    hits = [
        _hit(rows[key], products[rows[key].product_id], editions, scores[key], rank)
        for rank, key in enumerate(best, start=1)
        if key in rows  # else its version was replaced meanwhile
    ]
    return [replace(hit, matched_terms=matched_terms(hit, question)) for hit in hits]


def _terms(query: SearchQuery) -> list[_Term]:
    tokens = list(dict.fromkeys(tokenize(query.text)))
    telling = [token for token in tokens if token not in STOP_WORDS] or tokens
    terms = [
        _Term(quote(token), any_of([quote(form) for form in other_forms(token)]))
        for token in telling[:_MAX_TOKENS]
    ]
    if query.is_typing and terms and telling[-1] == tokens[-1]:
        last = terms[-1]
        begun = f"{last.word}:*"
        terms[-1] = _Term(last.word, f"{last.forms} | {begun}" if last.forms else begun)
    return terms


def _editions(products: Mapping[int, Product]) -> dict[tuple[int, str], _Edition]:
    """Return the wikis that are read of these products, by product and language."""
    rows = WikiSection.objects.filter(product__in=products)
    counted = rows.values("product_id", "language").annotate(n=Count("pk"))
    by_product: dict[int, dict[str, int]] = {}
    for row in counted.order_by("-version"):
        by_product.setdefault(row["product_id"], {})[row["language"]] = row["n"]
    return {
        (key, language): _Edition(
            language, f"{language}/" if place else "", sizes[language]
        )
        for key, sizes in by_product.items()
        for place, language in enumerate(
            readable_languages(products[key].wiki_settings, sizes)
        )
    }


def _ask(
    query: SearchQuery,
    terms: Sequence[_Term],
    editions: Mapping[tuple[int, str], _Edition],
) -> dict[int, float]:
    if not terms or not editions:
        return {}
    anything = any_of([part for t in terms for part in (t.word, t.forms) if part])
    rows = _in_scope(query, editions).filter(_has(anything))
    ranks = {
        f"{name}_{number}": _rank(part)
        for number, term in enumerate(terms)
        for name, part in (("word", term.word), ("forms", term.forms or term.word))
    }
    found = rows.annotate(**ranks).values_list("pk", *ranks)
    total = sum(edition.sections for edition in editions.values())
    return weigh_sections({pk: parts for pk, *parts in found}, total)


def weigh_sections(
    ranks: Mapping[int, Sequence[float]], total: int
) -> dict[int, float]:
    """Return what each section weighs: its terms, the rare ones more.

    ranks: for each term that of the word as written, then that of its other forms.
    total: how many sections there are.
    """
    columns = len(next(iter(ranks.values()), ())) // 2
    rarity = []
    for term in range(columns):
        holders = sum(any(row[2 * term : 2 * term + 2]) for row in ranks.values())
        rarity.append(math.log(1 + (total - holders + 0.5) / (holders + 0.5)))
    return {
        key: sum(
            weight * (row[2 * term] + _OTHER_FORM * row[2 * term + 1])
            for term, weight in enumerate(rarity)
        )
        for key, row in ranks.items()
    }


def _in_scope(
    query: SearchQuery, editions: Mapping[tuple[int, str], _Edition]
) -> QuerySet[WikiSection]:
    """Return the sections of these wikis that pass the query's filters."""
    is_read = Q()
    for language in {language for _, language in editions}:
        products = [product for product, each in editions if each == language]
        is_read |= Q(language=language, product__in=products)
    rows = WikiSection.objects.filter(is_read)
    if query.path_prefix:
        rows = rows.filter(page_path__startswith=query.path_prefix)
    if query.depths:
        rows = rows.filter(level__in=query.depths)
    if query.pattern:
        rows = rows.filter(page_path__regex=path_regex(query.pattern))
    rows = _with_labels(rows, query)
    for path in query.paths:
        rows = rows.filter(_has_place(path))
    for path in query.without_paths:
        rows = rows.exclude(_has_place(path))
    for phrase in filter(None, map(phrase_of, query.phrases)):
        rows = rows.filter(_has(phrase))
    return rows


def _with_labels(
    rows: QuerySet[WikiSection], query: SearchQuery
) -> QuerySet[WikiSection]:
    for ids in query.label_ids:
        rows = rows.filter(_has_label(ids))
    for ids in query.without_label_ids:
        rows = rows.exclude(_has_label(ids))
    return rows


def _has_label(ids: Collection[int]) -> Exists:
    """Match sections of pages that have one of these labels."""
    page = {name: OuterRef(name) for name in ("product", "language", "page_path")}
    return Exists(PageLabel.objects.filter(**page, label__in=ids))


def _has_place(path: str) -> Q:
    return Q(page_path__startswith=path) | Q(page_path__contains=f"/{path}")


def _as_query(tsquery: str) -> Cast:
    return Cast(Value(tsquery), SearchQueryField())


def _has(tsquery: str) -> Func:
    return Func(
        F("tokens"),
        _as_query(tsquery),
        template="(%(expressions)s)",
        arg_joiner=" @@ ",
        output_field=BooleanField(),
    )


def _rank(tsquery: str) -> Func:
    return Func(
        F("tokens"), _as_query(tsquery), template=_RANK, output_field=FloatField()
    )


def _hit(
    row: WikiSection,
    product: Product,
    editions: Mapping[tuple[int, str], _Edition],
    weight: float,
    rank: int,
) -> Hit:
    folder = editions[product.pk, row.language].folder
    return Hit(
        chunk_id=0,
        path=folder + row.page_path,
        source_name="",
        product_name=product.name,
        version_identifier=str(row.number),
        start_line=row.start_line,
        end_line=row.end_line,
        text=row.text,
        score=weight / (weight + _HALF),
        kind=WIKI,
        language=_LANGUAGE,
        file_kind=WIKI,
        mime=_MIME,
        heading=row.heading,
        symbol_name="",
        is_dirty=False,
        lexical_rank=rank,
        title=row.page_title,
        ordinal=row.ordinal,
        anchor=row.anchor,
    )

"""Reads the survey from the rows that are current, in a handful of queries."""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from devrag.core.principal import PUBLISHER, Principal
from devrag.core.text import normalise_newlines
from devrag.llm.embedder import Vector
from devrag.mentions.links import find_links
from devrag.parsing.types import OF_TEXTS
from devrag.products.models import Product
from devrag.search.api import has_all_vectors, mean_vectors, search_spec
from devrag.sources.models import (
    Document,
    Fact,
    File,
    GitRef,
    Reference,
    Source,
    Symbol,
)
from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFact,
    SurveyFile,
    SurveyReference,
    SurveySymbol,
)
from devrag.wiki.analysis.topics.outline import PLANNER, Outline, OutlinedTopic
from devrag.wiki.models import Page, Version

TICKET = Document.Kind.TICKET
_ROWS_AT_A_TIME = 5000
_MOST_VECTORS = 4000
_NO_TYPES: Mapping[str, str] = {}
_TEXT_CHARACTERS = 24_000_000
_MOST_AHEAD, _LINES_AHEAD = 128, 40_000
_STEP = 64  # files that a pass may leave out between two that it reads


@dataclass(frozen=True, slots=True)
class SourceVersion:
    """One source as it was when a run began; a run reads these versions to its end."""

    ref: int
    source: str
    ref_name: str
    sequence: int
    commit: str


def current_versions(
    product_id: int, principal: Principal = PUBLISHER
) -> list[SourceVersion]:
    """Return the indexed current ref of each of the product's sources, by name.

    Without sources that the principal may not see; everybody reads the wiki, so that it
    has none that is limited to some members.
    """
    return versions_by_product([product_id], principal)[product_id]


def versions_by_product(
    product_ids: Sequence[int], principal: Principal = PUBLISHER
) -> dict[int, list[SourceVersion]]:
    """Return what `current_versions` has for several products. Queries: 1."""
    sources = Source.objects.within_limits(principal).filter(product__in=product_ids)
    refs = GitRef.objects.filter(
        source__in=sources, is_current=True, snapshot__is_indexed=True
    ).select_related("source", "snapshot")
    found: dict[int, list[SourceVersion]] = {each: [] for each in product_ids}
    for ref in sorted(refs, key=lambda ref: ref.source.name):
        commit = ref.snapshot.version_identifier if ref.snapshot else ""
        found[ref.source.product_id].append(
            SourceVersion(ref.pk, ref.source.name, ref.name, ref.sequence, commit)
        )
    return found


def survey_product(product: Product, versions: Iterable[SourceVersion]) -> Survey:
    """Return everything the index holds of these versions, texts left aside."""
    by_ref = {version.ref: version for version in versions}
    files = _files(by_ref)
    known = {file.id: place for place, file in enumerate(files)}
    symbols, ids = _symbols(by_ref, known)
    has_tickets = any(file.document_kind == TICKET for file in files)
    return Survey(
        product=product.name,
        title=product.title or product.name,
        files=tuple(files),
        symbols=tuple(symbols),
        references=tuple(
            sorted(_references(by_ref, known, ids), key=lambda r: known[r.file])
        ),
        facts=tuple(_facts(by_ref, known)),
        mentions=tuple(_mentions(by_ref, known)) if has_tickets else (),
        vectors=_vectors(product, by_ref, files) if has_tickets else {},
    )


def outline_of_version(version: int) -> Outline:
    """Return the topics of a version, outdated if another planner found them.

    Queries: 2.
    """
    report = Version.objects.values_list("report", flat=True).get(pk=version)
    pages = list(Page.objects.filter(version_id=version, kind="feature"))
    places = {page.path: number for number, page in enumerate(pages)}
    found = report.get("topics", {})
    titles = found.get("titles", {})  # as found: those of pages are in a language
    topics = (
        OutlinedTopic(
            title=titles.get(page.path, page.title),
            page=page.path,
            files=tuple(page.files),
            sections=tuple(page.sections),
            parent=places.get(page.parent_path),
        )
        for page in pages
    )
    is_designed = bool((report.get("design") or {}).get("pages"))
    return Outline(
        topics=tuple(topics),
        steering=report.get("steering", ""),
        untold=tuple(found.get("untold", ())),
        is_complete=is_designed,
        is_outdated=report.get("planner") != PLANNER,
    )


def _within(by_ref: Mapping[int, SourceVersion], prefix: str) -> Q:
    """Return the condition that a row's file is in one of the pinned manifests."""
    found = Q(pk__in=[])
    for version in by_ref.values():
        found |= Q(
            Q(**{f"{prefix}manifests__until": None})
            | Q(**{f"{prefix}manifests__until__gt": version.sequence}),
            **{
                f"{prefix}manifests__ref_id": version.ref,
                f"{prefix}manifests__since__lte": version.sequence,
            },
        )
    return found


def _files(by_ref: Mapping[int, SourceVersion]) -> list[SurveyFile]:
    rows = (
        File.objects.filter(_within(by_ref, ""))
        .exclude(kind=File.Kind.WIKI)
        .values_list(
            *("pk", "manifests__ref_id", "path", "language", "kind", "lines"),
            *("title", "content_hash", "is_generated", "module"),
            "document__kind",
        )
        .order_by("manifests__ref_id", "path")
    )
    return [_file(row, by_ref[row[1]]) for row in rows if row[1] in by_ref]


def _file(row: tuple[Any, ...], version: SourceVersion) -> SurveyFile:
    pk, _, path, language, kind, lines, title, *more = row
    content_hash, generated, module, document_kind = more
    return SurveyFile(
        id=pk,
        source=version.source,
        path=path,
        language=sys.intern(language),
        kind=sys.intern(kind),
        lines=lines,
        title=title,
        module=module,
        content_hash=content_hash,
        version_identifier=version.commit,
        is_generated=generated,
        document_kind=document_kind or "",
    )


def _symbols(
    by_ref: Mapping[int, SourceVersion], known: Mapping[int, int]
) -> tuple[list[SurveySymbol], dict[tuple[int, int], int]]:
    """Read and number the symbols by path, so that a new row moves no other."""
    rows = (
        Symbol.objects.filter(_within(by_ref, "file__"))
        .values_list(
            *("file_id", "ordinal", "parent_ordinal", "kind", "name"),
            *("qualified_name", "start_line", "end_line", "signature", "docstring"),
            "value_types",
        )
        .iterator(_ROWS_AT_A_TIME)
    )
    ordered = sorted(
        (row for row in rows if row[0] in known), key=lambda r: (known[r[0]], r[1])
    )
    ids = {(row[0], row[1]): number for number, row in enumerate(ordered, start=1)}
    return [_symbol(row, ids) for row in ordered], ids


def _symbol(row: tuple[Any, ...], ids: Mapping[tuple[int, int], int]) -> SurveySymbol:
    file, ordinal, parent, kind, name, qualified_name, *place, types = row
    start, end, signature, doc = place
    return SurveySymbol(
        id=ids[file, ordinal],
        file=file,
        kind=sys.intern(kind),
        name=sys.intern(name),
        qualified_name=qualified_name,
        start_line=start,
        end_line=end,
        signature=signature,
        docstring=doc,
        parent=None if parent is None else ids.get((file, parent)),
        value_types=types or _NO_TYPES,
    )


def _references(
    by_ref: Mapping[int, SourceVersion],
    known: Mapping[int, int],
    ids: Mapping[tuple[int, int], int],
) -> Iterable[SurveyReference]:
    rows = (
        Reference.objects.filter(_within(by_ref, "file__"))
        .exclude(kind__in=OF_TEXTS)
        .values_list(
            *("file_id", "kind", "name", "line", "symbol_ordinal", "target", "via")
        )
        .order_by("pk")
        .iterator(_ROWS_AT_A_TIME)
    )
    for file, kind, name, line, ordinal, target, via in rows:
        if file in known:
            symbol = None if ordinal is None else ids.get((file, ordinal))
            names = (sys.intern(kind), sys.intern(name))
            bound = (sys.intern(target), sys.intern(via))
            yield SurveyReference(file, *names, line, symbol, *bound)


def _facts(
    by_ref: Mapping[int, SourceVersion], known: Mapping[int, int]
) -> Iterable[SurveyFact]:
    rows = (
        Fact.objects.filter(_within(by_ref, "file__"))
        .values_list("file_id", "kind", "name", "start_line", "end_line", "data")
        .order_by("file__path", "start_line", "pk")
        .iterator(_ROWS_AT_A_TIME)
    )
    for file, kind, name, start, end, data in rows:
        if file in known:
            values: dict[str, Any] = data if isinstance(data, dict) else {}
            yield SurveyFact(file, sys.intern(kind), name, start, end, values)


def _mentions(
    by_ref: Mapping[int, SourceVersion], known: Mapping[int, int]
) -> Iterable[tuple[int, int]]:
    """Yield which files mention which pages and tickets, by source and path."""
    links = find_links(_source_ids(by_ref))
    pinned = [link for link in links if known.keys() >= set(link)]
    return sorted(pinned, key=lambda link: (known[link[0]], known[link[1]]))


def _vectors(
    product: Product, by_ref: Mapping[int, SourceVersion], files: Sequence[SurveyFile]
) -> Mapping[int, Vector]:
    """Return what documents, open tickets and code mean, once all vectors are there."""
    spec = search_spec(product)
    sources = _source_ids(by_ref)
    if spec is None or not all(has_all_vectors(spec, pk) for pk in sources):
        return {}
    closed = Document.objects.filter(file__source__in=sources, is_closed=True)
    left_out = set(closed.values_list("pk", flat=True))
    kinds = {File.Kind.DOC, File.Kind.CODE}
    told = [f for f in files if f.kind in kinds and f.id not in left_out]
    told.sort(key=lambda file: (not file.document_kind, -file.lines))
    return mean_vectors(spec, [file.id for file in told[:_MOST_VECTORS]])


def _source_ids(by_ref: Mapping[int, SourceVersion]) -> list[int]:
    refs = GitRef.objects.filter(pk__in=by_ref)
    return list(refs.values_list("source_id", flat=True).order_by("source_id"))


class _ReadAhead:
    """Tells which files a pass over files in their order is about to read.

    Each kind of files has its own order, as passes are about one kind. The number
    doubles while files are asked for in their order, and starts anew where not.
    """

    def __init__(self, files: Iterable[SurveyFile]) -> None:
        self._order: dict[tuple[str, bool], list[SurveyFile]] = defaultdict(list)
        self._places: dict[int, tuple[tuple[str, bool], int]] = {}
        for file in files:
            kind = (file.kind, file.is_generated)
            self._places[file.id] = kind, len(self._order[kind])
            self._order[kind].append(file)
        self._ends: dict[tuple[str, bool], int] = {}
        self._counts: dict[tuple[str, bool], int] = {}

    def files(self, file_id: int) -> Sequence[int]:
        """Return the file and those after it that should be read with it."""
        if file_id not in self._places:
            return [file_id]
        kind, place = self._places[file_id]
        is_next = 0 <= place - self._ends.get(kind, -_STEP - 1) <= _STEP
        count = min(self._counts.get(kind, 1) * 2, _MOST_AHEAD) if is_next else 1
        found: list[int] = []
        lines = 0
        for file in self._order[kind][place : place + count]:
            lines += file.lines
            if found and lines > _LINES_AHEAD:
                break
            found.append(file.id)
        self._counts[kind], self._ends[kind] = count, place + len(found)
        return found


class DatabaseTexts:
    """Texts of files, read when asked for; the most recent ones stay in memory.

    files: all that may be asked for, in the order in which passes go over them.
    """

    def __init__(self, files: Iterable[SurveyFile] = ()) -> None:
        self._texts: OrderedDict[int, str] = OrderedDict()
        self._size = 0
        self._ahead = _ReadAhead(files)

    def text(self, file_id: int) -> str:
        """Return a file's text, '' when it is gone."""
        if file_id not in self._texts:
            self.load(self._ahead.files(file_id))
        self._texts.move_to_end(file_id)
        return self._texts[file_id]

    def load(self, file_ids: Iterable[int]) -> None:
        """Read several texts in one query."""
        wanted = [i for i in file_ids if i not in self._texts]
        rows = File.objects.filter(pk__in=wanted).values_list("pk", "text")
        found = dict(rows.iterator(200)) if wanted else {}
        for file_id in wanted:
            text = normalise_newlines(found.get(file_id, ""))
            self._texts[file_id] = text
            self._size += len(text)
        while self._size > _TEXT_CHARACTERS and len(self._texts) > len(wanted):
            self._size -= len(self._texts.popitem(last=False)[1])

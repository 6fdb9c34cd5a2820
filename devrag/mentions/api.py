"""What mentions a file, page or ticket, and what it mentions itself.

Texts say `#12`, give an address or write a name. What they mean is decided when
somebody asks, among the sources that they may read: a name leads somewhere only where
few definitions have it, a ticket's number only in a product with one tracker.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from devrag.core.principal import Principal
from devrag.mentions.cited_code import CitedCode, find_cited_code
from devrag.mentions.commit_tickets import TRACKERS, SubjectPart, link_tickets
from devrag.mentions.document_keys import keys_of, paths_of
from devrag.mentions.names import (
    FILE_NAME,
    MOST_DEFINITIONS,
    current,
    is_telling,
    means,
)
from devrag.parsing.types import ADDRESS, MENTION, TICKET
from devrag.products.models import Product
from devrag.sources.models import Document, File, Reference, Source, Symbol

__all__ = [
    "FILE_NAME",
    "CitedCode",
    "Mentioned",
    "Mentions",
    "SubjectPart",
    "find_cited_code",
    "find_mentions",
    "link_tickets",
]

# As many of each kind are returned.
MOST = 20
# Rows that one query reads: some of them mean something else.
_ROWS = 500
# Addresses of one file that are looked for.
_ADDRESSES = 20


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A file, page or ticket beside another one.

    line: of the mention; is_by: it stands in this file, else in the other one.
    written: as it stands there.
    """

    file: File
    document: Document | None
    line: int
    written: str
    is_by: bool


@dataclass(frozen=True, slots=True)
class Mentions:
    """What mentions a file or is mentioned in it, each once; open tickets come first.

    pages: of wikis, and documents of repositories.
    """

    tickets: tuple[Mentioned, ...] = ()
    pages: tuple[Mentioned, ...] = ()
    code: tuple[Mentioned, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tickets or self.pages or self.code)


def find_mentions(principal: Principal, product: Product, file: File) -> Mentions:
    """Return what of a product mentions a file or is mentioned in it. Queries: ≤ 9.

    Only what the principal may read of what is indexed now.
    """
    readable = Source.objects.within_limits(principal).filter(product=product)
    scope = Scope(tuple(readable.values_list("pk", "source_type")))
    document = Document.objects.filter(pk=file.pk).first()
    found = [*_documents_in(file, scope)]
    if document is not None:
        keys = keys_of(document)
        found += _mentioning(keys, scope.document_kinds, file, scope.sources)
    if file.kind == File.Kind.DOC:
        found += _code_in(file, scope.sources)
    else:
        found += _documents_about(file, scope.sources)
    return _grouped(found)


@dataclass(frozen=True, slots=True)
class Scope:
    """The sources that are looked at: id and type of each."""

    rows: tuple[tuple[int, str], ...]

    @property
    def sources(self) -> list[int]:
        return [source for source, _ in self.rows]

    @property
    def document_kinds(self) -> tuple[str, ...]:
        """Kinds of references to pages and tickets: with one tracker numbers, too."""
        trackers = [kind for _, kind in self.rows if kind in TRACKERS]
        return (TICKET, ADDRESS) if len(trackers) == 1 else (ADDRESS,)


def _grouped(found: Iterable[Mentioned]) -> Mentions:
    once: dict[tuple[int, str], Mentioned] = {}
    for each in found:
        once.setdefault((each.file.source_id, each.file.path), each)
    kinds: dict[str, list[Mentioned]] = {"ticket": [], "page": [], "code": []}
    for each in once.values():
        kinds[_kind_of(each)].append(each)
    tickets = sorted(kinds["ticket"], key=_ticket_order)
    return Mentions(
        tuple(tickets[:MOST]), tuple(kinds["page"][:MOST]), tuple(kinds["code"][:MOST])
    )


def _kind_of(each: Mentioned) -> str:
    if each.document is not None:
        is_ticket = each.document.kind == Document.Kind.TICKET
        return "ticket" if is_ticket else "page"
    return "page" if each.file.kind == File.Kind.DOC else "code"


def _ticket_order(each: Mentioned) -> tuple[bool, float]:
    document = each.document
    changed = document.changed_at if document else None
    is_closed = document is not None and document.is_closed
    return is_closed, -(changed.timestamp() if changed else 0.0)


# -- what a file mentions ------------------------------------------------------------


def _documents_in(file: File, scope: Scope) -> Iterator[Mentioned]:
    """Yield the pages and tickets that numbers and addresses in a file mean."""
    rows = Reference.objects.filter(file=file, kind__in=scope.document_kinds)
    written = {row.last_name: row for row in rows.order_by("-line")[:_ROWS]}
    addresses = [key for key, row in written.items() if row.kind == ADDRESS]
    wanted = Q(file__path__in=paths_of(written))
    for address in addresses[:_ADDRESSES]:
        wanted |= Q(url__icontains=address)
    if not written:
        return
    documents = current(Document.objects, "file__", scope.sources).exclude(pk=file.pk)
    for document in documents.filter(wanted).select_related("file__source")[:_ROWS]:
        for key in keys_of(document):
            if key in written:
                row = written[key]
                yield Mentioned(document.file, document, row.line, row.name, False)
                break


def _code_in(file: File, sources: Sequence[int]) -> Iterator[Mentioned]:
    """Yield the files of code whose path, or a definition of which, a document has."""
    rows = Reference.objects.filter(file=file, kind=MENTION).order_by("line", "pk")
    written: dict[str, list[Reference]] = defaultdict(list)
    for row in rows[:_ROWS]:
        written[row.last_name].append(row)
    if not written:
        return
    found = [*_files_named(written, sources), *_definitions_named(written, sources)]
    for home, row in found:
        yield Mentioned(home, None, row.line, row.name, is_by=False)


def _files_named(
    written: Mapping[str, Sequence[Reference]], sources: Sequence[int]
) -> Iterator[tuple[File, Reference]]:
    """Yield the files of code that are written, with the first that means each.

    A name that several files have needs its folder.
    """
    files = list(
        current(File.objects, "", sources)
        .annotate(file_name=FILE_NAME)
        .filter(file_name__in=[name.lower() for name in written])
        .select_related("source")
        .defer("text")[:_ROWS]
    )
    same = Counter(file.path.rpartition("/")[2] for file in files)
    for file in files:
        name = file.path.rpartition("/")[2]
        for row in written.get(name, ()) if file.kind != File.Kind.DOC else ():
            if means(row.name, file.path) and (same[name] == 1 or "/" in row.name):
                yield file, row
                break


def _definitions_named(
    written: Mapping[str, Sequence[Reference]], sources: Sequence[int]
) -> Iterator[tuple[File, Reference]]:
    """Yield the files of definitions that few others share their written name with."""
    telling = {
        key: [row for row in rows if is_telling(row.name)]
        for key, rows in written.items()
    }
    names = [key for key, rows in telling.items() if rows]
    symbols = current(Symbol.objects, "file__", sources).filter(name__in=names)
    known = list(symbols.select_related("file__source").defer("file__text")[:_ROWS])
    for row in (row for rows in telling.values() for row in rows):
        meant = [each for each in known if means(row.name, each.qualified_name)]
        if len(meant) <= MOST_DEFINITIONS:
            yield from ((each.file, row) for each in meant)


# -- what mentions a file ------------------------------------------------------------


def _documents_about(file: File, sources: Sequence[int]) -> Iterator[Mentioned]:
    """Yield documents that write the path of a file of code, or a definition of it."""
    own = dict(Symbol.objects.filter(file=file).values_list("qualified_name", "name"))
    same = current(Symbol.objects, "file__", sources).filter(name__in=own.values())
    others = list(same.values_list("qualified_name", flat=True)[: 10 * _ROWS])
    name = file.path.rpartition("/")[2]
    is_only = _is_only_one(name, sources)
    for each in _mentioning({name, *own.values()}, (MENTION,), file, sources):
        written = each.written
        is_own = is_telling(written) and any(means(written, full) for full in own)
        homes = sum(means(written, full) for full in others) if is_own else 0
        is_path = means(written, file.path) and (is_only or "/" in written)
        if is_path or 0 < homes <= MOST_DEFINITIONS:
            yield each


def _is_only_one(file_name: str, sources: Sequence[int]) -> bool:
    """Return whether no two files have a name."""
    files = current(File.objects, "", sources).annotate(file_name=FILE_NAME)
    return len(files.filter(file_name=file_name.lower()).values("pk")[:2]) < 2


def _mentioning(
    keys: Collection[str], kinds: Sequence[str], file: File, sources: Sequence[int]
) -> Iterator[Mentioned]:
    """Yield the current files that have one of the keys, each at its first line."""
    rows = (
        current(Reference.objects, "file__", sources)
        .filter(source__in=sources, last_name__in=keys, kind__in=kinds)
        .exclude(file=file)
        .select_related("file__source", "file__document")
        .defer("file__text")
        .order_by("file", "line", "pk")
    )
    for row in rows[:_ROWS]:
        document = getattr(row.file, "document", None)
        yield Mentioned(row.file, document, row.line, row.name, is_by=True)

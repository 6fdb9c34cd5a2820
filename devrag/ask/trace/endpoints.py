"""Find the definitions that an end of a traced question names.

A route or command stands for its handler, a file or class for what it defines, plain
words for what search finds first. Names that several definitions have are not decided
here: who asks has to say which is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q, QuerySet

from devrag.ask.trace.question import TraceEnd
from devrag.ask.types import AskRequest
from devrag.navigation.call_paths import CallGraph
from devrag.navigation.symbol_search import current_symbols, find_symbols
from devrag.parsing.path_roles import is_aside, is_test
from devrag.search.api import search
from devrag.search.types import SearchQuery
from devrag.sources.models import Fact, File, GitRef, Symbol

# How an end was found. words: by search, so that the answer has to say what was taken.
FoundBy = Literal["name", "file", "route", "command", "words", ""]
_FUNCTIONS = ("function", "method")
_TYPES = ("class", "interface", "enum", "type", "extension")
_CALLABLE = frozenset((*_FUNCTIONS, *_TYPES))
_MOST_NAMED, _MOST_SIMILAR, _MOST_HITS = 60, 5, 12
_MOST_BY_WORDS, _MOST_IN_FILE, _MOST_TYPES = 3, 5, 4
_METHOD = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{[^}/]*\}|<[^>/]*>|:[A-Za-z_]\w*|\[[^\]/]*\]")
_AS_VIEW = re.compile(r"\.as_view\(.*\)$", re.DOTALL)
_AT_PATH = re.compile(r"^(?P<path>[^\s:]*[./][^\s:]*):(?P<name>[^\s:/]+)$")
_RUNS = ("handle", "run", "__call__", "main")


@dataclass(frozen=True, slots=True)
class Named:
    """Definitions of one name in one place: overloads, parts of a class, one function.

    symbols: with their files and sources, in the order of lines.
    """

    name: str
    symbols: tuple[Symbol, ...]

    @property
    def first(self) -> Symbol:
        return self.symbols[0]

    @property
    def body(self) -> Symbol:
        """The one with most lines: of overloads what is done."""
        return max(self.symbols, key=lambda each: each.end_line - each.start_line)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An end of a path.

    candidates: each may be meant; those of words are taken together. others: of the
    same name, but less likely meant. similar: names like one that is nowhere.
    """

    written: str
    found_by: FoundBy = ""
    candidates: tuple[Named, ...] = ()
    others: tuple[Named, ...] = ()
    similar: tuple[Named, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        return len(self.candidates) > 1 and self.found_by != "words"


def find_endpoint(
    end: TraceEnd, request: AskRequest, source_ids: Collection[int]
) -> Endpoint:
    """Return what an end may mean in these sources."""
    text = end.text.strip()
    if end.file:
        return _in_named_file(end, request, source_ids)
    ways: Sequence[tuple[FoundBy, Callable[[], Iterable[Symbol]]]] = (
        ("route", lambda: _of_route(text, source_ids)),
        ("file", lambda: _of_file(text, source_ids)),
        ("name", lambda: _of_name(text, source_ids)),
        ("name", lambda: _inherited(text, source_ids)),
        ("command", lambda: _of_command(text, source_ids)),
    )
    for found_by, find in ways:
        found = _group(_meant(find()))
        if found:
            inside = _below(found, request.scope.path) or found
            exact = [each for each in inside if each.name == text.removesuffix("()")]
            chosen = exact if len(exact) == 1 else inside
            others = [each for each in found if each not in chosen]
            return Endpoint(text, found_by, tuple(chosen), tuple(others))
    if not end.is_code:
        found = _group(_by_words(text, request, source_ids))[:_MOST_BY_WORDS]
        if found:
            return Endpoint(text, "words", tuple(found))
    return Endpoint(text, similar=tuple(_similar(text, source_ids)))


def _in_named_file(
    end: TraceEnd, request: AskRequest, source_ids: Collection[int]
) -> Endpoint:
    """Return what an end means in the file that stands beside its name."""

    def is_inside(symbol: Symbol) -> bool:
        return f"/{symbol.file.path}".endswith(f"/{end.file}")

    named = [each for each in _of_name(end.text, source_ids) if is_inside(each)]
    if found := _group(_meant(named)):
        return Endpoint(end.text, "name", tuple(found))
    asked = _by_words(end.text, request, source_ids, file=end.file)
    found = _group(each for each in asked if is_inside(each))[:_MOST_IN_FILE]
    if found:
        return Endpoint(end.text, "words", tuple(found))
    return Endpoint(end.text, similar=tuple(_similar(end.text, source_ids)))


def find_named(name: str, source_ids: Collection[int]) -> list[Named]:
    """Return what a name as it is written means: the product's own code, no tests.

    A whole qualified name means nothing else. Queries: 3 for a name that is somewhere.
    """
    last = re.split(r"[.#:]+|->", name)[-1]
    found = _of_name(name, source_ids) or _inherited(name, source_ids)
    own = [each for each in found if each.name == last and _is_own(each)]
    named = _group(_meant(each for each in own if not is_aside(each.file.path)))
    exact = [each for each in named if each.name == name]
    return exact or named


def symbols_at(source_ids: Collection[int]) -> QuerySet[Symbol]:
    """Return the definitions of current versions with their sources and products."""
    return current_symbols(source_ids).select_related("file__source__product")


# -- by name ----------------------------------------------------------------------


def _of_name(text: str, source_ids: Collection[int]) -> list[Symbol]:
    if of_file := _in_file(text, source_ids):
        return of_file
    name = text.removesuffix("()").strip()
    if not name or " " in name or len(name) > 300:
        return []
    found = [
        each
        for each in find_symbols(source_ids, name, limit=_MOST_NAMED)
        if not each.is_similar and _is_whole(each.symbol, name)
    ]
    wanted = [each.symbol for each in found if each.symbol.kind != "section"]
    names = Q()
    for each in wanted:
        names |= Q(file=each.file_id, qualified_name=each.qualified_name)
    if not wanted:
        return []
    return list(symbols_at(source_ids).filter(names).order_by("file", "start_line"))


def _in_file(text: str, source_ids: Collection[int]) -> list[Symbol]:
    """Return what `path:Name` means; the path may lack its first folders."""
    match = _AT_PATH.match(text)
    if match is None:
        return []
    path, name = match["path"], match["name"].removesuffix("()")
    rows = symbols_at(source_ids).filter(
        name=name.rpartition(".")[2], qualified_name=name
    )
    return [
        each
        for each in rows.order_by("file", "start_line")[:_MOST_NAMED]
        if f"/{each.file.source.name}/{each.file.path}".endswith(f"/{path}")
    ]


def _inherited(text: str, source_ids: Collection[int]) -> list[Symbol]:
    """Return what `Type.member` means where the type inherits the member."""
    owner, _, last = re.sub(r"::|->|#", ".", text.removesuffix("()")).rpartition(".")
    types = [each for each in _meant(_of_name(owner, source_ids)) if _is_type(each)]
    keys: set[int] = set()
    for each in types[:_MOST_TYPES]:
        ref = GitRef.objects.get(source=each.file.source_id, is_current=True)
        keys |= CallGraph(ref).member(each.pk, last)
    return list(symbols_at(source_ids).filter(pk__in=keys)) if keys else []


def _is_type(symbol: Symbol) -> bool:
    return symbol.kind in _TYPES


def _is_whole(symbol: Symbol, typed: str) -> bool:
    """Return whether a name was typed whole, with all of its owner that was typed."""
    parts = [p for p in re.split(r"[.#:]+|->", typed.lower()) if p]
    own = [*symbol.file.module.lower().split("."), *symbol.file.path.lower().split("/")]
    names = symbol.qualified_name.lower().split(".")
    if not parts or names[-1] != parts[-1]:
        return symbol.qualified_name.lower() == typed.lower()
    return set(parts[:-1]) <= {*names, *own, *(each.partition(".")[0] for each in own)}


def _meant(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Drop what nobody means beside the rest: tests, examples, constructors, fields."""
    found = list(symbols)
    for is_wanted in (_is_callable, _is_own, _is_written, _is_no_constructor_of(found)):
        found = [each for each in found if is_wanted(each)] or found
    return found


def _is_callable(symbol: Symbol) -> bool:
    return symbol.kind in _CALLABLE


def _is_own(symbol: Symbol) -> bool:
    return not is_test(symbol.file.path)


def _is_written(symbol: Symbol) -> bool:
    path = symbol.file.path
    is_declaration = path.endswith((".d.ts", ".pyi"))
    return not (is_aside(path) or symbol.file.is_generated or is_declaration)


def _is_no_constructor_of(symbols: Sequence[Symbol]) -> Callable[[Symbol], bool]:
    types = {(s.file_id, s.qualified_name) for s in symbols if s.kind in _TYPES}

    def is_other(symbol: Symbol) -> bool:
        owner = symbol.qualified_name.rpartition(".")[0]
        return (symbol.file_id, owner) not in types

    return is_other


def _group(symbols: Iterable[Symbol]) -> list[Named]:
    """Join overloads, and parts of one definition in several files of a folder."""
    groups: dict[tuple[object, ...], list[Symbol]] = {}
    for each in symbols:
        groups.setdefault(_place(each), []).append(each)
    return [Named(found[0].qualified_name, tuple(found)) for found in groups.values()]


def _place(symbol: Symbol) -> tuple[object, ...]:
    file = symbol.file
    is_spread = file.language == "go" or (symbol.kind in _TYPES and file.module)
    folder = file.path.rpartition("/")[0]
    place = (file.module or folder) if is_spread else file.path
    return file.source_id, place, symbol.qualified_name


def _below(found: Iterable[Named], path: str) -> list[Named]:
    """Return the candidates in the folder or file of the scope."""
    return [e for e in found if path and e.first.file.path.startswith(path)]


def _similar(text: str, source_ids: Collection[int]) -> list[Named]:
    name = text.removesuffix("()").strip()
    if not name or len(name) > 80:
        return []
    last = re.split(r"[.#:\s]+", name)[-1] or name
    found = find_symbols(source_ids, last, limit=_MOST_SIMILAR)
    rows = symbols_at(source_ids).filter(pk__in=[each.symbol.pk for each in found])
    by_key = {row.pk: row for row in rows}
    return _group(by_key[e.symbol.pk] for e in found if e.symbol.pk in by_key)


# -- files ------------------------------------------------------------------------


def _of_file(text: str, source_ids: Collection[int]) -> list[Symbol]:
    """Return what the one file of a path defines at its top."""
    path = text.replace("\\", "/").lstrip("./")
    if "." not in path.rpartition("/")[2] or " " in path:
        return []
    rows = File.objects.filter(
        Q(path=path) | Q(path__endswith=f"/{path}"),
        source__in=source_ids,
        kind=File.Kind.CODE,
        manifests__until=None,
        manifests__ref__is_current=True,
    ).order_by("path")
    files = list(rows.values_list("pk", "path")[:_MOST_NAMED])
    own = [pk for pk, at in files if at == path]
    own = own or [pk for pk, at in files if not is_test(at)] or [pk for pk, _ in files]
    symbols = symbols_at(source_ids).filter(file__in=own).order_by("file", "ordinal")
    return [each for each in symbols if each.kind == "module"] or _firsts(symbols)


def _firsts(symbols: Iterable[Symbol]) -> list[Symbol]:
    """Return the first definition of each file, where a file is no definition."""
    firsts: dict[int, Symbol] = {}
    for each in symbols:
        firsts.setdefault(each.file_id, each)
    return list(firsts.values())


# -- facts ------------------------------------------------------------------------


def _facts(kind: str, source_ids: Collection[int]) -> QuerySet[Fact]:
    return Fact.objects.filter(
        kind=kind,
        file__source__in=source_ids,
        file__manifests__until=None,
        file__manifests__ref__is_current=True,
    ).order_by("pk")


def _of_route(text: str, source_ids: Collection[int]) -> Iterator[Symbol]:
    path = _METHOD.sub("", text)
    if not path.startswith("/") or " " in path:
        return
    method = text[: -len(path)].strip().upper()
    facts = list(_facts("route", source_ids).select_related("file"))
    for fact in facts:
        own = str(fact.data.get("path") or _METHOD.sub("", fact.name))
        with_method = str(fact.data.get("method") or "").upper()
        is_same = _same_path(own) == _same_path(path)
        if is_same and (not method or with_method in {method, ""}):
            yield from _handlers(fact, source_ids)


def _same_path(path: str) -> str:
    return _PLACEHOLDER.sub("*", "/" + path.strip("/^$"))


def _of_command(text: str, source_ids: Collection[int]) -> Iterator[Symbol]:
    words = text.split()
    if not words or len(words) > 4:
        return
    names = {text, words[-1]}
    for fact in _facts("command", source_ids).filter(name__in=names):
        yield from _handlers(fact, source_ids)


def _handlers(fact: Fact, source_ids: Collection[int]) -> list[Symbol]:
    """Return what a route or command starts: by name, else what the fact stands on."""
    wanted = str(fact.data.get("handler") or fact.data.get("function") or "")
    wanted = _AS_VIEW.sub("", wanted)
    symbols = symbols_at(source_ids)
    if wanted:
        last = wanted.rpartition(".")[2]
        inside = symbols.filter(file=fact.file_id, name=last)
        source = File.objects.filter(pk=fact.file_id).values("source")
        found = list(inside) or [
            each
            for each in symbols.filter(file__source__in=source, name=last)
            if _is_own(each) and each.kind in _CALLABLE
        ]
        return _run_by(found, symbols) if len(_group(found)) == 1 else []
    upon = symbols.filter(
        file=fact.file_id,
        kind__in=_CALLABLE,
        start_line__lte=fact.end_line,
        end_line__gte=fact.end_line,
    )
    nearest = sorted(upon, key=lambda s: s.end_line - s.start_line)[:1]
    return _run_by(nearest, symbols)


def _run_by(found: Sequence[Symbol], symbols: QuerySet[Symbol]) -> list[Symbol]:
    """Return for a class the method by which it is started, if it has one."""
    if len(found) != 1 or found[0].kind != "class":
        return list(found)
    own = found[0]
    inside = symbols.filter(file=own.file_id, parent_ordinal=own.ordinal)
    methods = {each.name: each for each in inside.filter(name__in=_RUNS)}
    return [next((methods[name] for name in _RUNS if name in methods), own)]


# -- plain words ------------------------------------------------------------------


def _by_words(
    text: str, request: AskRequest, source_ids: Collection[int], file: str = ""
) -> list[Symbol]:
    """Return the definitions that search finds first for words.

    file: the only one to look in, for the words alone.
    """
    scope = request.scope
    query = SearchQuery(
        text=text,
        principal=request.principal,
        product=scope.products[0] if len(scope.products) == 1 else "",
        source=scope.source,
        path_prefix=scope.path,
        kind="symbol",
        limit=_MOST_HITS,
        paths=(file,) if file else (),
        mode="keyword" if file else "hybrid",
    )
    hits = [hit for hit in search(query).hits if hit.symbol_uuid is not None]
    order = {hit.symbol_uuid: rank for rank, hit in enumerate(hits)}
    rows = symbols_at(source_ids).filter(uuid__in=order)
    found = sorted(rows, key=lambda each: order[each.uuid])
    return [each for each in _meant(found) if _is_callable(each)]

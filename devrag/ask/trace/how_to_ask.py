"""Ask for both ends of a trace, with an example of the product's own names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db.models.functions import Length
from django.utils.translation import gettext

from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.citations import HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Named, symbols_at
from devrag.ask.trace.wording import code
from devrag.ask.types import Answer, AskRequest
from devrag.navigation.symbols import callees, meant_by, symbols_by_key
from devrag.parsing.path_roles import is_aside, is_test
from devrag.sources.models import GitRef, RefFile, Symbol

_FUNCTIONS = ("function", "method")
# Each try reads what a function calls; the files are the first of the manifest.
_MOST_FILES, _TRIED, _LONGEST_NAME = 400, 3, 60


def how_to_ask(request: AskRequest, named: Sequence[Named]) -> Answer:
    """Return an answer that asks for two definitions: nothing was looked for yet.

    named: the definitions that the question names.
    """
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.values_list("pk", flat=True))
    own = [each.first for each in named[:1]]
    citations = Citations()
    blocks = [
        gettext("A trace needs two definitions: where it starts and where it ends.")
    ]
    blocks += [_named(each, citations) for each in own]
    is_one_product = rows.values("product").distinct().count() == 1
    public = _public(source_ids) if is_one_product else []
    example = next(_examples([*own, *public][:_TRIED], source_ids), None)
    if example:
        names = {"start": code(example[0]), "end": code(example[1])}
        blocks.append(
            gettext("Ask, for example: How does `%(start)s` reach `%(end)s`?") % names
        )
    passages = tuple(citations.passages)
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "ambiguous")


def _named(symbol: Symbol, citations: Citations) -> str:
    """Return which definition the question names, with its lines."""
    said = gettext("The question names one: `%(name)s` in `%(path)s`, line %(line)s.")
    end = min(symbol.end_line, symbol.start_line + HEAD_LINES - 1)
    return said % {
        "name": code(symbol.qualified_name),
        "path": code(symbol.file.path),
        "line": symbol.start_line,
    } + citations.cite(
        symbol.file_id,
        (symbol.start_line, end),
        "definition",
        title=symbol.qualified_name,
        why=gettext("definition"),
        uuid=symbol.uuid,
    )


def _examples(
    tried: Iterable[Symbol], source_ids: Collection[int]
) -> Iterator[tuple[str, str]]:
    """Yield pairs of definitions of which one calls the other."""
    refs = {
        ref.source_id: ref
        for ref in GitRef.objects.filter(source__in=source_ids, is_current=True)
    }
    for symbol in tried:
        used = meant_by(callees(refs[symbol.source_id], symbol))
        sure = [key for key, use in used.items() if not use.is_possible]
        for each in symbols_by_key(sure).values():
            if each.kind in _FUNCTIONS and _is_own(each):
                yield symbol.qualified_name, each.qualified_name


def _public(source_ids: Collection[int]) -> list[Symbol]:
    """Return public functions of the product's own code, the longest first.

    Of its first files only. Queries: 2.
    """
    manifest = RefFile.objects.filter(
        ref__source__in=source_ids, ref__is_current=True, until=None
    )
    files = manifest.order_by("ref", "file").values_list("file", "file__path")
    own = [key for key, path in files[:_MOST_FILES] if _is_code(path)]
    rows = symbols_at(source_ids).filter(
        file__in=own, kind__in=_FUNCTIONS, search_order__lte=2
    )
    short = rows.annotate(length=Length("qualified_name")).filter(
        length__lte=_LONGEST_NAME
    )
    return list(short.order_by("-loc", "pk")[:_TRIED])


def _is_code(path: str) -> bool:
    return not is_test(path) and not is_aside(path)


def _is_own(symbol: Symbol) -> bool:
    return len(symbol.qualified_name) <= _LONGEST_NAME and _is_code(symbol.file.path)

"""The code of a product that passages are compared with, by name and by search."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from devrag.core.principal import PUBLISHER
from devrag.core.text import normalise_newlines
from devrag.products.models import Product
from devrag.search.api import search
from devrag.search.types import SearchQuery
from devrag.sources.models import File, Reference, Symbol
from devrag.wiki.conflicts.inputs import is_code_side
from devrag.wiki.conflicts.pieces import (
    CodePiece,
    Definition,
    close_names,
    definitions_meant,
    last_part,
)
from devrag.wiki.conflicts.reading import compared_files

_HITS = 4
_USES, _ROWS = 2, 500
_FILE_LINES = 40
# More names are not looked through for one that is spelled alike.
_MOST_NAMES = 200_000
# A query's words must not read as a filter or a pattern of the search.
_SYNTAX = re.compile(r"[:\"/\\-]+")


class IndexedCode:
    """A CodeLookup over what is indexed now; made anew for each batch of passages."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self._lines: dict[int, list[str]] = {}

    @cached_property
    def _files(self) -> Mapping[int, str]:
        """Return the files of code, path by id. Queries: 1."""
        rows = compared_files(self._product.pk).values_list("pk", "path", "kind")
        return {pk: path for pk, path, kind in rows if is_code_side(path, kind)}

    @cached_property
    def _by_stem(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for pk, path in self._files.items():
            found.setdefault(_stem(path), []).append(pk)
        return found

    @cached_property
    def _symbol_names(self) -> frozenset[str]:
        files = compared_files(self._product.pk)
        names = Symbol.objects.filter(file__in=files).values_list("name", flat=True)
        return frozenset(names.distinct()[:_MOST_NAMES]) | self._by_stem.keys()

    def named(self, names: Sequence[str]) -> Iterator[CodePiece]:
        """Return definitions of names, and files that have one. Queries: ≤ 4."""
        wanted = {last_part(name) for name in names}
        for name in wanted - self._symbol_names:
            wanted.update(close_names(name, self._symbol_names))
        known = [*self._definitions(wanted), *self._named_files(wanted)]
        for found in definitions_meant(names, known):
            yield from self._piece(found.file_id, found.start_line, found.end_line)

    def _definitions(self, names: Iterable[str]) -> Iterator[Definition]:
        rows = Symbol.objects.filter(name__in=list(names), file__in=list(self._files))
        for row in rows.exclude(scope="local"):
            path = self._files[row.file_id]
            lines = (row.start_line, row.end_line)
            yield Definition(row.name, row.qualified_name, path, *lines, row.file_id)

    def _named_files(self, names: Iterable[str]) -> Iterator[Definition]:
        for name in names:
            for pk in self._by_stem.get(name, ()):
                path = self._files[pk]
                full = path.partition(".")[0].replace("/", ".")
                yield Definition(name, full, path, 1, _FILE_LINES, pk)

    def used(self, names: Sequence[str]) -> Iterator[CodePiece]:
        """Return functions that use names, two of each. Queries: 3 a name, or less."""
        for name in names:
            rows = Reference.objects.filter(
                source__in=self._source_ids,
                last_name=last_part(name),
                file__in=list(self._files),
                symbol_ordinal__isnull=False,
            )
            places = rows.values_list("file_id", "symbol_ordinal")[:_ROWS]
            for (file_id, ordinal), _ in Counter(places).most_common(_USES):
                symbols = Symbol.objects.filter(file=file_id, ordinal=ordinal or 0)
                symbol = symbols.first()
                if symbol is not None:
                    yield from self._piece(file_id, symbol.start_line, symbol.end_line)

    @cached_property
    def _source_ids(self) -> list[int]:
        files = compared_files(self._product.pk)
        return list(files.values_list("source", flat=True).distinct())

    def alike(self, text: str) -> Iterator[CodePiece]:
        """Return what search finds, best first."""
        query = SearchQuery(
            text=_SYNTAX.sub(" ", text),
            principal=PUBLISHER,
            product=self._product.name,
            kind="code",
            limit=_HITS,
            # A reranker that fails now and then would change pairs for nothing.
            rerank=False,
        )
        ids = {path: pk for pk, path in self._files.items()}
        for hit in search(query, is_patient=True).hits:
            if hit.path in ids:
                yield from self._piece(ids[hit.path], hit.start_line, hit.end_line)

    def _piece(self, file_id: int, start: int, end: int) -> Iterator[CodePiece]:
        if file_id not in self._lines:
            text = File.objects.values_list("text", flat=True).get(pk=file_id)
            self._lines[file_id] = normalise_newlines(text).split("\n")
        text = "\n".join(self._lines[file_id][start - 1 : end])
        yield CodePiece(self._files[file_id], start, text, file_id)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]

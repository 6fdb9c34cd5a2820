"""Definitions that a question is about: those it names, and those search found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.core.principal import Principal
from devrag.search.api import read_question
from devrag.search.types import Hit
from devrag.sources.models import GitRef, Source, Symbol

# Names that more definitions have say too little.
_MOST_OF_NAME = 6
_SEEDS = 8
_NAMED = 0.3
# Lines that a definition may have to be shown whole wherever a piece was found.
_LONGEST_WHOLE = 60
_OWNED = re.compile(r"(\w+)(?:\.|::|->|#)(\w+)")


@dataclass(frozen=True, slots=True)
class Seed:
    """A definition to look around. weight: 1 for one that the question names."""

    symbol: Symbol
    ref: GitRef
    weight: float
    is_named: bool


def find_seeds(
    text: str,
    hits: Sequence[Hit],
    source_ids: Sequence[int],
    named: Sequence[Symbol] = (),
) -> list[Seed]:
    """Return the definitions to look around, most wanted first. Queries: 2 or 3.

    named: those that the question is known to name.
    """
    refs = _current_refs(source_ids)
    rows = [(row, True, 1.0) for row in (*named, *_named(text, source_ids))]
    keys = [hit.symbol_uuid for hit in hits if hit.symbol_uuid][:_SEEDS]
    rows += [(s.symbol, False, s.weight) for s in _seeds(keys, refs)]
    found: dict[int, Seed] = {}
    for symbol, is_named, weight in rows:
        if symbol.source_id in refs:
            seed = Seed(symbol, refs[symbol.source_id], weight, is_named)
            found.setdefault(symbol.pk, seed)
    return list(found.values())


def seeds_of(keys: Sequence[UUID], source_ids: Sequence[int]) -> list[Seed]:
    """Return definitions to look around, by place. Queries: 2."""
    return _seeds(keys, _current_refs(source_ids))


def _seeds(keys: Sequence[UUID], refs: Mapping[int, GitRef]) -> list[Seed]:
    by_uuid = _by_uuid(keys, list(refs))
    return [
        Seed(symbol, refs[symbol.source_id], 1 / (1 + place / 2), is_named=False)
        for place, key in enumerate(keys)
        if (symbol := by_uuid.get(key)) is not None
    ]


def _current_refs(source_ids: Sequence[int]) -> dict[int, GitRef]:
    rows = GitRef.objects.filter(source__in=source_ids, is_current=True)
    return {ref.source_id: ref for ref in rows}


def _named(text: str, source_ids: Sequence[int]) -> list[Symbol]:
    names = read_question(text).names
    if not names:
        return []
    owners = {name: owner for owner, name in _OWNED.findall(text)}
    rows = _current(source_ids).filter(name__in=names).order_by("pk")
    by_name: dict[str, list[Symbol]] = {name: [] for name in names}
    for row in rows[: _MOST_OF_NAME * 10 * len(names)]:
        by_name[row.name].append(row)
    found = []
    for name, same in by_name.items():
        owner = owners.get(name)
        of_owner = [s for s in same if owner and owner in s.qualified_name.split(".")]
        meant = of_owner or same
        found += meant if len(meant) <= _MOST_OF_NAME else []
    return found


def _by_uuid(keys: Iterable[UUID], source_ids: Sequence[int]) -> dict[UUID, Symbol]:
    rows = _current(source_ids).filter(uuid__in=set(keys))
    return {row.uuid: row for row in rows}


def _current(source_ids: Sequence[int]) -> QuerySet[Symbol]:
    return (
        Symbol.objects.filter(
            source__in=source_ids,
            file__manifests__until=None,
            file__manifests__ref__is_current=True,
        )
        .select_related("file__source")
        .defer("file__text")
    )


def with_whole_definitions(
    candidates: Sequence[PassageCandidate], principal: Principal
) -> list[PassageCandidate]:
    """Let results that are pieces of a definition be all of it, unless it is long.

    Queries: 1.
    """
    keys = {each.symbol_uuid for each in candidates if each.symbol_uuid}
    sources = Source.objects.visible_to(principal).values("pk")
    rows = Symbol.objects.filter(
        uuid__in=keys, source__in=sources, file__manifests__until=None
    )
    found = rows.values_list("uuid", "start_line", "end_line")
    places = {uuid: (start, end) for uuid, start, end in found}
    return [_whole(each, places) for each in candidates]


def _whole(
    candidate: PassageCandidate, places: Mapping[UUID, tuple[int, int]]
) -> PassageCandidate:
    if candidate.symbol_uuid is None or candidate.symbol_uuid not in places:
        return candidate
    start, end = places[candidate.symbol_uuid]
    is_inside = start <= candidate.start_line and candidate.end_line <= end
    if not is_inside or end - start >= _LONGEST_WHOLE:
        return candidate
    return replace(candidate, start_line=start, end_line=end)


def candidates_of_seeds(seeds: Iterable[Seed]) -> list[PassageCandidate]:
    """Return the definitions that a question names, whole."""
    return [
        PassageCandidate(
            source=seed.symbol.file.source.name,
            path=seed.symbol.file.path,
            start_line=seed.symbol.start_line,
            end_line=seed.symbol.end_line,
            kind="definition",
            weight=_NAMED,
            file_weight=0.0,
            title=seed.symbol.qualified_name,
            symbol_uuid=seed.symbol.uuid,
        )
        for seed in seeds
        if seed.is_named
    ]

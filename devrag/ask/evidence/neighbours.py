"""What the definitions of a question use, and who uses them: one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from devrag.ask.evidence.candidates import FileKey, PassageCandidate, distinct
from devrag.ask.evidence.definitions import Seed
from devrag.core.identifiers import words_of
from devrag.navigation.symbols import (
    called_by,
    callees,
    meant_by,
    symbols_around,
    symbols_by_key,
)
from devrag.parsing.path_roles import is_test
from devrag.sources.models import Symbol

# Chosen so that most of the files are found that answers cite (two repositories of
# SWE-QA): what a definition uses says more than who uses it.
_CALLEE, _CALLER, _BY_NAME = 0.2, 0.06, 0.3
_POSSIBLE, _IN_TEST = 0.5, 0.3
_CALLED_BY_OF, _CALLERS = 3, 12
_AROUND_CALL = 6
_STEM, _LEAST = 5, 3


def find_neighbours(question: str, seeds: Sequence[Seed]) -> list[PassageCandidate]:
    """Return what seeds call and who calls them, the definitions of callees whole."""
    asked = _stems(question)
    found = [
        each
        for seed in seeds
        # What any test uses, such as fixtures, says little.
        if seed.is_named or not is_test(seed.symbol.file.path)
        for each in _callees(seed, asked)
    ]
    named = [seed for seed in seeds if seed.is_named]
    others = [seed for seed in seeds if not seed.is_named]
    for seed in (named + others)[:_CALLED_BY_OF]:
        found += _callers(seed)
    return _one_of_file(found)


def find_callees(question: str, seeds: Sequence[Seed]) -> list[PassageCandidate]:
    """Return the definitions that seeds call, whole, the most wanted first."""
    asked = _stems(question)
    found = [each for seed in seeds for each in _callees(seed, asked)]
    return sorted(distinct(found), key=lambda c: -c.weight)


def _one_of_file(found: Iterable[PassageCandidate]) -> list[PassageCandidate]:
    """Let the best of each file alone speak for it: many small ones say little."""
    kept: list[PassageCandidate] = []
    seen: set[FileKey] = set()
    for each in sorted(found, key=lambda c: -c.file_weight):
        kept.append(replace(each, file_weight=0.0) if each.file in seen else each)
        seen.add(each.file)
    return kept


def _callees(seed: Seed, asked: frozenset[str]) -> Iterator[PassageCandidate]:
    used = meant_by(callees(seed.ref, seed.symbol))
    symbols = symbols_by_key(used)
    for key, use in used.items():
        symbol = symbols.get(key)
        if symbol is None or symbol.kind == "module":
            continue
        weight = _CALLEE * seed.weight * (_BY_NAME + _share(symbol, asked))
        weight *= _POSSIBLE if use.is_possible else 1.0
        why = gettext("Used by %(name)s") % {"name": seed.symbol.qualified_name}
        yield _callee(symbol, weight, why, seed)


def _callers(seed: Seed) -> Iterator[PassageCandidate]:
    uses = called_by(seed.ref, seed.symbol).uses[:_CALLERS]
    around = symbols_around(uses)
    why = gettext("Uses %(name)s") % {"name": seed.symbol.qualified_name}
    for use in uses:
        if use.usage.file == seed.symbol.file_id:
            continue
        weight = _CALLER * (_IN_TEST if is_test(use.path) else 1.0)
        symbol = around.get((use.usage.file, use.ordinal or -1))
        yield PassageCandidate(
            source=seed.symbol.file.source.name,
            path=use.path,
            start_line=max(1, use.line - _AROUND_CALL),
            end_line=use.line + _AROUND_CALL,
            kind="test" if is_test(use.path) else "caller",
            weight=weight,
            file_weight=weight,
            title=symbol.qualified_name if symbol else "",
            why=why,
            symbol_uuid=symbol.uuid if symbol else None,
        )


def _callee(symbol: Symbol, weight: float, why: str, seed: Seed) -> PassageCandidate:
    is_other = symbol.file_id != seed.symbol.file_id
    return PassageCandidate(
        source=symbol.file.source.name,
        path=symbol.file.path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
        kind="callee",
        weight=weight,
        file_weight=weight if is_other else 0.0,
        title=symbol.qualified_name,
        why=why,
        symbol_uuid=symbol.uuid,
    )


def _share(symbol: Symbol, asked: frozenset[str]) -> float:
    """Return how much of its name the question has, 0 for nothing."""
    own = _stems(symbol.name)
    return len(_stems(symbol.qualified_name) & asked) / max(1, len(own))


def _stems(text: str) -> frozenset[str]:
    words = words_of(text)
    return frozenset(w.lower()[:_STEM] for w in words if len(w) >= _LEAST)

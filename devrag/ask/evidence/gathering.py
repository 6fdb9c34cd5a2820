"""From a question to its passages: search, definitions around it, facts, claims."""

from __future__ import annotations

from devrag.ask.evidence.candidates import PassageCandidate, candidates_of_hits
from devrag.ask.evidence.definitions import candidates_of_seeds, find_seeds
from devrag.ask.evidence.neighbours import find_neighbours
from devrag.ask.evidence.passages import read_passages
from devrag.ask.evidence.retrieval import Retrieved, retrieve
from devrag.ask.evidence.selection import choose_passages
from devrag.ask.types import MAX_FILES, MAX_LINES, AskRequest, Evidence, Passage
from devrag.sources.models import Source

# What is shown at once, before the definitions around it are known.
_FIRST_FILES, _FIRST_LINES = 4, 160


def gather_evidence(
    request: AskRequest, *, max_files: int = MAX_FILES, max_lines: int = MAX_LINES
) -> Evidence:
    """Return what the asker may read that bears on the question, most useful first.

    Raises InvalidInput, NotFound.
    """
    return complete_evidence(
        request, begin_evidence(request), max_files=max_files, max_lines=max_lines
    )


def begin_evidence(request: AskRequest) -> Retrieved:
    """Ask search alone, which takes a fraction of the time of the rest."""
    return retrieve(request, request.question)


def first_passages(request: AskRequest, retrieved: Retrieved) -> list[Passage]:
    """Return what search found, to be shown while the rest is gathered."""
    chosen = choose_passages(
        candidates_of_hits(retrieved.hits),
        max_files=_FIRST_FILES,
        max_lines=_FIRST_LINES,
    )
    return read_passages(chosen, request.principal)


def complete_evidence(
    request: AskRequest, retrieved: Retrieved, *, max_files: int, max_lines: int
) -> Evidence:
    """Add what stands around the results, and choose."""
    candidates = _candidates(request, retrieved)
    chosen = choose_passages(candidates, max_files=max_files, max_lines=max_lines)
    return Evidence(
        passages=tuple(read_passages(chosen, request.principal)),
        is_found=retrieved.is_found,
        searched=(request.question,),
        notes=retrieved.notes,
    )


def _candidates(request: AskRequest, retrieved: Retrieved) -> list[PassageCandidate]:
    hits = retrieved.hits
    names = {hit.source_name for hit in hits}
    sources = Source.objects.visible_to(request.principal).filter(name__in=names)
    seeds = find_seeds(request.question, hits, sources.values_list("pk", flat=True))
    return [
        *candidates_of_hits(hits),
        *candidates_of_seeds(seeds),
        *find_neighbours(request.question, seeds),
    ]

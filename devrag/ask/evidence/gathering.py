"""From a question to its passages: search, definitions around it, facts, claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from devrag.ask.evidence.actions import read_action
from devrag.ask.evidence.answerable import judge_answerable
from devrag.ask.evidence.candidates import (
    PassageCandidate,
    asks_for_changes,
    asks_for_tests,
    candidates_of_hits,
    distinct,
    heading_of,
    lines_asked_about,
    locations_of,
    prefer_tests,
)
from devrag.ask.evidence.claims import find_claims
from devrag.ask.evidence.comparison import find_sides, side_ids
from devrag.ask.evidence.definitions import (
    candidates_of_seeds,
    find_seeds,
    with_whole_definitions,
)
from devrag.ask.evidence.docstrings import without_long_docstrings
from devrag.ask.evidence.facts import find_facts
from devrag.ask.evidence.follow_ups import prefer_new, repeated_ids, retrieval_text
from devrag.ask.evidence.neighbours import find_neighbours
from devrag.ask.evidence.passages import read_passages
from devrag.ask.evidence.retrieval import Retrieved, retrieve
from devrag.ask.evidence.selection import choose_passages
from devrag.ask.evidence.tooling import without_tooling
from devrag.ask.named.definitions import (
    NamedDefinitions,
    candidates_of_named,
    find_definitions,
)
from devrag.ask.reasons import read_words
from devrag.ask.sections import section_worth
from devrag.ask.types import MAX_FILES, MAX_LINES, AskRequest, Evidence, Passage
from devrag.parsing.path_roles import is_changelog
from devrag.products.models import Product
from devrag.search.api import read_question
from devrag.search.types import Hit
from devrag.sources.models import Source

# What is shown at once, before the definitions around it are known.
_FIRST_FILES, _FIRST_LINES = 4, 160
# Documentation ranks behind code, and says what code is for.
_OF_DOCUMENTS = 0.35
# Sections among which those are looked for that answer.
_DOCUMENTS = 30
# What sections weigh that answer the question: more than any result.
_OF_ANSWER, _MOST_ANSWERING = 0.9, 2
# Definitions by other verbs for the same action, and what they weigh beside results.
_RESTATED, _OF_RESTATED = 8, 0.8


@dataclass(frozen=True, slots=True)
class EvidenceStart:
    """What search found. found: its results as candidates; shown: the choice whose
    passages are shown at once.

    text: what was looked for, the question with its subject. named: the definitions
    that the question names.
    """

    text: str
    retrieved: Retrieved
    found: tuple[PassageCandidate, ...]
    shown: tuple[PassageCandidate, ...]
    passages: tuple[Passage, ...]
    named: NamedDefinitions | None = None

    @property
    def named_ids(self) -> tuple[str, ...]:
        """Return the ids of the passages that are definitions of the named."""
        found = self.named.found if self.named else ()
        keys = {each.body.uuid for each in found}
        return tuple(each.id for each in self.passages if each.symbol_uuid in keys)


def gather_evidence(
    request: AskRequest, *, max_files: int = MAX_FILES, max_lines: int = MAX_LINES
) -> Evidence:
    """Return what the asker may read that bears on the question, most useful first.

    Raises InvalidInput, NotFound.
    """
    start = begin_evidence(request, max_files=max_files, max_lines=max_lines)
    return complete_evidence(request, start, max_files=max_files, max_lines=max_lines)


def begin_evidence(
    request: AskRequest, *, max_files: int = MAX_FILES, max_lines: int = MAX_LINES
) -> EvidenceStart:
    """Ask search alone, which takes a fraction of the time of the rest.

    Definitions that the question names come first.
    """
    text = retrieval_text(request)
    named = find_definitions(request)
    first = candidates_of_named(named) if named else []
    retrieved = retrieve(request, text)
    hits = retrieved.hits
    if named is None:
        hits = without_tooling(hits, text, request.principal)
        retrieved = replace(retrieved, hits=hits)
    found = without_long_docstrings(
        with_whole_definitions(_found(request, text, hits), request.principal),
        request.principal,
    )
    shown = choose_passages(
        [
            *lines_asked_about(request.scope),
            *without_long_docstrings(first, request.principal),
            *found,
        ],
        max_files=min(_FIRST_FILES, max_files),
        max_lines=min(_FIRST_LINES, max_lines),
    )
    passages = read_passages(shown, request.principal)
    return EvidenceStart(
        text, retrieved, tuple(found), tuple(shown), tuple(passages), named
    )


def _found(
    request: AskRequest, text: str, hits: Sequence[Hit]
) -> list[PassageCandidate]:
    """Return results, and definitions that code calls by another verb for the same."""
    action = read_action(request.question, text)
    found = candidates_of_hits(hits, action=action)
    if action.restated:
        others = retrieve(
            request, action.restated, kind="symbol", mode="keyword", limit=_RESTATED
        ).hits
        own = without_tooling((*hits, *others), text, request.principal)
        others = tuple(hit for hit in own if hit not in hits)
        found += candidates_of_hits(others, share=_OF_RESTATED, action=action)
    if text != request.question:
        found = prefer_new(found, request)
    if asks_for_tests(request.question):
        found = prefer_tests(found)
    return distinct(found)


def complete_evidence(
    request: AskRequest,
    start: EvidenceStart,
    *,
    max_files: int = MAX_FILES,
    max_lines: int = MAX_LINES,
) -> Evidence:
    """Add what stands around the first passages, which stay as they are."""
    sides = [] if start.named else find_sides(request)
    candidates = [*(each.found for each in sides), *_candidates(request, start)]
    chosen = choose_passages(
        candidates,
        max_files=max_files,
        max_lines=max_lines,
        shown=start.shown,
    )
    passages = tuple(read_passages(chosen, request.principal))
    judged = judge_answerable(request, start.text, start.retrieved)
    is_named = start.named is not None and start.named.question.is_exact
    missing_notes = () if is_named else judged.notes
    return Evidence(
        passages,
        is_found=judged.is_found or is_named,
        searched=(start.text,),
        notes=(*missing_notes, *start.retrieved.notes),
        missing_notes=missing_notes,
        named=start.named_ids,
        sides=side_ids(sides, passages),
        repeated=repeated_ids(passages, request),
        is_about_tests=asks_for_tests(request.question),
        nearby=locations_of(candidates),
    )


def _candidates(request: AskRequest, start: EvidenceStart) -> list[PassageCandidate]:
    hits, text = start.retrieved.hits, start.text
    names = {hit.source_name for hit in hits}
    visible = Source.objects.visible_to(request.principal).filter(name__in=names)
    source_ids = list(visible.values_list("pk", flat=True))
    named = [each.body for each in start.named.found] if start.named else []
    seeds = find_seeds(text, hits, source_ids, named)
    around = [*candidates_of_seeds(seeds), *find_neighbours(text, seeds)]
    found = [
        *start.found,
        *_documents(request, text),
        *without_long_docstrings(around, request.principal),
        *find_facts(text, source_ids),
    ]
    for product in Product.objects.filter(sources__in=source_ids).distinct():
        found += find_claims(product, text, hits)
    return found


def _documents(request: AskRequest, text: str) -> list[PassageCandidate]:
    """Return the sections of documentation that answer, most surely first.

    Else the best one for a question that names no code. What releases changed is none,
    unless that is what is asked.
    """
    hits = retrieve(request, text, kind="doc", limit=_DOCUMENTS).hits
    if not asks_for_changes(text):
        hits = tuple(hit for hit in hits if not is_changelog(hit.path)) or hits
    if answering := _answering(hits, text):
        return [
            replace(each, weight=_OF_ANSWER, file_weight=_OF_ANSWER)
            for each in candidates_of_hits(answering)
        ]
    first = [] if read_question(text).names else hits[:1]
    return candidates_of_hits(first, share=_OF_DOCUMENTS)


def _answering(hits: Sequence[Hit], text: str) -> list[Hit]:
    """Return the sections that answer a question, as far as their words tell."""
    asked = read_words(text)
    worth = {
        hit.chunk_id: section_worth(
            heading_of(hit),
            hit.text,
            hit.path,
            (hit.product_name, hit.source_name),
            asked,
        )
        for hit in hits
    }
    found = [hit for hit in hits if worth[hit.chunk_id]]
    return sorted(found, key=lambda hit: -worth[hit.chunk_id])[:_MOST_ANSWERING]

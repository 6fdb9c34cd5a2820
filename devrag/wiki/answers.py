"""The lines that a wiki cites about a question: no model is asked.

Claims are ranked by the words they share with it, and by what search finds for it: a
claim about the very lines that answer the question says more than one that sounds so.
A claim only leads to lines, and only while these still stand in the source.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.search.api import read_question, search
from devrag.search.types import Hit, SearchQuery
from devrag.wiki.analysis.selectors import current_versions
from devrag.wiki.evidence.freshness import (
    ClaimFreshness,
    ClaimState,
    compare_claims,
)
from devrag.wiki.models import Claim, Page, Version

# Of a word in the title of the page, and in the path that is cited.
_TITLE, _PATH = 0.5, 0.3
# Beside the words: of a claim about lines that were found, and about their file.
_SAME_LINES, _SAME_FILE = 1.0, 0.3
_HITS, _PAGES = 20, 5
# What shares less says something else.
_LEAST_SCORE = 0.3
# Claims whose lines are compared for one that is asked for: some may be stale.
_COMPARED_FOR_ONE = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """A claim whose lines still stand, and where they do now. score: 0 to 1."""

    claim: Claim
    state: ClaimState
    score: float


@dataclass(frozen=True, slots=True)
class WikiEvidence:
    """What bears on a question, best first. stale: claims left out as outdated."""

    claims: tuple[Evidence, ...]
    pages: tuple[Page, ...]
    stale: int = 0


def find_evidence(
    version: Version, question: str, *, principal: Principal, limit: int
) -> WikiEvidence:
    """Return fresh claims and the pages of a version that bear on a question.

    Raises InvalidInput for a question that cannot be asked.
    """
    product = version.wiki.product
    hits = search(
        SearchQuery(question, principal, product=product.name, limit=_HITS)
    ).hits
    claims = list(Claim.objects.filter(page__version=version).with_page())
    scores = _by_words(claims, read_question(question).stems)
    near = _by_hits(claims, hits)
    total = {c.pk: (scores[c.pk] + near[c.pk]) / (1 + _SAME_LINES) for c in claims}
    ranked = sorted(claims, key=lambda c: (-total[c.pk], c.page.ordinal, c.ordinal))
    best = [c for c in _distinct(ranked) if total[c.pk] >= _LEAST_SCORE / 2]
    best = best[: limit * _COMPARED_FOR_ONE]
    states = compare_claims(best, current_versions(product.pk))
    by_claim = {(state.page, state.ordinal): state for state in states}
    found = [Evidence(c, by_claim[c.page.path, c.ordinal], total[c.pk]) for c in best]
    fresh = [each for each in found if each.state.state != ClaimFreshness.STALE]
    pages = _pages(version, [each.claim for each in fresh[:limit]], hits)
    return WikiEvidence(
        tuple(fresh[:limit]), tuple(pages), stale=len(found) - len(fresh)
    )


def _distinct(claims: Iterable[Claim]) -> Iterable[Claim]:
    """Yield a claim for each place that is cited, the first."""
    seen: set[tuple[str, str, int, int]] = set()
    for claim in claims:
        place = (claim.source_name, claim.path, claim.start_line, claim.end_line)
        if place not in seen:
            seen.add(place)
            yield claim


def _by_words(claims: Sequence[Claim], wanted: frozenset[str]) -> dict[int, float]:
    """Return claim → its share of the question's words, rare ones counting more.

    A stem is looked for anywhere: `refresh` is in `refreshFeeds`, and taking thousands
    of sentences apart would take a second.
    """
    said = {claim.pk: claim.sentence.lower() for claim in claims}
    frequency = {w: sum(w in sentence for sentence in said.values()) for w in wanted}
    weights = {w: math.log(1 + len(claims) / (1 + frequency[w])) for w in wanted}
    whole = sum(weights.values()) or 1.0
    return {
        claim.pk: sum(
            weight * _presence(word, said[claim.pk], claim)
            for word, weight in weights.items()
        )
        / whole
        for claim in claims
    }


def _presence(word: str, said: str, claim: Claim) -> float:
    if word in said:
        return 1.0
    if word in claim.page.title.lower():
        return _TITLE
    return _PATH * (word in claim.path.lower())


def _by_hits(claims: Iterable[Claim], hits: Sequence[Hit]) -> dict[int, float]:
    """Return claim → how much of what was found it is about."""
    by_file: dict[tuple[str, str], list[tuple[float, Hit]]] = {}
    for rank, hit in enumerate(hits):
        near = (1 - rank / len(hits), hit)
        by_file.setdefault((hit.source_name, hit.path), []).append(near)
    return {
        claim.pk: max(
            (
                weight * (_SAME_LINES if _overlaps(claim, hit) else _SAME_FILE)
                for weight, hit in by_file.get((claim.source_name, claim.path), ())
            ),
            default=0.0,
        )
        for claim in claims
    }


def _overlaps(claim: Claim, hit: Hit) -> bool:
    return claim.start_line <= hit.end_line and hit.start_line <= claim.end_line


def _pages(
    version: Version, claims: Iterable[Claim], hits: Iterable[Hit]
) -> Iterable[Page]:
    """Return the pages that the evidence is on, and that hold what was found."""
    order: Counter[str] = Counter()
    for rank, claim in enumerate(claims):
        order[claim.page.path] += 10 - min(rank, 9)
    pages = list(version.pages.defer("markdown", "inputs"))
    holders = _holders(pages)
    for rank, hit in enumerate(hits):
        if page := holders.get(f"{hit.source_name}/{hit.path}"):
            order[page] += max(1, 8 - rank)
    by_path = {page.path: page for page in pages}
    return [by_path[path] for path, _ in order.most_common(_PAGES)]


def _holders(pages: Iterable[Page]) -> Mapping[str, str]:
    return {path: page.path for page in pages for path in page.files}

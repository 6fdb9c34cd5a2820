"""Claims of a wiki that bear on a question, ranked by its words: no model is asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devrag.search.lexical.analyser import tokenize
from devrag.search.lexical.stemming import stem
from devrag.search.question import read_question
from devrag.wiki.freshness import ClaimState, compare_claims
from devrag.wiki.models import Claim, Version
from devrag.wiki.selectors import current_versions

# Of a word in the title of the page, and in the path that is cited.
_TITLE, _PATH = 0.5, 0.3
# A claim that shares less of the question's weight says something else.
_LEAST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Evidence:
    """A claim with its present state. score: share of the question's words, 0 to 1."""

    claim: Claim
    state: ClaimState
    score: float


def find_evidence(version: Version, question: str, limit: int) -> list[Evidence]:
    """Return the claims of a version that bear on a question, best first.

    Rare words of the question count more. Queries: 2, and what freshness takes.
    """
    wanted = read_question(question).stems
    claims = list(Claim.objects.filter(page__version=version).select_related("page"))
    if not wanted or not claims:
        return []
    scored = _rank(claims, wanted)[:limit]
    chosen = [claim for claim, _ in scored]
    states = compare_claims(chosen, current_versions(version.wiki.product_id))
    by_claim = {(state.page, state.ordinal): state for state in states}
    return [
        Evidence(claim, by_claim[claim.page.path, claim.ordinal], score)
        for claim, score in scored
    ]


def _rank(
    claims: Sequence[Claim], wanted: frozenset[str]
) -> list[tuple[Claim, float]]:
    titles = {claim.page_id: _stems(claim.page.title) for claim in claims}
    sentences = [_stems(claim.sentence) for claim in claims]
    paths = [_stems(claim.path) for claim in claims]
    frequency = Counter(word for words in sentences for word in words & wanted)
    weights = {
        word: math.log(1 + len(claims) / (1 + frequency[word])) for word in wanted
    }
    whole = sum(weights.values())
    scored = []
    for claim, said, path in zip(claims, sentences, paths, strict=True):
        score = sum(
            weight * _presence(word, said, titles[claim.page_id], path)
            for word, weight in weights.items()
        )
        if score >= _LEAST_SHARE * whole:
            scored.append((claim, score / whole))
    return sorted(scored, key=lambda pair: (-pair[1], pair[0].page.ordinal))


def _presence(word: str, said: set[str], title: set[str], path: set[str]) -> float:
    if word in said:
        return 1.0
    return max(_TITLE * (word in title), _PATH * (word in path))


def _stems(text: str) -> set[str]:
    return _stemmed(tokenize(text))


def _stemmed(tokens: Iterable[str]) -> set[str]:
    return {stem(token) for token in tokens}

"""The lines that fresh claims of the wiki cite about a question.

Claims are ranked by the words they share with it, and by what search finds for it: a
claim about the very lines that answer the question says more than one that sounds so.
A claim only leads to lines, and only while these still stand in the source; what it
says is no evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.products.models import Product
from devrag.search.api import read_question
from devrag.search.types import Hit
from devrag.wiki.api import (
    ClaimFreshness,
    compare_claims,
    current_versions,
    readable_wikis,
)
from devrag.wiki.models import Claim, Version

# Of a word in the title of the page, and in the path that is cited.
_TITLE, _PATH = 0.5, 0.3
# Beside the words: of a claim about lines that were found, and about their file.
_SAME_LINES, _SAME_FILE = 1.0, 0.3
# What shares less says something else.
_LEAST_SCORE = 0.15
_MOST, _COMPARED_FOR_ONE = 4, 3
_WEIGHT, _FILE_WEIGHT = 0.08, 0.05


def find_claims(
    product: Product, text: str, hits: Sequence[Hit]
) -> list[PassageCandidate]:
    """Return the lines of the best claims of a product's wiki that are still fresh."""
    wikis = readable_wikis(product)
    version = wikis[0].current if wikis else None
    if version is None:
        return []
    ranked = _rank(version, text, hits)[: _MOST * _COMPARED_FOR_ONE]
    states = compare_claims([c for _, c in ranked], current_versions(product.pk))
    by_claim = {(state.page, state.ordinal): state for state in states}
    found = []
    for score, claim in ranked:
        state = by_claim[claim.page.path, claim.ordinal]
        if state.state == ClaimFreshness.STALE:
            continue
        found.append(
            PassageCandidate(
                source=claim.source_name,
                path=claim.path,
                start_line=state.start_line,
                end_line=state.end_line,
                kind="definition",
                weight=_WEIGHT * score,
                file_weight=_FILE_WEIGHT * score,
                why=gettext("Cited on the wiki page %(title)s")
                % {"title": claim.page.title},
            )
        )
    return found[:_MOST]


def _rank(
    version: Version, text: str, hits: Sequence[Hit]
) -> list[tuple[float, Claim]]:
    claims = list(Claim.objects.filter(page__version=version).with_page())
    words = _by_words(claims, read_question(text).stems)
    near = _by_hits(claims, hits)
    total = {c.pk: (words[c.pk] + near[c.pk]) / (1 + _SAME_LINES) for c in claims}
    ranked = sorted(claims, key=lambda c: (-total[c.pk], c.page.ordinal, c.ordinal))
    distinct = _distinct(ranked)
    return [(total[c.pk], c) for c in distinct if total[c.pk] >= _LEAST_SCORE]


def _distinct(claims: Iterable[Claim]) -> Iterator[Claim]:
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

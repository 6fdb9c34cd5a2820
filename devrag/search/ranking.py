"""Order fused hits by rules any repository shares; each rule names itself on the hit.

Scores stay as fusion made them; rules only order (DESIGN §4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from devrag.search.types import Hit

# Read by PostgreSQL too: test_cart.py, cart_test.go, cart.spec.ts, CartTest.java.
TEST_PATHS = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|e2e)/|(^|/)(test_|conftest)"
    r"|[._](test|spec)\.|[a-z0-9]Tests?\."
)
ASIDE_PATHS = re.compile(
    r"(^|/)(examples?|samples?|vendor|third_party|fixtures|migrations)/"
)
_TEST_WORDS = frozenset({"test", "tests", "testing", "fixture", "spec", "テスト"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A factor for hits that match, with the words that say why."""

    reason: str
    factor: float
    applies: Callable[[Hit, Collection[str]], bool]


def _defines(hit: Hit, terms: Collection[str]) -> bool:
    return bool(hit.symbol_name) and hit.symbol_name.lower().split(".")[-1] in terms


def _names_path(hit: Hit, terms: Collection[str]) -> bool:
    stem = hit.path.rsplit("/", 1)[-1].split(".", 1)[0].lower()
    return stem in terms or bool(set(re.split(r"[_\W]+", stem)) & set(terms) - {""})


def _is_test(hit: Hit, terms: Collection[str]) -> bool:
    return bool(TEST_PATHS.search(hit.path)) and not _TEST_WORDS & set(terms)


def _is_aside(hit: Hit, _terms: Collection[str]) -> bool:
    return bool(ASIDE_PATHS.search(hit.path))


RULES = (
    Rule("defines what was asked for", 1.6, _defines),
    Rule("file name matches", 1.15, _names_path),
    Rule("a test, ranked lower", 0.6, _is_test),
    Rule("example, vendored or generated, ranked lower", 0.6, _is_aside),
)


def rank(
    scored: Sequence[tuple[Hit, float]], terms: Collection[str]
) -> list[tuple[Hit, tuple[str, ...]]]:
    """Return hits in final order with the reasons of the rules that applied."""
    weighed = []
    for hit, score in scored:
        rules = [rule for rule in RULES if rule.applies(hit, terms)]
        for rule in rules:
            score *= rule.factor  # noqa: PLW2901 - the rules multiply
        weighed.append((score, hit, tuple(rule.reason for rule in rules)))
    weighed.sort(key=lambda row: (-row[0], row[1].chunk_id))
    return [(hit, reasons) for _, hit, reasons in weighed]


def collapse_nested(hits: Sequence[tuple[Hit, tuple[str, ...]]]) -> list[int]:
    """Return positions to keep: of hits within one another only the deepest stays.

    The deepest takes the place of the best-ranked one that contains it.
    """
    kept: list[int] = []
    for position, (hit, _) in enumerate(hits):
        rival = next((k for k in kept if _nested(hits[k][0], hit)), None)
        if rival is None:
            kept.append(position)
        elif _size(hit) < _size(hits[rival][0]):
            kept[kept.index(rival)] = position
    return kept


def _nested(one: Hit, other: Hit) -> bool:
    if (one.source_name, one.path) != (other.source_name, other.path):
        return False
    inner, outer = sorted((one, other), key=_size)
    # A section holds its children's text; a class does not hold its methods' bodies.
    return (
        outer.kind == "section"
        and outer.start_line <= inner.start_line
        and inner.end_line <= outer.end_line
    )


def _size(hit: Hit) -> int:
    return hit.end_line - hit.start_line

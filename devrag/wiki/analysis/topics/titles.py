"""Names topics: after a heading of the documentation, else by distinctive terms.

A title is never a path: `vector_stores/lancedb.py` gives “Vector stores”.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from devrag.wiki.analysis.topics.words import ACRONYMS, GENERAL_WORDS

_LONGEST = 42
_MOST_WORDS = 5
_LEAST_COVER = 0.2
_PAIR_BONUS = 1.25
_LEAST_OWN = 0.34  # of the uses of a word, those in the topic
_LONGEST_WORD = 16
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_NUMBERED = re.compile(r"^(step\s*)?\d+([.)]\d*)*[.):]?\s+", re.IGNORECASE)
_MARKUP = re.compile(
    r"[`*#]|\b_|_\b|\[([^\]]*)\]\([^)]*\)|<[^>]+>|:\w+:|[\U0001F000-\U0001FAFF]"
)
_CODE = re.compile(r"[/\\<>{}=]|\w_\w|\w\.\w|\w\(\)")
# Headings that stand in any document, and words of any code base.
_GENERAL_HEADING = re.compile(
    r"^\W*((an? )?(brief )?introduction|overview|about|features?|usage|examples?|readme"
    r"|faq"
    r"|install\w*|(quick|getting)[ -]?start\w*|get(ting)? started|set ?up|requirements?"
    r"|prerequisites|notes?|other|misc\w*|general|summary|background|details?|options"
    r"|basics?|advanced|tips|todo|index|home|welcome.*|help|motivation|why.*"
    r"|how to.*|what is.*|documentation|docs|guides?|tutorials?|reference|api"
    r"|architecture|design"
    r"|概要|はじめに|使い方|インストール.*|例|その他|環境構築|実行)\W*$",
    re.IGNORECASE,
)
_STOP_WORDS = frozenset(("and", "the", "for", "with", "from", "of", "to", "in", "on"))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the documentation with what speaks for it as a topic's title.

    cover: share of the topic that the text below it names; focus: of what that names,
    the share inside the topic; support: how well its words fit the topic's own names.
    """

    text: str
    cover: float
    focus: float
    support: float

    @property
    def score(self) -> float:
        return self.support * (1 + self.focus * math.sqrt(self.cover))


def title_of_heading(headings: Iterable[Heading]) -> tuple[str, float]:
    """Return the heading that names a topic best and its score, '' if none does."""
    named = [
        (heading.score, text)
        for heading in headings
        if heading.cover >= _LEAST_COVER
        and is_title(text := plain_heading(heading.text))
    ]
    score, text = max(named, default=(0.0, ""))
    return text, score


def plain_heading(text: str) -> str:
    """Return a heading without markup, numbers and a final mark."""
    bare = _MARKUP.sub(lambda m: m.group(1) or "", text)
    text = _NUMBERED.sub("", " ".join(bare.split())).strip(" :.-–—")
    return text[:1].upper() + text[1:].replace("-", " ") if text.islower() else text


def is_title(text: str) -> bool:
    """Return whether a heading can name a topic: short, and not of any document."""
    words = text.split()
    is_short = len(text) <= _LONGEST and len(words) <= _MOST_WORDS
    is_name = bool(text) and not text.endswith("?") and not _CODE.search(text)
    return is_short and is_name and not _GENERAL_HEADING.match(text)


def terms_of_names(names: Iterable[tuple[str, float]]) -> Counter[str]:
    """Return the terms of weighted names, `vector stores` of `vector_stores` too."""
    found: Counter[str] = Counter()
    for name, weight in names:
        words = [w.lower() for w in _HUMP.split(name) if w]
        words = [w for w in words if not w.isdigit()]
        words = [w for w in words if len(w) <= _LONGEST_WORD]
        terms = {w for w in words if w not in GENERAL_WORDS and len(w) > 1}
        pairs = pairwise(words)
        terms |= {
            f"{a} {b}" for a, b in pairs if not {a, b} & GENERAL_WORDS and len(a) > 1
        }
        for term in terms:
            found[term] += weight  # type: ignore[assignment]
    return found


def fit_of_terms(
    terms: Sequence[Mapping[str, float]], place: int, ignored: frozenset[str]
) -> dict[str, float]:
    """Return term → how well it tells a topic from the others, at most 1.

    terms: for each topic term → share of it that bears the term. ignored: the words of
    the product's own name.
    """
    used: dict[str, float] = defaultdict(float)
    for each in terms:
        for term, share in each.items():
            used[term] += share
    own = {t: share / used[t] for t, share in terms[place].items()}
    return {
        term: terms[place][term] * own[term]
        for term in own
        if not set(term.split()) <= ignored
        and all(own.get(word, 1.0) >= _LEAST_OWN for word in term.split())
    }


def distinctive_terms(fit: Mapping[str, float]) -> list[str]:
    """Return up to three terms that tell a topic from the others, the best first."""
    scored = {t: f * (_PAIR_BONUS if " " in t else 1.0) for t, f in fit.items()}
    chosen: list[str] = []
    for term in sorted(scored, key=lambda t: (-scored[t], t)):
        words = {_stem(word) for word in term.split()}
        if not any(words & {_stem(w) for w in other.split()} for other in chosen):
            chosen.append(term)
        if len(chosen) == 3:
            break
    return chosen


def support_of(heading: str, fit: Mapping[str, float]) -> float:
    """Return how well the words of a heading fit a topic, in the mean.

    `Authentication` is supported by the term `auth`: one begins with the other.
    """
    words = [w.lower() for w in _HUMP.split(plain_heading(heading)) if len(w) > 2]
    words = [w for w in words if w not in _STOP_WORDS]
    best = [
        max((f for t, f in fit.items() if " " not in t and _is_kin(t, w)), default=0.0)
        for w in words
    ]
    return sum(best) / len(best) if best else 0.0


def _is_kin(one: str, other: str) -> bool:
    short, long = sorted((_stem(one), _stem(other)), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "es", "s", "or", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def spelt(term: str, *, is_first: bool = True) -> str:
    """Return a term as a title has it: `Vector stores`, `HTTP transports`."""
    words = [w.upper() if w in ACRONYMS else w for w in term.split()]
    text = " ".join(words)
    return text[:1].upper() + text[1:] if is_first else text

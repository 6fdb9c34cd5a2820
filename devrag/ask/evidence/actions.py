"""What a question wants done to its subject, and which definitions do it: pure.

“Where is the token checked?” is answered by what verifies or authenticates a token,
not by what else has a token in its name, such as `revoke_token`. Search compares words;
here verbs that code uses for the same action count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from devrag.core.identifiers import words_of
from devrag.search.api import counterparts, read_question

# Each line is one action. A verb may be in several.
_ACTIONS = (
    "check verify validate authenticate authorize ensure assert",
    "find search look lookup locate resolve match",
    "get fetch retrieve obtain",
    "create make build construct generate new",
    "add insert append register install",
    "delete remove drop revoke destroy clear purge prune unregister discard",
    "close shutdown stop end finish terminate dispose release exit quit",
    "open start begin launch connect acquire",
    "read load parse decode scan",
    "write save store persist dump encode",
    "send post dispatch emit publish deliver",
    "receive accept consume",
    "update change modify edit patch",
    "convert transform translate render serialize",
    "raise throw fail reject refuse",
    "retry repeat resend",
    "compute calculate count measure",
    "print show display list",
    "sort order rank",
    "sign encrypt hash",
    "merge join combine",
    "split cut divide",
    "cache memoize",
    "wait sleep delay block",
    "copy clone duplicate",
    "complete suggest autocomplete",
)
# How much a definition counts whose name has the verb asked for, or another one for
# the same action; whose name is of something else; that has no such verb.
_SAME, _SIMILAR, _OTHER, _NOWHERE = 1.5, 1.35, 0.5, 0.8


@dataclass(frozen=True, slots=True)
class Action:
    """What a question wants done. asked: stems of its verbs; similar: of others for it.

    subject: stems of what it is done to. restated: subject and similar verbs as words,
    for a search, "" without a verb.
    """

    asked: frozenset[str] = frozenset()
    similar: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    restated: str = ""

    def worth(self, name: str, text: str) -> float:
        """Return how much a definition counts by what it does, 1 for no difference.

        name: qualified. text: its lines.
        """
        if not self.asked:
            return 1.0
        own = _stems(name.rpartition(".")[2])
        does = _SAME if own & self.asked else _SIMILAR if own & self.similar else 0.0
        there = _stems(f"{name} {text}")
        if does:
            return does if not self.subject or self.subject & there else 1.0
        if own & _all_verbs():
            return _OTHER
        return 1.0 if (self.asked | self.similar) & there else _NOWHERE


def read_action(question: str, about: str) -> Action:
    """Return what a question wants done, an empty action where no verb tells.

    about: the question with its subject, where that stands in those before it.
    """
    stems = {_stem(word): word for word in _words(question)}
    found = [group for group in _groups() if stems.keys() & group.keys()]
    if not found:
        return Action()
    asked = frozenset(stem for group in found for stem in group if stem in stems)
    verbs = {stem: verb for group in found for stem, verb in group.items()}
    subject = {s: w for w in _words(about) if (s := _stem(w)) not in _all_verbs()}
    others = [verb for stem, verb in verbs.items() if stem not in asked]
    if not question.isascii():
        # What a Japanese question asks for stands nowhere yet as code calls it.
        others = [verb for stem, verb in verbs.items() if stem in asked] or others
    return Action(
        asked=asked,
        similar=frozenset(verbs) - asked,
        subject=frozenset(subject),
        restated=" ".join([*subject.values(), *others]) if subject else "",
    )


def _words(text: str) -> list[str]:
    """Return the words of a text, Japanese ones as code calls them."""
    found: list[str] = []
    for word in sorted(read_question(text).words):
        english = () if word.isascii() else counterparts(word)
        found += english or (word,)
    return found


@lru_cache(maxsize=1)
def _groups() -> tuple[dict[str, str], ...]:
    """Return the verbs of each action by their stems."""
    return tuple({_stem(verb): verb for verb in line.split()} for line in _ACTIONS)


@lru_cache(maxsize=1)
def _all_verbs() -> frozenset[str]:
    return frozenset(stem for group in _groups() for stem in group)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return next(iter(read_question(word).stems), word)


def _stems(written: str) -> frozenset[str]:
    parts = words_of(written)
    return frozenset(_stem(part.lower()) for part in parts if len(part) > 2)

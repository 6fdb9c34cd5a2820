"""Whether the lines that a sentence cites say what it says, as far as words tell: pure.

Sees names, numbers, negations, words like "only", the direction of calls and the order
of two names. It does not understand: what it cannot see is `unknown`, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from devrag.wiki.checking.shown_names import CODE, missing_names, names_in
from devrag.wiki.evidence.blocks import plain

Support = Literal["supported", "unsupported", "unknown"]


@dataclass(frozen=True, slots=True)
class SupportClaim:
    """A sentence and the excerpts that it cites, each as it was shown."""

    number: int
    sentence: str
    excerpts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim. reason: why it is not supported, in a few words."""

    number: int
    support: Support
    reason: str = ""


_NUMBER = re.compile(r"(?<![\w.])\d[\d,_]*(?:\.\d+)*(?![\w])")
_MOST_COUNTED = 12
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]{2,}")
_CASES = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """the and for with that this from into when which what they their each have
    been more than then them also used uses are was were its his her not but can may
    will has had does did only all any one two its such both where while through between
    other others same own very just about""",
    )
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|without|cannot|nor|neither|none)\b|n['’]t\b", re.IGNORECASE
)
# Words that say how far a statement goes, and the words that say the same.
_EXTENTS = (
    re.compile(r"\b(?:only|solely|exclusively|just)\b", re.IGNORECASE),
    re.compile(r"\b(?:always|every|all|each|any|whenever|never|no)\b", re.IGNORECASE),
    re.compile(r"\b(?:most|mostly|usually|often|many)\b", re.IGNORECASE),
    re.compile(r"\b(?:must|required?|requires|has to|have to|shall)\b", re.IGNORECASE),
)
_CALLS = re.compile(
    r"(`+)([\w.]+?)(?:\(\))?\1\s+(?:directly\s+)?(?:calls|invokes"
    r"|delegates to|inherits from|extends|subclasses|derives from)\s+(?:the\s+)?"
    r"(?:\w+\s+)?(`+)([\w.]+?)(?:\(\))?\3"
)
_DEFINES = (
    r"(?m)^([ \t]*)(?:[a-z]+[ \t]+)*(?:def|class|func|fn|function|interface|struct)"
    r"[ \t]+(?:\([^)\n]*\)[ \t]*)?{name}\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s")
_LIKE, _SAME = 0.6, 0.75  # shares of the words of a sentence that stand in lines


def judge_claims(claims: Iterable[SupportClaim]) -> list[Verdict]:
    """Return a verdict on each claim from its words alone."""
    return [judge_claim(claim) for claim in claims]


def judge_claim(claim: SupportClaim) -> Verdict:
    """Return whether the excerpts of a claim say so, as far as words tell."""
    text = "\n".join(claim.excerpts)
    reason = _contradiction(claim.sentence, claim.excerpts, text)
    if reason:
        return Verdict(claim.number, "unsupported", reason)
    share = _share(_stems(claim.sentence), _stems(text))
    if share >= _LIKE and not _unseen_extent(claim.sentence, text):
        return Verdict(claim.number, "supported")
    return Verdict(claim.number, "unknown")


def _contradiction(sentence: str, excerpts: Sequence[str], text: str) -> str:
    if missing := missing_names(sentence, excerpts):
        return f"`{missing[0]}` is not in the cited lines"
    if number := _unseen_number(sentence, text):
        return f"{number} is not in the cited lines"
    if turned := _turned(sentence, text):
        return turned
    return _differs_from_the_like(sentence, text)


def _unseen_number(sentence: str, text: str) -> str:
    """Return a number that the text lacks; small ones may be counts."""
    seen = {_bare_number(found) for found in _NUMBER.findall(text)}
    inside = {_bare_number(n) for n in re.findall(r"\d+(?:\.\d+)*", text)}
    for found in _NUMBER.findall(plain(sentence)):
        number = _bare_number(found)
        is_count = number.isdigit() and int(number) <= _MOST_COUNTED
        if number not in seen | inside and not (
            is_count and f"`{found}`" not in sentence
        ):
            return found
    return ""


def _bare_number(number: str) -> str:
    return number.replace(",", "").replace("_", "")


def _turned(sentence: str, text: str) -> str:
    """Return what is wrong where a call or an inheritance runs the other way."""
    for match in _CALLS.finditer(sentence):
        caller, called = (name.rpartition(".")[2] for name in match.group(2, 4))
        is_so = _names(_definition(caller, text), called)
        if not is_so and _names(_definition(called, text), caller):
            return f"the lines of `{called}` name `{caller}`, not the other way round"
    return ""


def _definition(name: str, text: str) -> str:
    """Return the lines that define a name without the name itself, '' without any."""
    found = re.search(_DEFINES.format(name=re.escape(name)), text)
    if found is None:
        return ""
    rest: str = text[found.end() :]
    following = re.search(rf"\n[ \t]{{0,{len(found.group(1))}}}(?=[^\s)}}\]])", rest)
    return rest[: following.start()] if following else rest


def _names(lines: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lines) is not None


def _differs_from_the_like(sentence: str, text: str) -> str:
    """Compare with the sentence of the text that is most like it."""
    told = _stems(sentence)
    likes = [(_share(told, _stems(each)), each) for each in _SENTENCE.split(text)]
    share, like = max(likes, key=lambda pair: pair[0], default=(0.0, ""))
    if share < _SAME or len(told) < 4:
        return ""
    if bool(_NEGATION.search(sentence)) != bool(_NEGATION.search(like)):
        return "it is negated on one side only"
    if _unseen_extent(sentence, like):
        return "the lines do not go as far: “only”, “all”, “most” or “must” is added"
    spans = [s for s in names_in(sentence) if like.count(s) == 1 == sentence.count(s)]
    order = sorted(spans, key=like.index)
    is_passive = (" by " in sentence) != (" by " in like)
    if order != spans and not is_passive:
        return f"`{order[0]}` and `{order[1]}` stand the other way round in the lines"
    return ""


def _unseen_extent(sentence: str, text: str) -> bool:
    """Return whether a sentence says “only” or the like and the text does not."""
    prose = CODE.sub(" ", sentence)
    return any(e.search(prose) and not e.search(text) for e in _EXTENTS)


def _stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words that carry meaning, names in their parts."""
    words = _WORD.findall(_CASES.sub(" ", plain(text)))
    return frozenset(
        word.lower()[:5]
        for word in words
        if len(word) > 2 and word.lower() not in _STOP
    )


def _share(told: frozenset[str], shown: frozenset[str]) -> float:
    return len(told & shown) / len(told) if told else 0.0

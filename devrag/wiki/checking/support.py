"""Whether the lines that a sentence cites say what it says, as far as words tell: pure.

Sees names, numbers, negations, words like "only", the direction of calls and the order
of two names. It does not understand: what it cannot see is `unknown`, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import pairwise
from typing import Literal

from devrag.wiki.checking.shown_names import CODE, missing_names, names_in
from devrag.wiki.evidence.blocks import plain

Support = Literal["supported", "unsupported", "unknown"]


@dataclass(frozen=True, slots=True)
class SupportClaim:
    """A sentence and the excerpts that it cites, each as it was shown.

    facts: what the index counted and its writer was told; its numbers are right.
    context: where the sentence stands, which may give its subject.
    """

    number: int
    sentence: str
    excerpts: tuple[str, ...]
    facts: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a claim. reason: why it is not supported, in a few words."""

    number: int
    support: Support
    reason: str = ""


_NUMBER = re.compile(r"(?<![\w.])\d[\d,_]*(?:\.\d+)*(?!\w)")
_ZEROS = re.compile(r"(?:\.0+)+$")
_COUNT = re.compile(r"(?<![\w./`-])\d{1,2}(?![\w.`-]\w)")
_IMPORT = re.compile(r"\s*from\s+\S+\s+import\b")
_STATUSES = {str(status.value): status.name for status in HTTPStatus}
_MOST_COUNTED = 12  # there may be so many of something, without their number
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
# Words that deny as well, so that a sentence needs no “not” to say the same.
_DENIAL = re.compile(
    r"""\b(?:missing|unknown|absent|absence|lacks?|lacking|ignor\w+|invalid|except
      |unless|instead|rather\ than|other\ than|only|prevent\w*|forbid\w*|prohibit\w*
      |refus\w+|reject\w*|skip\w*|den(?:y|ies|ied)|omit\w*|exclud\w+|impossible
      |un[a-z]{3,}ed|un[a-z]{2,}able)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no|without|cannot) (?:be )?[a-z]{3,}", re.IGNORECASE
)
_CAN = re.compile(r"\b(?:can|may|could|might)\b", re.IGNORECASE)
# How far a statement goes: what says so, and what says the same in the lines.
_EXTENTS = tuple(
    (re.compile(said, re.IGNORECASE), re.compile(rf"{said}|{same}", re.IGNORECASE))
    for said, same in (
        (
            r"(?<![\w-])(?:only|solely|exclusively|just)\b",
            (
                r"\b(?:sole|single|alone|merely|unless|no(?:ne)? other|no one else"
                r"|nothing (?:but|else)|not? \w+ (?:unless|except|other)|except)\b"
            ),
        ),
        (
            r"\b(?:always|every|all|each|any|whenever)\b",
            (
                r"\b(?:both|whole|entire|entirely|everything|everyone|no|none|never"
                r"|nothing|anything|regardless|without exception)\b"
            ),
        ),
        (
            r"\b(?:most|mostly|usually|often|many)\b",
            (
                r"\b(?:majority|typically|generally|normally|commonly|mainly|primarily"
                r"|largely|frequently)\b"
            ),
        ),
        (
            r"\b(?:must|required?|requires|ha(?:s|ve) to|shall)\b",
            (
                r"\b(?:need(?:s|ed)?|mandatory|necessary|obliged|forced|requir\w+"
                r"|ha(?:d|ving) to|can(?:not|['’]t) (?:\w+ )?without)\b"
            ),
        ),
    )
)
_CALLS = re.compile(
    r"""`([\w.]+?)(?:\(\))?`\s+(?:directly\s+|always\s+|then\s+)?
    (?: (?P<inherits> inherits\ from | extends | subclasses | derives\ from
            | is\ an?\ (?:special\ )?(?:kind|subclass)\ of )
        | calls | invokes | uses | wraps | runs | starts | relies\ on | delegates\ to )
    \s+(?:the\s+)?(?:\w+\s+)?`([\w.]+?)(?:\(\))?`""",
    re.VERBOSE,
)
_DEFAULT = re.compile(r"\bdefault|\bunless\b|\bwithout\b", re.IGNORECASE)
_LITERAL = re.compile(r"""True|False|None|null|true|false|-?\d[\d._]*|(['"]).*\1""")
_OPPOSITES = tuple(
    (re.compile(rf"\b{one}", re.IGNORECASE), re.compile(rf"\b{other}", re.IGNORECASE))
    for one, other in (
        *(("before\\b", "after\\b"), ("enable", "disable"), ("minim", "maxim")),
        *(("first\\b", "last\\b"), ("always\\b", "never\\b"), ("allow", "den[yi]")),
        *(("increase", "decrease"), ("above\\b", "below\\b"), ("older", "newer")),
    )
)
_IN_A_LIST = re.compile(r"`?\s*(?:,|and|or|, and|, or|と|や|、|または|および)\s*`?")
_CODE_SIGNS = re.compile(
    r"[={};]|\w\(|->|^\s*(?:def|class|return|if|raise|func|import)\b|^\s*\w+ : \w",
    re.MULTILINE,
)
_DEFINES = (
    r"(?m)^([ \t]*)(?:[a-z]+[ \t]+)*(?:def|class|func|fn|function|interface|struct)"
    r"[ \t]+(?:\([^)\n]*\)[ \t]*)?{name}\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s")
# A line of its own that is no part of a sentence: a path, a heading, a breadcrumb.
_TITLE = re.compile(r"^(?:\S+|\s*#+ .*|[^.\n]* > [^.\n]*|\W+)$", re.MULTILINE)
_SAME = 0.75  # the share of its words from which a sentence speaks of the same
_LEAST_STEMS = 4
_BORNE, _LEAST_BORNE = 0.4, 2  # of the words of a sentence, for lines to be its proof


def judge_claim(claim: SupportClaim) -> Verdict:
    """Return whether the excerpts of a claim say so, as far as words tell."""
    text = "\n".join(claim.excerpts)
    share, like = _most_like(claim.sentence, text)
    same = like if share >= _SAME and _is_no_more(like, claim.sentence) else ""
    if reason := _contradiction(claim, text, same):
        return Verdict(claim.number, "unsupported", reason)
    is_told = share >= _SAME and not _unseen_extent(claim.sentence, like)
    return Verdict(claim.number, "supported" if is_told else "unknown")


def bears_words(sentence: str, text: str) -> bool:
    """Return whether a text has enough of a sentence's words beside its names."""
    told = _stems(CODE.sub(" ", plain(sentence)))
    return len(told & _stems(text)) >= max(_LEAST_BORNE, _BORNE * len(told))


def _contradiction(claim: SupportClaim, text: str, like: str) -> str:
    """Return what the lines say otherwise. like: a sentence of theirs in its words."""
    sentence = claim.sentence
    if missing := missing_names(sentence, claim.excerpts):
        return f"`{missing[0]}` is not in the cited lines"
    if number := _unseen_number(sentence, f"{text}\n{claim.facts}"):
        return f"{number} is not in the cited lines"
    reason = _turned(sentence, text) or _other_default(sentence, text)
    return reason or (_differs(sentence, like, text) if like else "")


def _is_no_more(like: str, sentence: str) -> bool:
    """Return whether a sentence of the lines has the words of a claim and few others.

    Otherwise the claim puts it in words of its own, which say the same in other ways.
    """
    return _share(_stems(like), _stems(sentence)) >= _SAME


def _unseen_number(sentence: str, text: str) -> str:
    """Return a number that the text lacks; small ones may be counts."""
    shown = {_bare_number(n) for n in re.findall(r"\d[\d,_]*(?:\.\d+)*", text)}
    bare = plain(sentence)
    counts = [n for n in _COUNT.findall(bare) if int(n) <= _MOST_COUNTED]
    for number in _NUMBER.findall(bare):
        found = str(number).rstrip(",_")
        is_told = found in counts or _is_status(found, text)
        if not is_told and _bare_number(found) not in shown:
            return found
    return ""


def _is_status(number: str, text: str) -> bool:
    """Return whether a text names the HTTP status of a number, as `SEE_OTHER`."""
    name = _STATUSES.get(number)
    return name is not None and name in text.upper()


def _bare_number(number: str) -> str:
    """Return a number in one form: 10.0 is the version of `upgrading-to-10.md`."""
    return _ZEROS.sub("", number.replace(",", "").replace("_", ""))


def _turned(sentence: str, text: str) -> str:
    """Return what is wrong where a call or an inheritance runs the other way."""
    for match in _CALLS.finditer(sentence):
        one, other = (name.rpartition(".")[2] for name in match.group(1, 3))
        sign = r"\b" if match["inherits"] else r"\s*\("
        ours, theirs = _definition(one, text), _definition(other, text)
        if match["inherits"]:
            ours, theirs = ours.partition("\n")[0], theirs.partition("\n")[0]
        is_so = re.search(rf"(?<!\w){re.escape(other)}\b", ours)
        if not is_so and re.search(rf"(?<!\w){re.escape(one)}{sign}", theirs):
            return f"the lines of `{other}` name `{one}`, not the other way round"
    return ""


def _definition(name: str, text: str) -> str:
    """Return the lines that define a name without the name itself, '' without any."""
    found = re.search(_DEFINES.format(name=re.escape(name)), text)
    if found is None:
        return ""
    rest: str = text[found.end() :]
    following = re.search(rf"\n[ \t]{{0,{len(found.group(1))}}}(?=[^\s)}}\]])", rest)
    return rest[: following.start()] if following else rest


def _other_default(sentence: str, text: str) -> str:
    """Return what is wrong where the lines assign another value to a name."""
    if not _DEFAULT.search(sentence):
        return ""
    spans = [match.group(2).strip() for match in CODE.finditer(sentence)]
    told = [s.replace("'", '"') for s in spans if _LITERAL.fullmatch(s)]
    beside = " ".join(_beside_literals(spans))
    for name in names_in(sentence) if told else ():
        if name not in beside:
            continue  # the value is of another name
        assigned = re.findall(
            rf"(?<![\w.]){re.escape(name)}\s*(?::[^=\n,()]*)?=\s*([^\s,)]+)", text
        )
        values = (value.replace("'", '"') for value in assigned)
        literals = [value for value in values if _LITERAL.fullmatch(value)]
        if literals and name not in told and not set(literals) & set(told):
            return f"the lines set `{name}` to {literals[0]}"
    return ""


def _beside_literals(spans: Sequence[str]) -> Iterator[str]:
    """Yield the spans of code next to one that is a value."""
    for one, other in pairwise(spans):
        if _LITERAL.fullmatch(one):
            yield other
        if _LITERAL.fullmatch(other):
            yield one


def _most_like(sentence: str, text: str) -> tuple[float, str]:
    """Return the sentence of prose in a text that is most like one, and how much."""
    told = _stems(sentence)
    if len(told) < _LEAST_STEMS:
        return 0.0, ""
    prose = (
        each for each in _SENTENCE.split(_TITLE.sub("\n", text)) if not _is_code(each)
    )
    likes = ((_share(told, _stems(each)), each) for each in prose)
    return max(likes, key=lambda pair: pair[0], default=(0.0, ""))


def _is_code(text: str) -> bool:
    return _CODE_SIGNS.search(CODE.sub(" ", text)) is not None


def _differs(sentence: str, like: str, text: str) -> str:
    """Return in what a sentence differs from one of the text that has its words."""
    denies = _denies_otherwise(sentence, like) and not _has_denied(sentence, text)
    if denies or _denies_otherwise(like, sentence):
        return "the cited lines say the opposite: one of the two has a “not”"
    if extent := _unseen_extent(sentence, like):
        return f"the cited lines do not say “{extent}”"
    if _is_stronger(sentence, like):
        return "the cited lines say that it can be, not that it must"
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            is_here = one.search(sentence) and not one.search(like)
            if is_here and other.search(like) and not other.search(sentence):
                return "the lines say the opposite"
    return _turned_order(sentence, like)


def _denies_otherwise(one: str, other: str) -> bool:
    """Return whether one sentence denies what the other does not in any word."""
    if not _NEGATION.search(one) or _NEGATION.search(other):
        return False
    denials = set(_DENIAL.findall(CODE.sub(" ", other).lower()))
    return denials <= set(_DENIAL.findall(one.lower()))


def _has_denied(sentence: str, text: str) -> bool:
    """Return whether another sentence of a text denies the same: “not recommended”."""
    denied = {match.lower() for match in _DENIED.findall(sentence)}
    return any(re.search(rf"\b{re.escape(d)}\b", text, re.IGNORECASE) for d in denied)


def _is_stronger(sentence: str, like: str) -> bool:
    """Return whether a “must” stands where the lines have a “can”."""
    must, _ = _EXTENTS[-1]
    if len(must.findall(sentence)) <= len(must.findall(like)):
        return False
    return len(_CAN.findall(sentence)) < len(_CAN.findall(like))


def _turned_order(sentence: str, like: str) -> str:
    """Return what is wrong where two names have changed places."""
    if (" by " in sentence) != (" by " in like):
        return ""  # the passive voice turns them
    if _IMPORT.match(like):
        return ""  # “`Order` from `shop.models`” says the same
    spans = [s for s in names_in(sentence) if like.count(s) == 1 == sentence.count(s)]
    for one, other in pairwise(spans):
        between = sentence.partition(one)[2].partition(other)[0]
        is_listed = _IN_A_LIST.fullmatch(between) is not None
        if not is_listed and like.index(one) > like.index(other):
            return f"`{other}` and `{one}` stand the other way round in the lines"
    return ""


def _unseen_extent(sentence: str, text: str) -> str:
    """Return the “only” or the like of a sentence that the text does not say."""
    prose = CODE.sub(" ", sentence)
    for said, same in _EXTENTS:
        found = said.search(prose)
        if found and not same.search(text):
            return found.group()
    return ""


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

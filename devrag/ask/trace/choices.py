"""Which of several definitions is meant: questions that choose one, and replies: pure.

`invoke` is ambiguous, so a choice asks: How does `Context.invoke` reach `main`? Whoever
types instead may reply with as much as tells one from the others: `Context.invoke`, the
class alone, or the file, with any words around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils import translation
from django.utils.translation import gettext

from devrag.ask.trace.question import TraceEnd, read_endpoints
from devrag.search.api import is_japanese

_OTHER_DOTS = re.compile(r"::|->|#")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A definition that may be meant. name: qualified."""

    source: str
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate with the question that means it alone. end: what was ambiguous."""

    end: str
    candidate: Candidate
    question: str


def choices_of(question: str, found: Sequence[Candidate]) -> list[Choice]:
    """Return a choice for each candidate of an ambiguous question, in their order.

    Of a reply to such a question the choices are replies, too.
    """
    traced = read_endpoints(question)
    if traced is None:
        return [Choice("", each, f"`{name}`") for each, name in _precise(found)]
    of_end = [
        traced.end if _is_of(traced.end, traced.start, c) else traced.start
        for c in found
    ]
    choices = []
    for end in dict.fromkeys(of_end):
        own = [each for each, of in zip(found, of_end, strict=True) if of is end]
        for candidate, name in _precise(own):
            meant = TraceEnd(name, is_code=True)
            ends = (traced.start, meant) if end is traced.end else (meant, traced.end)
            choices.append(Choice(end.text, candidate, _ask(*ends, like=question)))
    return choices


def _is_of(one: TraceEnd, other: TraceEnd, candidate: Candidate) -> bool:
    return _likeness(one, candidate) > _likeness(other, candidate)


def _likeness(end: TraceEnd, candidate: Candidate) -> tuple[float, float]:
    """Return how similar a candidate's name is, alone and with its owner."""
    return (
        _ratio(_last(end.text), _last(candidate.name)),
        _ratio(_dotted(end.text), _dotted(candidate.name)),
    )


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _last(name: str) -> str:
    return _dotted(name).removesuffix("()").rpartition(".")[2]


def _dotted(name: str) -> str:
    return _OTHER_DOTS.sub(".", name.lower())


def _precise(found: Sequence[Candidate]) -> Iterator[tuple[Candidate, str]]:
    """Yield each candidate with as much of its place as tells it from the others."""
    names = Counter(each.name for each in found)
    places = Counter((each.path, each.name) for each in found)
    for each in found:
        if names[each.name] == 1:
            yield each, each.name
        elif places[each.path, each.name] == 1:
            yield each, f"{each.path}:{each.name}"
        else:
            yield each, f"{each.source}/{each.path}:{each.name}"


def _ask(start: TraceEnd, end: TraceEnd, *, like: str) -> str:
    with translation.override("ja" if is_japanese(like) else "en"):
        return gettext("How does %(start)s reach %(end)s?") % {
            "start": _written(start),
            "end": _written(end),
        }


def _written(end: TraceEnd) -> str:
    return f"`{end.text}`" if end.is_code else end.text


# -- replies -------------------------------------------------------------------------


def chosen_by(reply: str, candidates: Sequence[Candidate]) -> list[int]:
    """Return which candidates a reply names, none where it does not tell them apart."""
    text = _dotted(reply)
    named = _longest(
        (i, _dotted(each.name))
        for i, each in enumerate(candidates)
        if _has(text, _dotted(each.name))
    )
    if not named:
        owners = (
            (i, _dotted(c.name).rpartition(".")[0]) for i, c in enumerate(candidates)
        )
        named = _longest(
            (i, owner) for i, owner in owners if owner and _has(text, owner)
        )
    within = _longest(
        (i, _part_in(text, f"{each.source}/{each.path}".lower()))
        for i, each in enumerate(candidates)
    )
    both = [i for i in named if i in within]
    chosen = both or named or within
    return chosen if len(chosen) < len(candidates) else []


def _longest(found: Iterable[tuple[int, str]]) -> list[int]:
    """Return what is named by most letters: `Context.invoke` is no `invoke`."""
    pairs = [(i, len(name)) for i, name in found if name]
    most = max((length for _, length in pairs), default=0)
    return [i for i, length in pairs if length == most]


def _part_in(text: str, path: str) -> str:
    """Return the longest end of a path that a text has, its file name at least."""
    parts = path.split("/")
    ends = ("/".join(parts[i:]) for i in range(len(parts)))
    return next((end for end in ends if "." in end and _has(text, end)), "")


def _has(text: str, name: str) -> bool:
    """Return whether a text has a name as a whole; Japanese follows without a space."""
    whole = rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_]|\.[a-z0-9_])"
    return re.search(whole, text) is not None

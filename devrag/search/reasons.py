"""Why a hit is where it is, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext

from devrag.search.candidates import CandidateChunk
from devrag.search.lexical.analyser import analyse, as_written, tokenize
from devrag.search.lexical.stemming import other_forms, stem
from devrag.search.lexical.terms import counterparts
from devrag.search.query_intent import Question
from devrag.search.types import Hit

_TERMS = 8


def explain(hit: Hit) -> tuple[str, ...]:
    """Return the rules that applied, then the place in each list that brought it."""
    return (*hit.why, *_places(hit))


def _places(hit: Hit) -> list[str]:
    terms = "" if hit.matched_lines else terms_said(hit)
    places = []
    if hit.lexical_rank is not None:
        places.append(
            gettext("%(place)s in keyword search")
            % {"place": ordinal(hit.lexical_rank)}
        )
    if hit.semantic_rank is not None:
        places.append(
            gettext("%(place)s in semantic search")
            % {"place": ordinal(hit.semantic_rank)}
        )
    return [
        *places,
        *([gettext("contains %(terms)s") % {"terms": terms}] if terms else []),
    ]


def matched_terms(
    hit: Hit, question: Question, phrases: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the words of the question that the hit has, as its text writes them.

    phrases: where the text has one of them, its words count only there.
    """
    if question.is_name and (whole := _whole_name(question, hit.text)):
        return whole
    found_phrases = {
        written for phrase in phrases for written in _written(phrase, hit.text)
    }
    if found_phrases:
        within = {word for phrase in phrases for word in tokenize(phrase)}
        question = replace(question, words=question.words - within)
    there = set(analyse(f"{hit.path} {hit.heading} {hit.text}").split())
    found = [
        each
        for word in question.words
        for each in (word, *counterparts(word))
        if each in there or not there.isdisjoint(other_forms(each))
    ]
    return tuple(sorted({*as_written(found, hit.text), *found_phrases}))


def has_name(hit: Hit, question: Question) -> bool:
    """Return whether a text has the one name that was asked for, not within others."""
    return question.is_name and bool(_whole_name(question, hit.text))


def is_partial(hit: Hit | CandidateChunk, question: Question) -> bool:
    """Return whether a hit has only parts of the one name that was asked for.

    A name of one word has no parts: what lacks it may have another form of it.
    """
    text = f"{hit.path} {hit.heading} {hit.text}"
    has_parts = question.is_name and len(question.words) > 1
    return has_parts and not _whole_name(question, text)


def translated_terms(
    terms: Sequence[str], question: Question
) -> tuple[tuple[str, str], ...]:
    """Return the terms that the question has in the other language, with its word.

    Not those that it writes itself, in some form.
    """
    words = sorted(question.words)
    found = []
    for term in terms:
        stems = set(map(stem, tokenize(term)))
        if not stems.isdisjoint(question.stems):
            continue
        of = (w for w in words if not stems.isdisjoint(map(stem, counterparts(w))))
        if word := next(of, ""):
            found.append((term, word))
    return tuple(found)


def terms_said(hit: Hit, most: int = _TERMS) -> str:
    """Return the first matched terms as a list, with the asked word behind others."""
    asked = dict(hit.translated)
    return ", ".join(
        f"{term} ({asked[term]})" if term in asked else term
        for term in hit.matched_terms[:most]
    )


def _whole_name(question: Question, text: str) -> tuple[str, ...]:
    """Return the name that was asked for as a text writes it, if it does: not parts."""
    [name] = question.names
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    return (found[0],) if found else ()


def _written(phrase: str, text: str) -> list[str]:
    """Return a phrase as a text writes it, a piece for each of its lines."""
    words = map(re.escape, re.findall(r"\w+", phrase))
    found = re.search(r"\W+".join(words), text, re.IGNORECASE)
    if not found:
        return []
    return [line.strip() for line in found[0].splitlines() if line.strip()]

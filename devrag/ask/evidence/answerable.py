"""Whether the sources are about what a question asks, as far as words tell.

Measured on 64 questions that ten repositories do not answer and 174 that they do, by
words alone: of the ones .53 are seen, of the others .05 taken for such. A model sees
more, because it reads the passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.ask.asking_words import asks_only
from devrag.ask.evidence.retrieval import Retrieved, query_of
from devrag.ask.types import AskRequest
from devrag.search.api import (
    has_japanese_documents,
    is_foreign,
    is_japanese,
    missing_words,
    read_question,
)
from devrag.search.types import Hit

# Below this likelihood of the best result, one word that is nowhere decides; and where
# that many of the words are nowhere, below the other.
_UNLIKELY = 0.2
_MOSTLY, _UNLIKELY_OF_MOST = 0.4, 0.4


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether something in the sources is about a question, and what to say of it."""

    is_found: bool
    notes: tuple[str, ...] = ()


def judge_answerable(request: AskRequest, text: str, retrieved: Retrieved) -> Judged:
    """Return whether the sources are about a question, as far as words tell.

    text: the question with its subject. Words of a language that the sources are not
    written in tell nothing: there meaning decides alone, except for names.
    """
    if request.scope.lines is not None:
        return Judged(is_found=True)
    hits = retrieved.hits
    query = query_of(request, text)
    missing = missing_words(query)
    if hits and is_foreign(text):
        return _judge_foreign(text, missing, retrieved)
    if missing and is_japanese(text) and not has_japanese_documents(query):
        # English sources: the table of terms does not know each word they may use.
        missing = tuple(word for word in missing if word.isascii())
    said = explain_missing(text, missing, hits)
    is_found = retrieved.is_found and not said
    said = said or ("" if is_found else retrieved.missing_note)
    return Judged(is_found, (said,) if said else ())


def _judge_foreign(text: str, missing: Sequence[str], retrieved: Retrieved) -> Judged:
    """Return whether names and meaning fit; that other words are nowhere is usual."""
    names = [name for name in read_question(text).names if name in missing]
    notes = [_say(names)] if names else []
    is_mostly = _share(missing, text) >= _MOSTLY
    if is_mostly:
        notes.append(
            gettext(
                "The question is neither in English nor in Japanese, and most of its "
                "words do not occur in the sources. The passages were selected by "
                "meaning."
            )
        )
    is_near = is_mostly or retrieved.is_found
    return Judged(is_found=is_near and not names, notes=tuple(notes))


def explain_missing(text: str, missing: Sequence[str], hits: Sequence[Hit]) -> str:
    """Return what of a question is nowhere in the sources, '' where it is answerable.

    missing: its words that are nowhere. hits: results, best first.
    """
    names = [name for name in read_question(text).names if name in missing]
    if names:
        return _say(names)
    missing = [word for word in missing if not asks_only(word)]
    is_mostly = _share(missing, text) >= _MOSTLY
    least = _UNLIKELY_OF_MOST if is_mostly else _UNLIKELY
    is_unlikely = not hits or hits[0].score < least
    return _say(missing) if missing and is_unlikely else ""


def _share(missing: Sequence[str], text: str) -> float:
    return len(missing) / max(1, len(read_question(text).words))


def _say(words: Sequence[str]) -> str:
    listed = gettext(", ").join(gettext("“%(text)s”") % {"text": w} for w in words)
    return gettext("Not found in the sources: %(words)s.") % {"words": listed}

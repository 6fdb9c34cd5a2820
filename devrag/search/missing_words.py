"""Words of a question that stand nowhere in what it asks."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext

from devrag.search.confidence import FindWords
from devrag.search.lexical.analyser import as_written, tokenize
from devrag.search.lexical.terms import counterparts
from devrag.search.query_intent import Question

_MOST_WORDS = 24
_MOSTLY = 0.5  # of the words that decide


def find_missing(
    question: Question, find_words: FindWords, known: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the words and names of a question that no text in its scope has.

    Names are looked for as they are written; a word that the other language has, by the
    table of terms, is not missing. Without an index nothing is. known: words that are
    there.
    """
    names = {name.lower(): name for name in question.names}
    words = sorted(question.words - set(names) - set(known))[:_MOST_WORDS]
    asked = {word: (word, *counterparts(word)) for word in words}
    asked |= {name: (name,) for name in names if name not in known}
    wanted = {form for forms in asked.values() for form in forms}
    found = find_words(wanted)
    if found is None:
        return ()
    missing = [word for word, forms in asked.items() if set(forms).isdisjoint(found)]
    return tuple(names.get(word, word) for word in missing)


def explain_missing(
    text: str, question: Question, find_words: FindWords, known: Collection[str]
) -> tuple[str, ...]:
    """Return a note on missing words where they are at least half of those that decide.

    known: words that the hits have.
    """
    found = find_missing(question, find_words, known)
    names = {name for name in found if name in question.names}
    parts = {part for name in names for part in tokenize(name)} - set(
        map(str.lower, names)
    )
    deciding = question.deciding_words - parts
    missing = [word for word in found if word.lower() in deciding]
    if not missing or len(missing) < _MOSTLY * len(deciding):
        return ()
    written = [word for each in missing for word in sorted(as_written({each}, text))]
    named = gettext(", ").join(gettext("“%(text)s”") % {"text": w} for w in written)
    return (gettext("Not found in the sources: %(words)s.") % {"words": named},)

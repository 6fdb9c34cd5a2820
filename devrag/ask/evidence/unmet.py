"""Words of a question that the sources do not have, or not where its others are.

Where no model reads the passages, shared words are no answer: “2025” stands in a date,
“download” in a manual, and neither tells the number of downloads in 2025. Words that
are rare, proper names, numbers and loan words decide; verbs and words that are
everywhere do not, because sources may say these in other words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from django.utils.translation import gettext

from devrag.ask.evidence.retrieval import query_of
from devrag.ask.quotations import read_blocks
from devrag.ask.reasons import AskedWord, read_words
from devrag.ask.types import AskRequest, Evidence, Passage
from devrag.search.api import (
    as_written,
    count_words,
    has_japanese_documents,
    is_foreign,
    read_question,
)

# A question is met by the passage that has most of what its words say (rare words say
# more), or most of its words.
_LEAST_SAID, _LEAST_WORDS = 0.35, 0.6
# In so many passages at most a word is rare, and a name.
_RARE, _RARE_NAME = 9, 30
_MOST_OTHERS = 2
_VERB = 0.2
_INFLECTED = re.compile("[\u3041-\u309f]$")
_KATAKANA = re.compile("[\u30a1-\u30fe]{3,}")
# Names with a number and versions, which stand as they are or not at all.
_EXACT = re.compile(
    r"(?<![\w./])(?:[A-Za-z]{1,20}[/-]?\d{1,4}(?:\.\d{1,4})?|\d{1,4}(?:\.\d{1,4}){1,3})"
    r"(?![\w/]|\.\d)",
    re.ASCII,
)
_RUNS = re.compile(r"[a-z]+|\d+(?:\.\d+)*")
_PROPER = re.compile(r"(?<=[\w,] )[A-Z][A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Unmet:
    """What keeps a question from being answered.

    words: those that are nowhere, or one that is nowhere near `others`.
    is_only_in_examples: they occur, but in nothing that is about them.
    """

    words: tuple[str, ...]
    others: tuple[str, ...] = ()
    is_only_in_examples: bool = False


def find_unmet(request: AskRequest, evidence: Evidence) -> Unmet | None:
    """Return which words of a question its passages do not have, None where they do.

    A question that names definitions or compares is answered by these. Queries: ≤ 3.
    """
    question = request.question
    is_met = evidence.named or evidence.sides or request.history
    if is_met or request.scope.lines or is_foreign(question):
        return None
    words = telling_words(question, evidence.passages)
    if not words:
        return None
    query = query_of(request, question)
    counts = count_words(query, [each.text for each in words])
    if not counts:
        return None
    has_japanese = has_japanese_documents(query)
    known = [each for each in words if has_japanese or _is_decidable(each)]
    missing = [each for each in known if not counts[each.text]]
    if unmet := judge_words(question, words, counts, missing, evidence.passages):
        return unmet
    if known == words and _is_only_in_examples(words, evidence.passages):
        return Unmet(written_words(question, words), is_only_in_examples=True)
    return None


def explain_unmet(unmet: Unmet) -> str:
    """Return that the sources do not answer a question, and which words tell that."""
    if unmet.is_only_in_examples:
        said = gettext("The sources do not answer this: nothing is about %(words)s.")
        return said % {"words": _listed(unmet.words)}
    if not unmet.others:
        said = gettext("The sources do not answer this: nothing mentions %(words)s.")
        return said % {"words": _listed(unmet.words)}
    said = gettext(
        "The sources do not answer this: nothing mentions %(words)s together with "
        "%(others)s."
    )
    return said % {"words": _listed(unmet.words), "others": _listed(unmet.others)}


def _listed(words: Iterable[str]) -> str:
    quoted = (gettext("“%(text)s”") % {"text": each} for each in words)
    return gettext(", ").join(quoted)


def telling_words(question: str, passages: Iterable[Passage]) -> list[AskedWord]:
    """Return the words that say what a question is about, a name without its parts."""
    own = {name.lower() for each in passages for name in (each.product, each.source)}
    return [each for each in read_words(question).telling if each.text not in own]


def judge_words(
    question: str,
    words: Sequence[AskedWord],
    counts: Mapping[str, int],
    missing: Sequence[AskedWord],
    passages: Sequence[Passage],
) -> Unmet | None:
    """Return what is not met. counts: passages of the index that have each word."""
    texts = [f"{p.path}\n{p.title}\n{p.text}" for p in passages]
    if exact := _missing_exact(question, texts):
        return Unmet(exact)
    stems = [read_question(text).stems for text in texts]
    found = [[word for word in words if word.is_in(own)] for own in stems]
    if named := [each for each in missing if _is_proper_name(each, question)]:
        return Unmet(written_words(question, named))
    if missing and not _is_met(words, counts, found):
        return Unmet(written_words(question, missing))
    return _name_alone(question, words, counts, list(zip(found, passages, strict=True)))


def _is_only_in_examples(
    words: Sequence[AskedWord], passages: Iterable[Passage]
) -> bool:
    """Return whether no passage has one of the words but in an example of a document.

    There `initdb` may be any command's name.
    """
    texts = (f"{e.path}\n{e.title}\n{_without_examples(e)}" for e in passages)
    stems = read_question("\n".join(texts)).stems
    return not any(word.is_in(stems) for word in words)


def _without_examples(passage: Passage) -> str:
    if passage.kind != "documentation":
        return passage.text
    blocks = (each for each in read_blocks(passage.text) if each.kind != "code")
    return "\n".join(each.text for each in blocks)


def _name_alone(
    question: str,
    words: Sequence[AskedWord],
    counts: Mapping[str, int],
    found: Sequence[tuple[Sequence[AskedWord], Passage]],
) -> Unmet | None:
    """Return a rare name that no passage has together with what is asked of it.

    A name may stand in the path: that of a document of rules is on all rules.
    found: passages with the words that each has.
    """
    for word in words if len(words) > 1 else ():
        if not _is_rare_name(word, counts[word.text], question):
            continue
        others = [each for each in words if each != word]
        if all(_INFLECTED.search(each.text) for each in others):
            continue  # nothing is asked of it but when or how
        texts = [f"{p.title}\n{p.text}" for has, p in found if word in has]
        stems = [read_question(text).stems for text in texts]
        if not any(each.is_in(own) for each in others for own in stems):
            others.sort(key=lambda each: counts[each.text])
            of_others = written_words(question, others[:_MOST_OTHERS])
            return Unmet(written_words(question, [word]), of_others)
    return None


def _is_met(
    words: Sequence[AskedWord],
    counts: Mapping[str, int],
    found: Iterable[Sequence[AskedWord]],
) -> bool:
    """Return whether a passage has most words, or most of what they say."""
    nouns = [each for each in words if not _INFLECTED.search(each.text)] or words
    worth = {each: _worth(each, counts[each.text]) for each in words}
    total = sum(worth.values())
    return any(
        sum(each in nouns for each in there) >= _LEAST_WORDS * len(nouns)
        or sum(worth[each] for each in there) >= _LEAST_SAID * total
        for there in found
    )


def _worth(word: AskedWord, count: int) -> float:
    rarity = 1 / (1 + log(1 + count))
    return rarity * _VERB if _INFLECTED.search(word.text) else rarity


def _is_decidable(word: AskedWord) -> bool:
    """Return whether a word that is nowhere is missing from English sources, too.

    The table of terms does not know all Japanese words; loan words it should.
    """
    return word.text.isascii() or _KATAKANA.fullmatch(word.text) is not None


def _is_rare_name(word: AskedWord, count: int, question: str) -> bool:
    """Return whether a word is a number, a rare name or a rare loan word."""
    if len(word.text) >= 4 and word.text.isdecimal():
        return True
    is_loan = count <= _RARE and _KATAKANA.fullmatch(word.text) is not None
    return is_loan or (count <= _RARE_NAME and _is_proper_name(word, question))


def _is_proper_name(word: AskedWord, question: str) -> bool:
    """Return whether a question writes a word as a name, which has no other words."""
    is_latin = word.text.isascii() and not question.isascii()
    proper = {each.lower() for each in _PROPER.findall(question)}
    return is_latin or word.text in proper


def _missing_exact(question: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names with numbers that no text has, however it separates them."""
    whole = "\n".join(texts).lower()
    return tuple(
        written
        for written in dict.fromkeys(_EXACT.findall(question))
        if not re.search(_spelt(written), whole)
    )


def _spelt(written: str) -> str:
    """Return a pattern for a name: `HTTP/3` may stand as `http3`, but not `http30`."""
    runs = map(re.escape, _RUNS.findall(written.lower()))
    return rf"(?<![a-z0-9]){'[ _/.-]?'.join(runs)}(?![0-9])"


def written_words(question: str, words: Sequence[AskedWord]) -> tuple[str, ...]:
    """Return words as a question writes them, Japanese ones that follow as one."""
    text = unicodedata.normalize("NFKC", question)
    groups: list[list[AskedWord]] = [[each] for each in words[:1]]
    for last, each in pairwise(words):
        is_next = last.end == each.start and not text[last.start : each.end].isascii()
        if is_next and _is_whole(last):
            groups[-1].append(each)
        else:
            groups.append([each])
    return tuple(_spell(group, text) for group in groups)


def _spell(group: Sequence[AskedWord], text: str) -> str:
    if all(map(_is_whole, group)):
        return text[group[0].start : group[-1].end]
    return "".join(min(as_written({each.text}, text)) for each in group)


def _is_whole(word: AskedWord) -> bool:
    return word.end - word.start == len(word.text)

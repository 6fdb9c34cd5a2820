"""Whether an answer has what was asked for, or only what is nearest to it.

Every question has nearest texts: cosines of unrelated ones lie close below those of
right answers. So words decide first. A name must stand somewhere as it is written; of a
question at least one word that means something must. Where no word does, as for a
Japanese question about English code, the dictionary must know a word of it and meaning
must be near enough; where there are Japanese texts, none of them is about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from devrag.search.foreign import is_foreign
from devrag.search.lexical.analyser import has_known_word, tokenize
from devrag.search.query_intent import Question, name_parts
from devrag.search.types import Confidence

_MOST_WORDS = 16
# Some stand in a few Japanese comments, most of them in Japanese documents.
_COMMON_JAPANESE = (
    *("場合", "使用", "設定", "処理", "必要", "利用", "指定", "確認", "実行", "方法"),
)
_MANY_COMMON = 6
# Of what the words of a question say, by how rare each is, one text has to have.
_ENOUGH = 0.5
# Which of these words are in the index, within the question's filters; None: no index.
FindWords = Callable[[Collection[str]], Collection[str] | None]


@dataclass(frozen=True, slots=True)
class Floors:
    """Cosines of the best text. near: from here on it may answer a question that shares
    no word with it. far: below, it has nothing to do with it. sure: below, no text that
    has less than half of what the words say was seen to answer it.
    """

    near: float
    far: float
    sure: float


# By embedding model. Measured on sets of benchmarks/data: of 239 questions for a
# function 3 % have a best text below .786 and none below .766, of words that are none
# three of four are below .788 and one of four below .765; see docs/guide/search.md.
FLOORS: Mapping[str, Floors] = {
    "multilingual-e5-small-code": Floors(near=0.785, far=0.765, sure=0.79),
    "multilingual-e5-small": Floors(near=0.835, far=0.815, sure=0.84),
}


def judge(
    text: str,
    question: Question,
    shown: Collection[str],
    find_words: FindWords,
    find_cosine: Callable[[], tuple[float, Floors] | None],
    share: float = 1.0,
    *,
    is_by_words: bool = False,
) -> Confidence:
    """Return how far to trust an answer that has hits.

    share: of what the words say, the most that one text has. is_by_words: meaning was
    asked as well, but did not answer.
    """
    confidence = _judge_words(text, question, shown, find_words, find_cosine)
    if confidence != "high" or question.is_name or share >= _ENOUGH:
        return confidence
    nearest = find_cosine()
    is_near = nearest is None or nearest[0] >= nearest[1].sure
    is_near = is_near and not is_by_words
    return "high" if is_near else "low"


def _judge_words(
    text: str,
    question: Question,
    shown: Collection[str],
    find_words: FindWords,
    find_cosine: Callable[[], tuple[float, Floors] | None],
) -> Confidence:
    """Return how far to trust hits that may have one of the words.

    shown: words of the question that the hits have: only for others is the index asked.
    find_cosine: of the best text, with the floors of its model; None where meaning was
    not asked or no floor is known. Asked only where no word decides.
    """
    deciding = question.deciding_words
    if _is_there(text, shown) if question.is_name else deciding & set(shown):
        return "high"
    asked = _asked_words(text, question)
    found = find_words(asked) if question.is_name else _find_one(asked, find_words)
    if found is None:
        return "high"
    if question.is_name:
        if _is_there(text, found):
            return "high"
        return "low" if found else _by_meaning(find_cosine(), best="low")
    if found:
        return "high"
    if is_foreign(text):
        # No floor was measured for other languages: what is nearest is shown as that.
        return "low"
    # A Japanese question may well be answered by English code, also by a model whose
    # floor nobody measured; English words that are nowhere are of something else.
    is_told = has_known_word(text) and not _has_japanese(find_words)
    best: Confidence = "high" if is_told else "low"
    return _by_meaning(find_cosine(), best=best)


def _by_meaning(
    nearest: tuple[float, Floors] | None, *, best: Confidence
) -> Confidence:
    """Return `best` unless meaning is too far from everything."""
    if nearest is None:
        return best
    cosine, floors = nearest
    if cosine >= floors.near:
        return best
    return "low" if cosine >= floors.far else "none"


def _asked_words(text: str, question: Question) -> list[str]:
    if question.is_name:
        return list(dict.fromkeys(tokenize(text)))[:_MOST_WORDS]
    return sorted(question.deciding_words)[:_MOST_WORDS]


def _has_japanese(find_words: FindWords) -> bool:
    """Return whether the index holds Japanese texts."""
    return len(find_words(_COMMON_JAPANESE) or ()) >= _MANY_COMMON


def _find_one(words: Collection[str], find_words: FindWords) -> Collection[str] | None:
    """Return one word that is in the index; None without words or index."""
    found: Collection[str] | None = None
    for word in words:
        found = find_words([word])
        if found or found is None:
            break
    return found


def _is_there(name: str, found: Collection[str]) -> bool:
    """Return whether each part of a dotted name stands somewhere as a whole."""
    return all(part in found for part in name_parts(name))

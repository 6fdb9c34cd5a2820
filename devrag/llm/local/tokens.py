"""Text to token ids, as XLM-RoBERTa's SentencePiece unigram model does it.

Written here because the usual library holds this vocabulary in 280 MB and takes a
second to load it; this takes 35 MB and 0.3 s, in each process that answers queries.
Source: Kudo 2018, "Subword Regularization", section 3.2 (Viterbi over a unigram model).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

from devrag.core.text import clean_text
from devrag.llm.local.weights import Vocabulary

_WORD_START = "\u2581"
_MASK = "<mask>"
_UNKNOWN_PENALTY = 10.0
# Long words (Japanese sentences, base64) seldom come back: keep them out of the cache.
_CACHED_LENGTH = 40
_CACHED_WORDS = 32_768

Ids = Sequence[int]


class Tokens:
    """The vocabulary of one model, ready to cut text. Safe to share by threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._pieces = vocabulary.pieces
        self._characters = vocabulary.characters
        self._begin, self._end = vocabulary.begin, vocabulary.end
        self._unknown = vocabulary.unknown
        self._ids = _text_pieces(vocabulary)
        self._scores = array("d", vocabulary.scores.tolist())
        self._reach = _reach(self._ids)
        worst = min(self._scores[piece] for piece in self._ids.values())
        self._unknown_score = worst - _UNKNOWN_PENALTY
        self._cached = lru_cache(_CACHED_WORDS)(self._cut)

    def encode(self, text: str) -> list[int]:
        """Return the ids of the text alone, without any special token."""
        ids: list[int] = []
        for word in clean_text(text).translate(self._characters).split():
            cut = self._cached if len(word) <= _CACHED_LENGTH else self._cut
            ids.extend(cut(word))
        return ids

    def wrap(self, ids: Ids) -> list[int]:
        """Put the ids between the tokens that begin and end a sequence."""
        return [self._begin, *ids, self._end]

    def decode(self, ids: Ids) -> str:
        """Return text that these ids stand for; unknown characters are lost."""
        known = (self._pieces[i] if i != self._unknown else "\ufffd" for i in ids)
        return "".join(known).replace(_WORD_START, " ").strip()

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the most probable pieces of one word."""
        marked = _WORD_START + word
        size = len(marked)
        best = [0.0] + [-math.inf] * size
        back = [(0, self._unknown)] * (size + 1)
        for start in range(size):
            base = best[start]
            if base + self._unknown_score > best[start + 1]:
                best[start + 1] = base + self._unknown_score
                back[start + 1] = (start, self._unknown)
            reach = self._reach.get(marked[start : start + 2], 1)
            for end in range(start + 1, min(size, start + reach) + 1):
                piece = self._ids.get(marked[start:end])
                if piece is not None and base + self._scores[piece] > best[end]:
                    best[end] = base + self._scores[piece]
                    back[end] = (start, piece)
        return self._trace(back)

    def _trace(self, back: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Follow the best path to its start; a run of unknowns is one token."""
        ids: list[int] = []
        at = len(back) - 1
        while at:
            at, piece = back[at]
            if piece != self._unknown or ids[-1:] != [piece]:
                ids.append(piece)
        return tuple(reversed(ids))


def _text_pieces(vocabulary: Vocabulary) -> dict[str, int]:
    """Return piece → id without control tokens: no text may spell those."""
    control = {vocabulary.begin, vocabulary.end, vocabulary.padding, vocabulary.unknown}
    return {
        piece: index
        for index, piece in enumerate(vocabulary.pieces)
        if index not in control and piece != _MASK
    }


def _reach(pieces: Iterable[str]) -> dict[str, int]:
    """Return the length of the longest piece for each two first characters.

    It saves most look-ups: few pieces go on long after "_(" or a kanji.
    """
    reach: dict[str, int] = {}
    for piece in pieces:
        start = piece[:2]
        reach[start] = max(len(piece), reach.get(start, 0))
    return reach

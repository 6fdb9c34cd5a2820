"""How much a text is like each of many others, by the words that few of them have."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence


class LikenessIndex:
    """Compares texts with those that it holds: cosine similarity of rare words."""

    def __init__(self, texts: Sequence[Mapping[str, int]]) -> None:
        """texts: word → how often it stands there."""
        used = Counter(word for words in texts for word in words)
        self._rarity = {w: math.log(1 + len(texts) / n) for w, n in used.items()}
        self._holders: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, words in enumerate(texts):
            for word, weight in self._weighed(words).items():
                self._holders[word].append((number, weight))

    def likeness(self, words: Mapping[str, int]) -> dict[int, float]:
        """Return number of a text → how much it is like these words, 0 to 1."""
        found: dict[int, float] = defaultdict(float)
        for word, weight in self._weighed(words).items():
            for number, other in self._holders.get(word, ()):
                found[number] += weight * other
        return found

    def _weighed(self, words: Mapping[str, int]) -> dict[str, float]:
        found = {
            word: (1 + math.log(count)) * self._rarity[word]
            for word, count in words.items()
            if word in self._rarity
        }
        length = math.sqrt(sum(v * v for v in found.values())) or 1.0
        return {word: value / length for word, value in found.items()}

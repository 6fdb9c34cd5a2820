"""Learn from translated documents which Japanese and English words mean the same.

    python scripts/japanese_terms.py FOLDER...

FOLDER holds `.po` files: English texts with their Japanese translations. The shipped
table was learned from the documentation of Python (github.com/python/python-docs-ja,
PSF-2.0) and Django (github.com/django/django-docs-translations, branch stable/5.1.x,
BSD-3-Clause). A word pair is kept when each of the two predicts the other.
source: Brown et al. 1993, IBM model 1, in both directions.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.pofile import read_po

from devrag.search.lexical.analyser import STOP_WORDS, tokenize
from devrag.search.lexical.stemming import stem

Pair = tuple[tuple[str, ...], tuple[str, ...]]
Table = dict[str, dict[str, float]]

_MARKUP = re.compile(
    r"``[^`]*``|:[\w:+-]+:`[^`]*`|`[^`]*`_*|<[^>]*>|https?://\S+|\|\w+\|"
)
_ENGLISH = re.compile(r"[a-z]+")
_LATIN = re.compile(r"[A-Za-z]+")
# Adverbs and the like are written in hiragana alone.
_TERM = re.compile("[\u30a1-\u30fa\u3400-\u9fff]")
_LONGEST = 40
_ROUNDS = 5
_LEAST_SEEN = 4
_UNSEEN, _LEAST_SHARE = 1e-6, 1e-3
_LEAST_AGREEMENT = 0.2
_LEAST_OF_BEST = 0.4
_MOST_WORDS = 3
_MIN_LETTERS = 3


def read_pairs(folders: Sequence[Path], written: Counter[str]) -> Iterator[Pair]:
    """Yield the words of each text: the Japanese ones, the stems of the English ones.

    written: counts the English words, to name a stem by the most common one.
    """
    for folder in folders:
        for path in sorted(folder.rglob("*.po")):
            with path.open("rb") as file:
                catalog = read_po(file, locale="ja", ignore_obsolete=True)
            for message in catalog:
                if message.fuzzy or not isinstance(message.id, str):
                    continue
                pair = _read(message.id, str(message.string), written)
                if all(pair) and max(map(len, pair)) <= _LONGEST:
                    yield pair


def _read(english: str, japanese: str, written: Counter[str]) -> Pair:
    kept = {word.lower() for word in _LATIN.findall(japanese)}
    japanese = _MARKUP.sub(" ", japanese)
    words = [
        word
        for word in _ENGLISH.findall(_MARKUP.sub(" ", english).lower())
        if len(word) >= _MIN_LETTERS and word not in STOP_WORDS and word not in kept
    ]
    written.update(words)
    tokens = [each for each in tokenize(japanese) if _TERM.search(each)]
    return tuple(dict.fromkeys(tokens)), tuple(dict.fromkeys(map(stem, words)))


def align(pairs: Sequence[Pair]) -> Table:
    """Return how likely each first word is translated by which second ones."""
    table: Table = {}
    for _ in range(_ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for sources, targets in pairs:
            for target in targets:
                shares = [table.get(each, {}).get(target, _UNSEEN) for each in sources]
                total = sum(shares)
                for source, share in zip(sources, shares, strict=True):
                    counts[source][target] += share / total
        table = {source: _normalised(row) for source, row in counts.items()}
    return table


def _normalised(row: dict[str, float]) -> dict[str, float]:
    total = sum(row.values())
    return {
        word: count / total
        for word, count in row.items()
        if count > total * _LEAST_SHARE
    }


def agree(pairs: Sequence[Pair]) -> Iterator[tuple[str, list[str]]]:
    """Yield each Japanese word with the stems of its English ones, best first."""
    seen: Counter[str] = Counter(word for words, _ in pairs for word in words)
    seen_stems: Counter[str] = Counter(word for _, words in pairs for word in words)
    there = align(pairs)
    back = align([(english, japanese) for japanese, english in pairs])
    for word in sorted(there):
        if seen[word] < _LEAST_SEEN:
            continue
        found = [
            ((share * back.get(each, {}).get(word, 0.0)) ** 0.5, each)
            for each, share in there[word].items()
            if seen_stems[each] >= _LEAST_SEEN
        ]
        found.sort(reverse=True)
        least = max(_LEAST_AGREEMENT, _LEAST_OF_BEST * found[0][0]) if found else 1.0
        stems = [each for agreement, each in found if agreement >= least]
        if stems:
            yield word, stems[:_MOST_WORDS]


_HEAD = """\
# Japanese words and what they are called in English, by `scripts/japanese_terms.py`.
# Learned from the Japanese translations of the documentation of Python (PSF-2.0) and
# Django (BSD-3-Clause).
"""


def main() -> None:
    """Print the table that was learned from the folders named."""
    written: Counter[str] = Counter()
    pairs = list(read_pairs(list(map(Path, sys.argv[1:])), written))
    names: dict[str, str] = {}
    for word, _ in written.most_common():
        names.setdefault(stem(word), word)
    sys.stdout.write(_HEAD)
    for word, stems in agree(pairs):
        sys.stdout.write(f"{word}\t{' '.join(names[each] for each in stems)}\n")


if __name__ == "__main__":
    main()

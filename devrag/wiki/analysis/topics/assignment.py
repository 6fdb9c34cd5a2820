"""Gives each section of the documentation to the topic that it explains.

What a section names counts, and its words: those of a topic are the words of its names
and what its code says about itself.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.topics.words import STOP_WORDS

_WORD = re.compile(
    r"[^\W\d_\u3040-\u30ff\u4e00-\u9fff]{3,}|[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]{2,}"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_TITLE_WEIGHT = 4
_HOME_SHARE = 0.15
LEAST_SCORE = 0.15


def assign_sections(
    found: TopicInput,
    topics: Sequence[Topic],
    homes: Mapping[int, int],
    *,
    is_kept: bool = False,
    is_named_only: bool = False,
    sure: Collection[int] = (),
    least: float = LEAST_SCORE,
) -> dict[int, list[int]]:
    """Return topic → the sections of documents that belong to it.

    homes: section → the topic that its document was grouped with. is_kept: it stays
    there whatever it says now. is_named_only: without a home a section belongs where
    the files are that it names, whatever its words. sure: the sections that stay at
    home though others do not. least: how much a section has to say of its topic.
    """
    topic_of = {file.id: n for n, topic in enumerate(topics) for file in topic.files}
    profiles = [_profile(found, topic) for topic in topics]
    texts = [
        (" ".join((section.title, *section.above)), found.prose(section))
        for section in found.documents
    ]
    assigned: dict[int, list[int]] = defaultdict(list)
    for number, likeness in enumerate(similarities(profiles, texts)):
        score = {} if is_named_only else dict(enumerate(likeness))
        for file, share in found.mentions[number].items():
            if (topic := topic_of.get(file)) is not None:
                score[topic] = score.get(topic, 0.0) + share
        if (home := homes.get(number)) is not None:
            bonus = math.inf if is_kept or number in sure else _HOME_SHARE
            score[home] = score.get(home, 0.0) + bonus
        best = min(score, key=lambda n: (-score[n], n), default=None)
        if best is not None and score[best] >= least:
            assigned[best].append(number)
    return dict(assigned)


def _profile(found: TopicInput, topic: Topic) -> Counter[str]:
    """Return the words of a topic: its names, and what its code says."""
    words: Counter[str] = Counter()
    for file in topic.files:
        words.update(words_of(file.path.rpartition(".")[0]))
        for symbol in found.symbols.get(file.id, ()):
            words.update(words_of(symbol.name, symbol.docstring.split("\n\n")[0]))
    return words


def words_of(*texts: str) -> Counter[str]:
    """Return the words of texts, identifiers apart: `readFile` is `read`, `file`."""
    found: Counter[str] = Counter()
    for text in texts:
        words = map(str.lower, _WORD.findall(_HUMP.sub(" ", text)))
        found.update(_stem(word) for word in words if word not in STOP_WORDS)
    return found


def _stem(word: str) -> str:
    """Return a word without the endings of English plurals and verbs."""
    for ending in ("ing", "ies", "ers", "er", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def similarities(
    profiles: Sequence[Mapping[str, int]], texts: Iterable[tuple[str, str]]
) -> list[list[float]]:
    """Return for each (title, text) how much it resembles each profile, 0 to 1.

    Cosine similarity of words weighted by their rarity among the profiles.
    """
    used = Counter(word for profile in profiles for word in profile)
    rarity = {w: math.log(1 + len(profiles) / n) for w, n in used.items()}
    weighted = [_weighted(profile, rarity) for profile in profiles]
    found = []
    for title, text in texts:
        words = words_of(text)
        for word, count in words_of(title).items():
            words[word] += _TITLE_WEIGHT * count
        own = _weighted(words, rarity)
        found.append([_dot(own, each) for each in weighted])
    return found


def _weighted(
    words: Mapping[str, int], rarity: Mapping[str, float]
) -> dict[str, float]:
    found = {w: (1 + math.log(n)) * rarity[w] for w, n in words.items() if w in rarity}
    length = math.sqrt(sum(v * v for v in found.values())) or 1.0
    return {word: value / length for word, value in found.items()}


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)

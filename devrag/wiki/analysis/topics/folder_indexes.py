"""Gives the index of a folder of documents to the topic that the folder is about.

A short index names what it leads to, and things by the way; what it is about is what
the documents beside it are about.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from devrag.wiki.analysis.topics.material import TopicInput

_INDEXES = {"index", "_index"}
_SHARE = 2 / 3  # of the words beside an index, that one topic has
_FEWEST_BESIDE = 2  # documents


def with_indexes(
    found: TopicInput, assigned: Mapping[int, Sequence[int]]
) -> dict[int, list[int]]:
    """Return topic → its sections, those of short indexes where their folder is.

    assigned: topic → the sections of documents that it has.
    """
    topic_of = {n: topic for topic, numbers in assigned.items() for n in numbers}
    words: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    beside: dict[tuple[str, str], set[int]] = defaultdict(set)
    own: Counter[int] = Counter()
    for number, section in enumerate(found.documents):
        file = found.homes[section.file]
        if file.stem in _INDEXES:
            own[file.id] += section.words
        elif number in topic_of:
            place = file.source, file.directory
            words[place][topic_of[number]] += section.words
            beside[place].add(file.id)
    moved = dict(topic_of)
    for number in topic_of:
        file = found.homes[found.documents[number].file]
        place = file.source, file.directory
        is_index = file.stem in _INDEXES and len(beside[place]) >= _FEWEST_BESIDE
        if not is_index or own[file.id] >= words[place].total():
            continue
        topic, most = words[place].most_common(1)[0]
        if most >= _SHARE * words[place].total():
            moved[number] = topic
    told: dict[int, list[int]] = defaultdict(list)
    for number in sorted(moved):
        told[moved[number]].append(number)
    return dict(told)

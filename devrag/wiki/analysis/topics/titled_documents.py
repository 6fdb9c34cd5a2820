"""Which topic a whole document is about: by its title, or by most of what it says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.naming_terms import TYPE_KINDS
from devrag.wiki.analysis.topics.titles import stems_of
from devrag.wiki.analysis.topics.types import Topic

_TITLED_SHARE = 0.6  # of the words of a document's title
_MAIN_SHARE = 0.5  # of a document's words, in the topic that it is about


def homes_by_title(found: TopicInput, topics: Sequence[Topic]) -> dict[int, int]:
    """Return section → the topic that its document's title names.

    Most of its words are in the topic's title or are types of the topic. The samples of
    a document on options name decorators; it is on options all the same.
    """
    named = [_names_of(found, topic) for topic in topics]
    homes: dict[int, int] = {}
    for numbers in _by_document(found).values():
        first = found.documents[numbers[0]]
        title = stems_of(first.above[0] if first.above else first.title)
        shares = [len(title & own) / max(1, len(title)) for own in named]
        best = max(shares, default=0.0)
        if best >= _TITLED_SHARE:
            # Of several the first has to do with most others.
            homes |= dict.fromkeys(numbers, shares.index(best))
    return homes


def _names_of(found: TopicInput, topic: Topic) -> frozenset[str]:
    """Return the words of a topic's title, and its public types of one word."""
    types = {
        stem
        for file in topic.files
        for symbol in found.symbols.get(file.id, ())
        if symbol.kind in TYPE_KINDS and symbol.is_public
        if len(stems := stems_of(symbol.name)) == 1
        for stem in stems
    }
    return (stems_of(topic.title) - found.ignored) | types


def _by_document(found: TopicInput) -> dict[int, list[int]]:
    """Return document → its sections, READMEs left out: they are about all."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for number, section in enumerate(found.documents):
        if not found.homes[section.file].is_readme:
            numbers[section.file].append(number)
    return numbers


def without_general(
    found: TopicInput, topics: Sequence[Topic], titled: Mapping[int, int]
) -> list[Topic]:
    """Return topics without sections of documents that are about none of them.

    Of such a document no topic has most words.
    """
    words: dict[int, Counter[int]] = defaultdict(Counter)
    for place, topic in enumerate(topics):
        for section in topic.sections:
            words[section.file][place] += section.words
    totals = Counter[int]()
    for section in found.documents:
        totals[section.file] += section.words
    sure = {found.documents[number] for number in titled}
    general = {
        file
        for file, held in words.items()
        if max(held.values()) < _MAIN_SHARE * totals[file]
        and not found.homes[file].is_readme
    }
    return [
        replace(
            topic,
            sections=tuple(
                s for s in topic.sections if s in sure or s.file not in general
            ),
        )
        for topic in topics
    ]

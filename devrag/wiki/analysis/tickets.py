"""The open tickets of a product, and the topic that each is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from devrag.sources.api import DocumentFacts, read_document
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topic_documents import sections_of
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.likeness import LikenessIndex
from devrag.wiki.analysis.topics.mentions import MentionIndex, weigh_mentions

_MOST_TICKETS = 2000  # open ones of a product, the newest
_MOST_PLACES = 4000  # files and sections that tickets are compared with
_BEST_PLACES = 3  # of a topic, that count
_MENTIONED = 0.5  # of a ticket by a file or page of the topic, or the other way
_NAMED = 1.0
_OF_MEANING = 2.0
_FEWEST_TO_COMPARE = 6  # tickets whose vectors tell what is usual
_LEAST_SCORE = 0.15
_TITLE_WEIGHT = 4
_NUMBER = re.compile(r"^[^:]{0,30}[#!]\d+:\s*")
_STATED = re.compile(r"^[A-Z][\w ]{0,30}: \S")  # `Status: New`, above what is told

Scores = dict[int, float]


@dataclass(frozen=True, slots=True)
class Ticket:
    """An open ticket with what its tracker tells of it."""

    file: SurveyFile
    facts: DocumentFacts

    @property
    def subject(self) -> str:
        """Return the title without its number, and the labels."""
        return " ".join((_NUMBER.sub("", self.facts.title), *self.facts.labels))


@dataclass(frozen=True, slots=True)
class _Place:
    """What a ticket is compared with: a file of code, or a section of a document."""

    topic: int
    file: int
    words: Mapping[str, int]


@cached_by_analysis
def open_tickets(analysis: Analysis) -> tuple[Ticket, ...]:
    """Return the open tickets, the newest first."""
    found = []
    for file in analysis.with_role("ticket"):
        facts = read_document(analysis.texts.text(file.id))
        if facts is not None and not facts.is_closed:
            found.append(Ticket(file, facts))
    found.sort(key=lambda each: (each.facts.created, each.file.path), reverse=True)
    return tuple(found[:_MOST_TICKETS])


@cached_by_analysis
def tickets_of_topics(analysis: Analysis) -> Mapping[int, Sequence[Ticket]]:
    """Return topic → the open tickets about it, the newest first.

    A ticket is about the one topic whose code it names, whose words it uses, whose
    files mention it, and, once all vectors are there, whose texts mean about the same.
    One that is like none is about none.
    """
    tickets = open_tickets(analysis)
    if not tickets or not analysis.topics:
        return {}
    places = _places(analysis)
    blocks = [blocks_of_ticket(analysis, ticket.file) for ticket in tickets]
    told = (
        _by_words(places, tickets, blocks),
        _by_names(analysis, blocks),
        _by_mentions(analysis, tickets),
        _by_meaning(analysis, places, tickets),
    )
    found: dict[int, list[Ticket]] = defaultdict(list)
    for number, ticket in enumerate(tickets):
        score: Scores = defaultdict(float)
        for scores in told:
            for topic, value in scores[number].items():
                score[topic] += value
        best = min(score, key=lambda topic: (-score[topic], topic), default=None)
        if best is not None and score[best] >= _LEAST_SCORE:
            found[best].append(ticket)
    return dict(found)


def _places(analysis: Analysis) -> list[_Place]:
    """Return the files and sections of all topics, the files of the highest ranks."""
    places = []
    for index in range(len(analysis.topics)):
        for section in sections_of(analysis, index):
            inside = analysis.sections(analysis.files[section.file])
            blocks = [
                b for s in inside[section.first : section.last + 1] for b in s.blocks
            ]
            words = words_of(_prose(blocks))
            for word, count in words_of(section.title, *section.above).items():
                words[word] += _TITLE_WEIGHT * count
            places.append(_Place(index, section.file, words))
    files = ((index, f) for index, t in enumerate(analysis.topics) for f in t.files)
    ranked = sorted(files, key=lambda each: -analysis.file_rank[each[1].id])
    for index, file in ranked[: max(0, _MOST_PLACES - len(places))]:
        words = words_of(file.path.rpartition(".")[0])
        for symbol in analysis.symbols_of.get(file.id, ()):
            words.update(words_of(symbol.name, symbol.docstring.split("\n\n")[0]))
        places.append(_Place(index, file.id, words))
    return places


def blocks_of_ticket(analysis: Analysis, file: SurveyFile) -> list[DocumentBlock]:
    """Return what a ticket and its comments tell, without its list of properties."""
    blocks = [block for each in analysis.sections(file) for block in each.blocks]
    return [b for b in blocks if not (b.kind == "item" and _STATED.match(b.text))]


def _prose(blocks: Iterable[DocumentBlock]) -> str:
    return " ".join(block.text for block in blocks if block.kind != "code")


def _by_words(
    places: Sequence[_Place],
    tickets: Sequence[Ticket],
    blocks: Sequence[Sequence[DocumentBlock]],
) -> list[Scores]:
    index = LikenessIndex([place.words for place in places])
    found = []
    for ticket, own in zip(tickets, blocks, strict=True):
        words = words_of(_prose(own))
        for word, count in words_of(ticket.subject).items():
            words[word] += _TITLE_WEIGHT * count
        found.append(_by_topic(places, index.likeness(words)))
    return found


def _by_topic(places: Sequence[_Place], likeness: Mapping[int, float]) -> Scores:
    """Return topic → its score by the best of its places; each next one counts less."""
    held: dict[int, list[float]] = defaultdict(list)
    for place, value in likeness.items():
        held[places[place].topic].append(value)
    return {
        topic: sum(
            value / (1 + n)
            for n, value in enumerate(sorted(values, reverse=True)[:_BEST_PLACES])
        )
        for topic, values in held.items()
    }


def _by_names(
    analysis: Analysis, blocks: Sequence[Sequence[DocumentBlock]]
) -> list[Scores]:
    """Return for each ticket the shares of the topics whose code it names."""
    files = [f for f in analysis.with_role("code") if f.id in analysis.topic_of]
    index = MentionIndex(files, analysis.survey.symbols, analysis.survey.facts)
    weighed = weigh_mentions(index, [index.names_in(own) for own in blocks])
    found = []
    for shares in weighed:
        score: Scores = defaultdict(float)
        for file, share in shares.items():
            score[analysis.topic_of[file]] += _NAMED * share
        found.append(score)
    return found


def _by_mentions(analysis: Analysis, tickets: Sequence[Ticket]) -> list[Scores]:
    """Return for each ticket the topics of what mentions it or is mentioned in it."""
    topics: dict[int, set[int]] = defaultdict(set)
    for file, topic in analysis.topic_of.items():
        topics[file].add(topic)
    for index in range(len(analysis.topics)):
        for section in sections_of(analysis, index):
            topics[section.file].add(index)
    near: dict[int, Scores] = defaultdict(lambda: defaultdict(float))
    for file, document in analysis.survey.mentions:
        for ticket, other in ((document, file), (file, document)):
            for topic in topics[other]:
                near[ticket][topic] += _MENTIONED / len(topics[other])
    return [near[ticket.file.id] for ticket in tickets]


def _by_meaning(
    analysis: Analysis, places: Sequence[_Place], tickets: Sequence[Ticket]
) -> list[Scores]:
    """Return for each ticket how near topics are, beyond what is usual for both."""
    vectors = analysis.survey.vectors
    known = [n for n, ticket in enumerate(tickets) if ticket.file.id in vectors]
    files = list(dict.fromkeys(p.file for p in places if p.file in vectors))
    nothing: list[Scores] = [{} for _ in tickets]
    if len(known) < _FEWEST_TO_COMPARE or not files:
        return nothing
    own = np.stack([vectors[tickets[n].file.id] for n in known])
    near = _beyond_usual(own @ np.stack([vectors[file] for file in files]).T)
    column = {file: n for n, file in enumerate(files)}
    at = {n: column[p.file] for n, p in enumerate(places) if p.file in column}
    for row, number in zip(near, known, strict=True):
        likeness = {place: _OF_MEANING * float(row[n]) for place, n in at.items()}
        nothing[number] = _by_topic(places, likeness)
    return nothing


def _beyond_usual(near: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return similarities without what each text has with all others."""
    centred = near - near.mean(axis=0, keepdims=True)
    result: NDArray[np.float32] = centred - centred.mean(axis=1, keepdims=True)
    return result

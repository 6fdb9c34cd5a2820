"""Finds the topics of a product from its code and its documentation."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.survey import (
    SurveyFact,
    SurveyFile,
    SurveySymbol,
)
from devrag.wiki.analysis.topics.assignment import similarities, words_of
from devrag.wiki.analysis.topics.grouping import Group, Material, group_material
from devrag.wiki.analysis.topics.mentions import MentionIndex, weigh_mentions
from devrag.wiki.analysis.topics.titles import (
    Heading,
    distinctive_terms,
    fit_of_terms,
    is_title,
    plain_heading,
    spelt,
    support_of,
    terms_of_names,
    title_of_heading,
)
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

_FULL_SHARE = 0.5
_LEAST_SHARE = 0.12
_STEM_WEIGHT, _SYMBOL_WEIGHT, _FOLDER_WEIGHT = 0.8, 0.6, 1.0
_DIVIDED_WORDS = 2500  # a longer document is grouped section by section
_HOME_SHARE = 0.3
_LEAST_SCORE = 0.15
_DOCUMENT_WORDS = 250  # fewer words about no code make no page of their own
_TITLE_KINDS = {"class", "interface", "type", "enum", "function"}


@dataclass(frozen=True)
class TopicInput:
    """What topics are found in.

    files: code. given: topics that people named, with the files they chose. documents:
    the sections that explain the product. read: the sections of a document. homes: the
    files of documents by id. edges: file → file → number of uses. rank: file →
    importance. ignored: words of the product's own name.
    """

    files: Sequence[SurveyFile]
    given: Sequence[Topic]
    documents: Sequence[DocumentSection]
    read: Callable[[int], Sequence[Section]]
    homes: Mapping[int, SurveyFile]
    symbols: Mapping[int, Sequence[SurveySymbol]]
    facts: Sequence[SurveyFact]
    edges: Mapping[int, Mapping[int, float]]
    rank: Mapping[int, float]
    ignored: frozenset[str]

    @cached_property
    def mentions(self) -> list[dict[int, float]]:
        """Per section, the files that it talks about with their shares."""
        return self._weighed[: len(self.documents)]

    @cached_property
    def whole(self) -> list[list[int]]:
        """The documents as they are grouped: places of the sections of each."""
        by_file: dict[int, list[int]] = defaultdict(list)
        for number, section in enumerate(self.documents):
            by_file[section.file].append(number)
        found: list[list[int]] = []
        for numbers in by_file.values():
            words = sum(self.documents[n].words for n in numbers)
            is_readme = self.homes[self.documents[numbers[0]].file].is_readme
            is_divided = is_readme or words > _DIVIDED_WORDS
            found += [[n] for n in numbers] if is_divided else [numbers]
        return found

    @cached_property
    def mentions_of_whole(self) -> list[dict[int, float]]:
        """Per document as it is grouped, the files that it talks about."""
        return self._weighed[len(self.documents) :]

    @cached_property
    def _weighed(self) -> list[dict[int, float]]:
        own = [s for f in self.files for s in self.symbols.get(f.id, ())]
        index = MentionIndex(self.files, own, self.facts)
        named = [index.names_in(self.blocks(each)) for each in self.documents]
        whole = [sum((named[n] for n in numbers), Counter()) for numbers in self.whole]
        return weigh_mentions(index, [*named, *whole])

    def blocks(self, section: DocumentSection) -> list[DocumentBlock]:
        """Return the blocks below a heading, of those inside it, too."""
        inside = self.read(section.file)[section.first : section.last + 1]
        return [block for each in inside for block in each.blocks]


def find_topics(found: TopicInput) -> list[Topic]:
    """Return the topics that people named and those that are found beside them.

    A topic that is part of another comes after it.
    """
    topics = list(found.given)
    homes: dict[int, int] = {}
    for group in _groups(found):
        parent = len(topics)
        for each, above in ((group, None), *((part, parent) for part in group.parts)):
            homes |= {n: len(topics) for d in each.documents for n in found.whole[d]}
            topics.append(_topic(found, each, above))
    topics = with_sections(found, topics, homes)
    return _named(found, topics) + _documents_only(found, topics)


def _groups(found: TopicInput) -> list[Group]:
    taken = {file.id for topic in found.given for file in topic.files}
    firsts = [found.documents[numbers[0]] for numbers in found.whole]
    return group_material(
        Material(
            files=[file for file in found.files if file.id not in taken],
            edges=found.edges,
            mentions=found.mentions_of_whole,
            folders=[_home(found, section) for section in firsts],
        )
    )


def with_sections(
    found: TopicInput,
    topics: Sequence[Topic],
    homes: Mapping[int, int],
    *,
    is_kept: bool = False,
) -> list[Topic]:
    """Return the topics with the sections of documents that belong to each.

    homes: section → the topic that its document was grouped with. is_kept: it stays
    there whatever it says now.
    """
    placed = _placed(found, topics, homes, is_kept=is_kept)
    return [
        replace(topic, sections=tuple(found.documents[n] for n in placed.get(at, ())))
        for at, topic in enumerate(topics)
    ]


def _placed(
    found: TopicInput,
    topics: Sequence[Topic],
    homes: Mapping[int, int],
    *,
    is_kept: bool,
) -> dict[int, list[int]]:
    """Return topic → its sections, by what each names and by its words."""
    topic_of = {file.id: n for n, topic in enumerate(topics) for file in topic.files}
    profiles = [_profile(found, topic) for topic in topics]
    texts = [_text(found, section) for section in found.documents]
    placed: dict[int, list[int]] = defaultdict(list)
    for number, likeness in enumerate(similarities(profiles, texts)):
        score = dict(enumerate(likeness))
        for file, share in found.mentions[number].items():
            score[topic_of[file]] += share
        if number in homes:
            score[homes[number]] += math.inf if is_kept else _HOME_SHARE
        best = min(score, key=lambda n: (-score[n], n), default=None)
        if best is not None and score[best] >= _LEAST_SCORE:
            placed[best].append(number)
    return placed


def _home(found: TopicInput, section: DocumentSection) -> tuple[str, str]:
    file = found.homes[section.file]
    return file.source, file.directory


def _topic(found: TopicInput, group: Group, parent: int | None) -> Topic:
    """Return a group as a topic; what its parts hold is theirs."""
    held = {file for part in group.parts for file in part.files}
    files = {file.id: file for file in found.files}
    own = [files[i] for i in group.files if i not in held]
    return Topic("", tuple(own), (), parent)


def _text(found: TopicInput, section: DocumentSection) -> tuple[str, str]:
    blocks = found.blocks(section)
    title = " ".join((section.title, *section.above))
    return title, " ".join(b.text for b in blocks if b.kind != "code")


def _profile(found: TopicInput, topic: Topic) -> Counter[str]:
    """Return the words of a topic: its names, and what its code says."""
    words: Counter[str] = Counter()
    for file in topic.files:
        words += words_of(file.path.rpartition(".")[0])
        for symbol in found.symbols.get(file.id, ()):
            words += words_of(symbol.name, symbol.docstring.split("\n\n")[0])
    return words


def _documents_only(found: TopicInput, topics: Iterable[Topic]) -> list[Topic]:
    """Return a topic for each folder of documents that no code's topic has."""
    taken = {section for topic in topics for section in topic.sections}
    folders: dict[tuple[str, str], list[DocumentSection]] = defaultdict(list)
    for section in found.documents:
        file = found.homes[section.file]
        if section not in taken and not file.is_readme:
            home = _home(found, section)
            key = home if home[1].count("/") else (home[0], file.path)
            folders[key].append(section)
    alone = []
    for _, sections in sorted(folders.items()):
        if sum(section.words for section in sections) >= _DOCUMENT_WORDS:
            titles = [
                plain_heading(s.above[0] if s.above else s.title) for s in sections
            ]
            title = next(filter(is_title, titles), titles[0])
            alone.append(Topic(title, (), tuple(sections)))
    return alone


def _named(found: TopicInput, topics: list[Topic]) -> list[Topic]:
    """Give each topic a title that no other has."""
    terms = [_terms(found, topic, topics) for topic in topics]
    taken = {topic.title.casefold() for topic in topics if topic.title}
    named = []
    for place, topic in enumerate(topics):
        if topic.title:
            named.append(topic)
            continue
        candidates = _candidates(found, topic, topics, terms, place)
        title = next((t for t in candidates if t.casefold() not in taken), "")
        number = 2
        while not title or title.casefold() in taken:
            title = f"{candidates[0]} ({number})"
            number += 1
        taken.add(title.casefold())
        named.append(replace(topic, title=title))
    return named


def _candidates(
    found: TopicInput,
    topic: Topic,
    topics: Sequence[Topic],
    terms: Sequence[Mapping[str, float]],
    place: int,
) -> list[str]:
    """Return titles for a topic, the best first; at least one."""
    fit = fit_of_terms(terms, place, found.ignored)
    heading, score = title_of_heading(_headings(found, topic, topics, place, fit))
    best = distinctive_terms(fit)
    by_terms = [spelt(term) for term in best[:1]]
    if len(best) > 1 and terms[place][best[1]] >= _LEAST_SHARE:
        both = f"{spelt(best[0])} and {spelt(best[1], is_first=False)}"
        is_clear = terms[place][best[0]] >= _FULL_SHARE
        by_terms.insert(1 if is_clear else 0, both)
    is_better = bool(best) and score < fit[best[0]]
    headings = [heading] if heading else []
    rest = [spelt(f.stem.strip("_").replace("_", " ")) for f in topic.files[:1]]
    named = [*by_terms, *headings] if is_better else [*headings, *by_terms]
    return [*named, *rest, "Other code"]


def _headings(
    found: TopicInput,
    topic: Topic,
    topics: Sequence[Topic],
    place: int,
    fit: Mapping[str, float],
) -> list[Heading]:
    """Return the headings of a topic's documents with what they cover of it."""
    own = [*topic.files, *(f for t in topics if t.parent == place for f in t.files)]
    weight = {file.id: found.rank.get(file.id, 0.0) * (1 + file.lines) for file in own}
    total = sum(weight.values()) or 1.0
    numbers = {section: n for n, section in enumerate(found.documents)}
    headings: list[Heading] = []
    for section in topic.sections:
        shares = found.mentions[numbers[section]]
        cover = sum(weight[f] for f in shares if f in weight) / total
        focus = sum(share for f, share in shares.items() if f in weight)
        for text in (section.title, *section.above[:1]):
            support = support_of(text, fit)
            headings.append(Heading(text, cover, focus, support))
    return headings


def _terms(
    found: TopicInput, topic: Topic, topics: Sequence[Topic]
) -> dict[str, float]:
    """Return term → share of the topic whose names bear it."""
    place = topics.index(topic)
    inside = [f for t in topics if t.parent == place for f in t.files]
    files = [*topic.files, *inside]
    total = sum(file.lines + 1 for file in files) or 1
    shares: dict[str, float] = defaultdict(float)
    for file in files:
        for term, share in _terms_of_file(found, file).items():
            shares[term] += share * (file.lines + 1) / total
    return shares


def _terms_of_file(found: TopicInput, file: SurveyFile) -> dict[str, float]:
    """Return term → how clearly the file bears it, at most 1."""
    folders = file.directory.split("/")[-2:]
    symbols = [
        s.name
        for s in found.symbols.get(file.id, ())
        if s.kind in _TITLE_KINDS and not s.name.startswith("__")
    ]
    shares: dict[str, float] = defaultdict(float)
    for term in terms_of_names((folder, 1.0) for folder in folders):
        shares[term] = _FOLDER_WEIGHT
    for term in terms_of_names([(file.stem, 1.0)]):
        shares[term] = max(shares[term], _STEM_WEIGHT)
    each = 1.0 / len(symbols) if symbols else 0.0
    for term, share in terms_of_names((name, each) for name in symbols).items():
        shares[term] = min(1.0, max(shares[term], 0.0) + _SYMBOL_WEIGHT * share)
    return shares

"""Finds the topics of a product from its code and its documentation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from devrag.wiki.analysis.topics.assignment import LEAST_SCORE, assign_sections
from devrag.wiki.analysis.topics.folder_indexes import with_indexes
from devrag.wiki.analysis.topics.grouping import Group, Grouping
from devrag.wiki.analysis.topics.material import TopicInput
from devrag.wiki.analysis.topics.modules import module_groups
from devrag.wiki.analysis.topics.naming import TITLES_OF_PAGES, name_topics
from devrag.wiki.analysis.topics.ties import Material
from devrag.wiki.analysis.topics.titled_documents import (
    homes_by_title,
    without_general,
)
from devrag.wiki.analysis.topics.titles import is_title, plain_heading, stems_of
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

__all__ = ["TopicInput", "documents_only", "find_topics", "with_sections"]

_DOCUMENT_WORDS = 250  # fewer words about no code make no page of their own
_MOST_BUNDLES = 20
_SAME_FILES = 0.3  # Jaccard similarity of what two documents talk about
_CLEAR_SHARE = 0.1
_COMMON_SHARE, _FEWEST_COMMON = 0.25, 4
_LARGEST_SHARE = 1 / 3
_LEAST_BESIDE_TITLES = 0.25  # of a section whose document's title names no topic


def find_topics(found: TopicInput) -> list[Topic]:
    """Return the topics that people named and those that are found beside them.

    A topic that is part of another comes after it.
    """
    material, documents = _material(found)
    if modules := module_groups(material, found.ignored, _documented(found)):
        topics, homes = _topics(found, modules, documents, by_file=True)
        titled = homes_by_title(found, topics)
        topics = with_sections(
            found, topics, titled, sure=titled.keys(), least=_LEAST_BESIDE_TITLES
        )
        topics = without_general(found, topics, titled)
    else:
        topics, homes = _by_ties(found, Grouping(material), documents)
        topics = with_sections(found, topics, homes)
    return topics + documents_only(found, topics)


def _documented(found: TopicInput) -> frozenset[str]:
    """Return the names of the documents, as files of code would be called."""
    files = {section.file for section in found.documents}
    stems = (found.homes[file].stem for file in files)
    return frozenset(stem.lower().replace("-", "_") for stem in stems)


def _by_ties(
    found: TopicInput, grouping: Grouping, documents: Sequence[Sequence[int]]
) -> tuple[list[Topic], dict[int, int]]:
    """Return topics of what is tied to each other; see `_topics`."""
    groups = grouping.groups()
    while pair := _namesakes(found, _topics(found, groups, documents)[0], groups):
        one, other = pair
        joined = groups[one].with_group(groups[other])
        groups = [g for n, g in enumerate(groups) if n not in pair]
        groups.insert(one, joined)
    return _topics(found, grouping.divided(groups), documents)


def _material(found: TopicInput) -> tuple[Material, list[list[int]]]:
    """Return what is grouped, and the sections that stay with each document."""
    taken = {file.id for topic in found.given for file in topic.files}
    mentions = without_common(found.mentions_of_whole)
    same = same_subjects(mentions)
    sections = [[n for d in numbers for n in found.whole[d]] for numbers in same]
    firsts = [found.documents[numbers[0]].file for numbers in sections]
    material = Material(
        files=[file for file in found.files if file.id not in taken],
        edges=found.edges,
        mentions=[_mean([found.mentions_of_whole[d] for d in docs]) for docs in same],
        folders=list(map(found.home, firsts)),
        entries={fact.file for fact in found.facts if fact.kind == "entry_point"},
    )
    # What talks only about what all talk about is not at home where that is.
    at_home = [
        [n for d in numbers if mentions[d] for n in found.whole[d]] for numbers in same
    ]
    return material, at_home


def without_common(
    mentions: Sequence[Mapping[int, float]],
) -> list[dict[int, float]]:
    """Return what documents talk about, without the files that many talk about."""
    times = Counter(file for shares in mentions for file in shares)
    limit = max(_FEWEST_COMMON, _COMMON_SHARE * len(mentions))
    return [{f: s for f, s in each.items() if times[f] <= limit} for each in mentions]


def same_subjects(mentions: Sequence[Mapping[int, float]]) -> list[list[int]]:
    """Return the documents, those together whose files overlap.

    Each is compared with the first of those before it, so that no chain of them joins
    what has nothing in common.
    """
    joined: list[list[int]] = []
    subjects: list[set[int]] = []
    holders: dict[int, list[int]] = defaultdict(list)
    for number, shares in enumerate(mentions):
        own = {file for file, share in shares.items() if share >= _CLEAR_SHARE}
        near = dict.fromkeys(place for file in own for place in holders[file])
        same = [n for n in near if _overlap(own, subjects[n]) >= _SAME_FILES]
        if same:
            joined[max(same, key=lambda n: (_overlap(own, subjects[n]), -n))].append(
                number
            )
            continue
        for file in own:
            holders[file].append(len(joined))
        joined.append([number])
        subjects.append(own)
    return joined


def _overlap(one: set[int], other: set[int]) -> float:
    return len(one & other) / max(1, len(one | other))


def _mean(mentions: Sequence[Mapping[int, float]]) -> dict[int, float]:
    found: dict[int, float] = defaultdict(float)
    for shares in mentions:
        for file, share in shares.items():
            found[file] += share / len(mentions)
    return found


def _topics(
    found: TopicInput,
    groups: Iterable[Group],
    documents: Sequence[Sequence[int]],
    *,
    by_file: bool = False,
) -> tuple[list[Topic], dict[int, int]]:
    """Return named topics, and section → the topic its document was grouped with.

    by_file: they are called after their files.
    """
    topics = list(found.given)
    homes: dict[int, int] = {}
    for group in groups:
        parent = len(topics)
        for each, above in ((group, None), *((part, parent) for part in group.parts)):
            homes |= {n: len(topics) for d in each.documents for n in documents[d]}
            topics.append(_topic(found, each, above))
    return name_topics(found, topics, by_file=by_file), homes


def _topic(found: TopicInput, group: Group, parent: int | None) -> Topic:
    """Return a group as a topic; what its parts hold is theirs."""
    held = {file for part in group.parts for file in part.files}
    files = {file.id: file for file in found.files}
    own = [files[i] for i in group.files if i not in held]
    return Topic("", tuple(own), (), parent)


def _namesakes(
    found: TopicInput, topics: Sequence[Topic], groups: Sequence[Group]
) -> tuple[int, int] | None:
    """Return two groups of which the one's title is within the other's, None if none.

    Together they are not too large for one topic.
    """
    named = [t for t in topics[len(found.given) :] if t.parent is None]
    stems = [stems_of(topic.title) for topic in named]
    lines = {file.id: file.lines for file in found.files}
    sizes = [sum(lines[file] for file in group.files) for group in groups]
    limit = _LARGEST_SHARE * sum(lines.values())
    for one in range(len(named)):
        for other in range(one + 1, len(named)):
            is_same = stems[one] <= stems[other] or stems[other] <= stems[one]
            if is_same and sizes[one] + sizes[other] <= limit:
                return one, other
    return None


def with_sections(
    found: TopicInput,
    topics: Sequence[Topic],
    homes: Mapping[int, int],
    *,
    is_kept: bool = False,
    is_named_only: bool = False,
    sure: Collection[int] = (),
    least: float = LEAST_SCORE,
) -> list[Topic]:
    """Return the topics with the sections of documents that belong to each.

    homes and what follows: as for `assign_sections`.
    """
    assigned = assign_sections(
        found,
        topics,
        homes,
        is_kept=is_kept,
        is_named_only=is_named_only,
        sure=sure,
        least=least,
    )
    if not is_kept:
        assigned = with_indexes(found, assigned)
    return [
        replace(topic, sections=tuple(found.documents[n] for n in assigned.get(at, ())))
        for at, topic in enumerate(topics)
    ]


def documents_only(found: TopicInput, topics: Iterable[Topic]) -> list[Topic]:
    """Return topics for the documents that no code's topic has.

    Each document is one, those of a folder together where they are many.
    """
    topics = list(topics)
    taken = {section for topic in topics for section in topic.sections}
    rest = [
        section
        for section in found.documents
        if section not in taken and not found.homes[section.file].is_readme
    ]
    titles = {topic.title.casefold() for topic in topics} | TITLES_OF_PAGES
    return [
        Topic(_title_of_documents(sections, titles), (), tuple(sections))
        for sections in _bundles(found, rest)
    ]


def _bundles(
    found: TopicInput, sections: Sequence[DocumentSection]
) -> list[list[DocumentSection]]:
    """Return sections that are told together, the largest of too many bundles."""
    bundles: list[list[DocumentSection]] = []
    for depth in (None, 2, 1):
        by_place: dict[tuple[str, str], list[DocumentSection]] = defaultdict(list)
        for section in sections:
            file = found.homes[section.file]
            above = "/".join(file.directory.split("/")[:depth])
            place = file.path if depth is None else above
            by_place[file.source, place].append(section)
        told = [held for _, held in sorted(by_place.items())]
        bundles = [each for each in told if _words(each) >= _DOCUMENT_WORDS]
        if len(bundles) <= _MOST_BUNDLES:
            return bundles
    largest = sorted(bundles, key=lambda each: -_words(each))[:_MOST_BUNDLES]
    return [each for each in bundles if each in largest]


def _words(sections: Iterable[DocumentSection]) -> int:
    return sum(section.words for section in sections)


def _title_of_documents(sections: Sequence[DocumentSection], taken: set[str]) -> str:
    """Return a heading of these sections that no other topic has, and take it."""
    headings = [
        plain_heading(text)
        for section in sections
        for text in (*section.above[:1], section.title)
    ]
    wanted = [*filter(is_title, headings), *headings]
    if len({section.file for section in sections}) == 1 and sections[0].above:
        wanted.insert(0, headings[0])  # what the document calls itself
    wanted += [f"{headings[0]}, part {n}" for n in range(2, len(taken) + 3)]
    title = next(text for text in wanted if text and text.casefold() not in taken)
    taken.add(title.casefold())
    return title

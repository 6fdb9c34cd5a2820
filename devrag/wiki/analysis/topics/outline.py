"""The topics of a version as they are kept with it, and found again in the next one.

A topic keeps its title, its page and its files. New files join the topic that they are
tied to most. Only where too much of the code has no topic are topics found anew.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.document_topics import (
    DocumentInput,
    with_own_sections,
)
from devrag.wiki.analysis.topics.finding import (
    TopicInput,
    documents_only,
    with_sections,
)
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

AnyInput = TopicInput | DocumentInput

PLANNER = 6  # of another one a version keeps only the addresses of its topics
_MOST_NEW = 0.15  # of the lines
_DIGEST = 12  # characters


@dataclass(frozen=True, slots=True)
class OutlinedTopic:
    """A topic as it is kept. files: `source/path`; sections: the same with a heading.

    parent: place of the topic that this is a part of. page: path of its page.
    """

    title: str
    page: str
    files: tuple[str, ...]
    sections: tuple[str, ...]
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """The topics of a version. steering: digest of what the sources asked for then.

    untold: digests of the sections of documents that were on no page, and stay so.
    is_complete: it was designed with all documents in view, so that none of them is a
    topic of its own, and none is a topic's by its words alone. is_outdated: topics are
    found anew, and those about the same files keep their addresses.
    """

    topics: tuple[OutlinedTopic, ...] = ()
    steering: str = ""
    untold: tuple[str, ...] = ()
    is_complete: bool = False
    is_outdated: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what is stored with a version."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outline:
        """Read what `as_json` wrote; of a version without an outline an empty one."""
        topics = (
            OutlinedTopic(
                title=topic["title"],
                page=topic["page"],
                files=tuple(topic["files"]),
                sections=tuple(topic["sections"]),
                parent=topic["parent"],
            )
            for topic in data.get("topics", ())
        )
        return cls(
            topics=tuple(topics),
            steering=data.get("steering", ""),
            untold=tuple(data.get("untold", ())),
            is_complete=bool(data.get("is_complete")),
            is_outdated=bool(data.get("is_outdated")),
        )


def outline_of(
    topics: Iterable[Topic], files: Mapping[int, SurveyFile], steering: str
) -> Outline:
    """Return topics whose pages are known as they are kept."""
    kept = (
        OutlinedTopic(
            title=topic.title,
            page=topic.page,
            files=tuple(_place(file) for file in topic.files),
            sections=tuple(section_key(files, each) for each in topic.sections),
            parent=topic.parent,
        )
        for topic in topics
    )
    return Outline(tuple(kept), steering)


def untold_sections(
    topics: Iterable[Topic],
    sections: Iterable[DocumentSection],
    files: Mapping[int, SurveyFile],
) -> tuple[str, ...]:
    """Return the digests of the sections of documents that no topic has."""
    told = {section for topic in topics for section in topic.sections}
    return tuple(_digest(files, each) for each in sections if each not in told)


def _digest(files: Mapping[int, SurveyFile], section: DocumentSection) -> str:
    return sha256_hex(section_key(files, section))[:_DIGEST]


def restore_topics(found: TopicInput, outline: Outline) -> list[Topic] | None:
    """Return the topics of an outline with today's files; None to find them anew."""
    known = _known_places(found, outline)
    if known is None:
        return None
    topics = _with_files(found, outline, known)
    found = _without_untold(found, outline)
    sections = {key: n for n, t in enumerate(outline.topics) for key in t.sections}
    kept = {
        number: sections[key]
        for number, section in enumerate(found.documents)
        if (key := section_key(found.homes, section)) in sections
    }
    assigned = with_sections(
        found, topics, kept, is_kept=True, is_named_only=outline.is_complete
    )
    if outline.is_complete:
        return _without_empty(_with_listed(found, assigned, outline))
    kept_topics = _without_empty(assigned)
    return kept_topics + documents_only(found, kept_topics)


def _without_untold(found: TopicInput, outline: Outline) -> TopicInput:
    """Return the input without the sections that the version before had on no page."""
    untold = set(outline.untold)
    if outline.is_complete or not untold:
        return found
    documents = [s for s in found.documents if _digest(found.homes, s) not in untold]
    return replace(found, documents=documents)


def restore_document_topics(
    found: DocumentInput, outline: Outline
) -> list[Topic] | None:
    """Return the topics of an outline with today's documents; None to find them anew.

    New documents join the topic that they link to, else that of their folder.
    """
    known = _known_places(found, outline)
    if known is None:
        return None
    topics = _with_files(found, outline, known)
    return _without_empty(with_own_sections(topics, found.sections))


def _known_places(found: AnyInput, outline: Outline) -> dict[int, int] | None:
    """Return file → its place in an outline, None where topics are to be found anew."""
    if outline.is_outdated:
        return None
    titles = {topic.title for topic in outline.topics}
    if not titles or any(topic.title not in titles for topic in found.given):
        return None
    known = _known_files(found, outline)
    given = {topic.title for topic in found.given}
    free = {n for n, t in enumerate(outline.topics) if t.title not in given}
    has_new = any(file.id not in known for file in found.files)
    if _is_outgrown(found, known) or (has_new and not free):
        return None
    if has_new:
        _add_new(found, known, free)
    return known


def _known_files(found: AnyInput, outline: Outline) -> dict[int, int]:
    """Return file → its topic; one that people named has the files that they name."""
    given = {topic.title: topic for topic in found.given}
    topics = enumerate(outline.topics)
    homes = {place: n for n, t in topics if t.title not in given for place in t.files}
    known = {f.id: homes[_place(f)] for f in found.files if _place(f) in homes}
    for number, topic in enumerate(outline.topics):
        if topic.title in given:
            known |= {file.id: number for file in given[topic.title].files}
    return known


def _with_listed(
    found: TopicInput, topics: Sequence[Topic], outline: Outline
) -> list[Topic]:
    """Return topics with all sections that the outline lists, some on several pages."""
    listed = {key for topic in outline.topics for key in topic.sections}
    keys = {s: section_key(found.homes, s) for s in found.documents}
    return [
        replace(
            topic,
            sections=tuple(
                s
                for s, key in keys.items()
                if key in own.sections or (key not in listed and s in topic.sections)
            ),
        )
        for topic, own in zip(topics, outline.topics, strict=True)
    ]


def _is_outgrown(found: AnyInput, known: Mapping[int, int]) -> bool:
    """Return whether too much of the code is new for the topics of before."""
    lines = sum(file.lines for file in found.files)
    new = sum(file.lines for file in found.files if file.id not in known)
    return new > _MOST_NEW * lines


def _with_files(
    found: AnyInput, outline: Outline, known: Mapping[int, int]
) -> list[Topic]:
    """Return the topics with their files: first the known ones in their order."""
    given = {topic.title: topic for topic in found.given}
    places = {p: n for topic in outline.topics for n, p in enumerate(topic.files)}
    files: dict[int, list[SurveyFile]] = defaultdict(list)
    for file in sorted(
        found.files, key=lambda f: places.get(_place(f), len(found.files))
    ):
        files[known[file.id]].append(file)
    return [
        replace(given[t.title], parent=t.parent, page=t.page)
        if t.title in given
        else Topic(t.title, tuple(files[n]), (), t.parent, t.page)
        for n, t in enumerate(outline.topics)
    ]


def _add_new(found: AnyInput, known: dict[int, int], free: set[int]) -> None:
    """Give each new file the topic of what it is tied to, else of what is beside it.

    free: the topics that take files; those that people named do not.
    """
    beside: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for file in found.files:
        if known.get(file.id) in free:
            for folder in _folders(file):
                beside[folder][known[file.id]] += 1
    ties = ties_of(found.edges)
    new = [file for file in found.files if file.id not in known]
    chosen = {}
    for file in new:
        votes: dict[int, float] = defaultdict(float)
        for other, weight in ties[file.id]:
            if (topic := known.get(other)) in free and topic is not None:
                votes[topic] += weight
        near = next((beside[f] for f in _folders(file) if beside[f]), Counter())
        chosen[file.id] = _first(votes or near or dict.fromkeys(free, 0))
    known.update(chosen)


def ties_of(
    edges: Mapping[int, Mapping[int, float]],
) -> dict[int, list[tuple[int, float]]]:
    """Return file → the files that it uses or that use it, with the number of uses."""
    ties: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for source, targets in edges.items():
        for target, weight in targets.items():
            ties[source].append((target, weight))
            ties[target].append((source, weight))
    return ties


def _folders(file: SurveyFile) -> list[tuple[str, str]]:
    """Return a file's directory and those above it, the nearest first."""
    pieces = file.directory.split("/")
    above = ["/".join(pieces[:end]) for end in range(len(pieces), 0, -1)]
    return [(file.source, folder) for folder in [*above, ""]]


def _first(votes: Mapping[int, float]) -> int:
    return min(votes, key=lambda n: (-votes[n], n), default=0)


def _without_empty(topics: Sequence[Topic]) -> list[Topic]:
    """Leave out topics of which nothing is left; what was part of one moves up."""
    parents = {topic.parent for topic in topics}
    kept = [
        n
        for n, topic in enumerate(topics)
        if topic.files or topic.sections or n in parents
    ]
    place = {old: new for new, old in enumerate(kept)}
    return [
        replace(topics[n], parent=place.get(topics[n].parent))  # type: ignore[arg-type]
        for n in kept
    ]


def _place(file: SurveyFile) -> str:
    return f"{file.source}/{file.path}"


def section_key(files: Mapping[int, SurveyFile], section: DocumentSection) -> str:
    """Return `source/path#Heading`, by which a version keeps a section.

    The second section of a document with this heading ends with `#2`.
    """
    repeated = f"#{section.ordinal}" if section.ordinal > 1 else ""
    return f"{_place(files[section.file])}#{section.title}{repeated}"

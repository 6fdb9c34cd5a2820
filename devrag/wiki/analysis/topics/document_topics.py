"""Finds the topics of a product that is documents alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from devrag.wiki.analysis.document_info import document_title, read_info
from devrag.wiki.analysis.document_links import DocumentPaths, table_of_contents
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.assignment import words_of
from devrag.wiki.analysis.topics.document_groups import DocumentGroup, TopicDocument
from devrag.wiki.analysis.topics.document_shelves import shelve
from devrag.wiki.analysis.topics.document_titles import DocumentTitles
from devrag.wiki.analysis.topics.documents import (
    listing_documents,
    topical_documents,
)
from devrag.wiki.analysis.topics.titles import plain_heading
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

# Its words are of the place that it leads to: `https`, `html`.
_ADDRESS = re.compile(r"(?<=\])\([^)\s]*\)|<?https?://\S+")
_OTHER = "Other documents"
_TITLE_WEIGHT, _HEADING_WEIGHT, _LABEL_WEIGHT = 6, 2, 4
# Folders that only hold the documents.
_HOLDERS = re.compile(
    r"^(docs?|documents?|documentation|content|contents|src|source|pages?|wiki|notes?"
    r"|posts?|_posts|articles?|issues?|tickets?|text|md|markdown|manual|site|website"
    r"|en|ja|jp|(19|20)\d\d|\d\d?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DocumentInput:
    """What the topics of documents are found in.

    files: the documents on topics. given: topics that people named, with the files they
    chose. listing: documents that may list others. sections: of all documents, as
    pages take them in.
    """

    files: Sequence[SurveyFile]
    given: Sequence[Topic]
    listing: Sequence[SurveyFile]
    sections: Sequence[DocumentSection]
    read: Callable[[SurveyFile], Sequence[Section]]
    text: Callable[[int], str]

    @cached_property
    def edges(self) -> dict[int, Counter[int]]:
        """Document → document → number of links."""
        paths = DocumentPaths(self.files)
        return {f.id: paths.links_of(f, self.text(f.id)) for f in self.files}

    @property
    def free(self) -> list[SurveyFile]:
        """The documents of no topic that people named."""
        taken = {file.id for topic in self.given for file in topic.files}
        return [file for file in self.files if file.id not in taken]


def document_input(
    documents: Sequence[SurveyFile],
    overviews: Sequence[SurveyFile],
    given: Sequence[Topic],
    *,
    sections_of: Callable[[SurveyFile], Iterable[DocumentSection]],
    read: Callable[[SurveyFile], Sequence[Section]],
    text: Callable[[int], str],
) -> DocumentInput:
    """Return what topics are found in: all documents but those that introduce all."""
    front = {file.id for file in overviews}
    files = [f for f in topical_documents(documents) if f.id not in front]
    return DocumentInput(
        files=files,
        given=given,
        listing=listing_documents(documents),
        sections=[section for file in files for section in sections_of(file)],
        read=read,
        text=text,
    )


def find_document_topics(found: DocumentInput) -> list[Topic]:
    """Return the topics of documents; one that is part of another comes after it."""
    documents, is_listed = topic_documents(found)
    if not documents:
        return with_own_sections(found.given, found.sections)
    groups = shelve(documents)
    titles = DocumentTitles(documents, _OTHER)
    order = {document.file.id: n for n, document in enumerate(documents)}

    def rank(group: DocumentGroup) -> int:
        own = group.documents
        first = min(order[document.file.id] for document in own)
        return first if is_listed else -sum(document.size for document in own)

    named = [(group, titles.title(group, groups, "")) for group in groups]
    topics = list(found.given)
    for group, title in sorted(named, key=lambda x: rank(x[0])):
        parent = len(topics)
        inside = {d.file.id for part in group.parts for d in part.documents}
        own = [d.file for d in group.documents if d.file.id not in inside]
        topics.append(Topic(title, tuple(own)))
        for part in group.parts:
            name = titles.title(part, group.parts, title)
            files = tuple(d.file for d in part.documents)
            topics.append(Topic(name, files, (), parent))
    return with_own_sections(topics, found.sections)


def with_own_sections(
    topics: Sequence[Topic], sections: Sequence[DocumentSection]
) -> list[Topic]:
    """Return topics with the sections of their own documents."""
    by_file: dict[int, list[DocumentSection]] = {}
    for section in sections:
        by_file.setdefault(section.file, []).append(section)
    return [
        replace(
            topic, sections=tuple(s for f in topic.files for s in by_file.get(f.id, ()))
        )
        for topic in topics
    ]


def topic_documents(found: DocumentInput) -> tuple[list[TopicDocument], bool]:
    """Return the documents with what they are grouped by, and whether one lists them.

    They come as they are listed, else by path.
    """
    files = found.free
    paths = DocumentPaths(files)
    places = table_of_contents(found.listing, found.text, paths, len(files))
    order = {file: n for n, file in enumerate(places)}
    files.sort(key=lambda f: (order.get(f.id, len(order)), f.source, f.path))
    documents = [_document(found, file, places.get(file.id)) for file in files]
    return documents, bool(places)


def _document(
    found: DocumentInput,
    file: SurveyFile,
    place: tuple[str, ...] | None,
) -> TopicDocument:
    info = read_info(found.text(file.id), file.path, file.document_kind)
    sections = found.read(file)
    title, _ = document_title(info, file, sections)
    words = Counter[str]()
    _add(words, title, _TITLE_WEIGHT)
    for label in info.labels:
        _add(words, label, _LABEL_WEIGHT)
    size = 0
    for section in sections:
        _add(words, section.title, _HEADING_WEIGHT)
        for block in section.blocks:
            if block.kind != "code":
                words.update(words_of(_ADDRESS.sub(" ", block.text)))
                size += count_words(block.text)
    return TopicDocument(
        file=file,
        title=plain_heading(title) or file.stem,
        shelf=_shelf(file) if place is None else place,
        labels=info.labels,
        words=words,
        links=found.edges[file.id],
        size=size,
    )


def _add(words: Counter[str], text: str, weight: int) -> None:
    for word, count in words_of(text).items():
        words[word] += weight * count


def _shelf(file: SurveyFile) -> tuple[str, ...]:
    """Return the folders around a document that say what it is about."""
    if file.document_kind == "ticket":
        return ()
    parts = PurePosixPath(file.directory).parts
    return tuple(part for part in parts if not _HOLDERS.match(part))

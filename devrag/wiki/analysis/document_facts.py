"""What the writers ask of documents: their facts, titles, links and overviews."""

from __future__ import annotations

from collections import Counter

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_info import (
    INDEX_STEMS,
    DocumentInfo,
    document_title,
    read_info,
)
from devrag.wiki.analysis.document_links import DocumentPaths
from devrag.wiki.analysis.survey import SurveyFile

__all__ = [
    "INDEX_STEMS",
    "documents_below",
    "info_of",
    "links_of_documents",
    "times_linked",
    "title_of",
]


@cached_by_analysis
def info_of(analysis: Analysis, file: SurveyFile) -> DocumentInfo:
    """Return what is known of a document beside its text."""
    return read_info(analysis.texts.text(file.id), file.path, file.document_kind)


def title_of(analysis: Analysis, file: SurveyFile) -> tuple[str, int]:
    """Return a document's title and the line that has it; 0 where none does."""
    return document_title(info_of(analysis, file), file, analysis.sections(file))


@cached_by_analysis
def links_of_documents(analysis: Analysis) -> dict[int, Counter[int]]:
    """Return document → the documents that it links to, with the number of links."""
    files = [*analysis.overview_documents, *analysis.topic_documents]
    paths = DocumentPaths(files)
    return {f.id: paths.links_of(f, analysis.texts.text(f.id)) for f in files}


@cached_by_analysis
def times_linked(analysis: Analysis) -> Counter[int]:
    """Return document → how many others link to it."""
    links = links_of_documents(analysis)
    return Counter(target for targets in links.values() for target in targets)


@cached_by_analysis
def documents_below(analysis: Analysis) -> Counter[tuple[str, str]]:
    """Return (source, folder) → how many documents of topics lie in or below it."""
    found = Counter[tuple[str, str]]()
    for file in analysis.topic_documents:
        parts = file.directory.split("/") if file.directory else []
        for end in range(len(parts) + 1):
            found[file.source, "/".join(parts[:end])] += 1
    return found

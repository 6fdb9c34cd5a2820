"""What documents date: entries of change logs and minutes, pages, tickets, files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.document_facts import info_of, title_of
from devrag.wiki.analysis.document_info import read_date
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.survey import SurveyFile

_MOST_OF_DOCUMENT = 60


@dataclass(frozen=True, slots=True)
class DatedEntry:
    """A dated document, or a dated section of one.

    date_line: the line that says the day, 0 where the document's name does. section:
    place among the document's sections, None for the whole document.
    """

    day: date
    file: int
    title: str
    date_line: int
    section: int | None = None


@cached_by_analysis
def dated_entries(analysis: Analysis) -> tuple[DatedEntry, ...]:
    """Return what is dated, the newest first."""
    files = analysis.topic_documents
    found = [each for file in files for each in _of_file(analysis, file)]
    found.sort(key=lambda each: (analysis.files[each.file].path, each.section or 0))
    found.sort(key=lambda each: each.day, reverse=True)
    return tuple(found)


def _of_file(analysis: Analysis, file: SurveyFile) -> Iterator[DatedEntry]:
    title, _ = title_of(analysis, file)
    if file.document_kind != "ticket":  # whose comments are dated, too
        own = list(_of_sections(file, title, analysis.sections(file)))
        if len(own) > 1:
            yield from own[:_MOST_OF_DOCUMENT]
            return
    info = info_of(analysis, file)
    if info.date:
        yield DatedEntry(info.date, file.id, title, info.date_line)


def _of_sections(
    file: SurveyFile, title: str, sections: list[Section]
) -> Iterator[DatedEntry]:
    for number, section in enumerate(sections):
        if section.title and (day := read_date(section.title)):
            yield DatedEntry(day, file.id, title, section.line, number)

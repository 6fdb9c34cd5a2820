"""Keeps what search brought to a page: moves within its ranks rewrite nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.drafts.record import Given, Record
from devrag.wiki.evidence.digests import words_digest
from devrag.wiki.evidence.location import NormalisedLines
from devrag.wiki.writing.model.page_context import SurveyLines


def settled_places(
    found: Iterable[SurveyLines],
    record: Record,
    known: Mapping[str, str],
    analysis: Analysis,
) -> Iterable[SurveyLines]:
    """Yield what the page was given before, then finds in files that are news to it.

    Those are new to the product, or changed where they were given. known: `source/path`
    → content hash, as of the version before.
    """
    files = {f"{file.source}/{file.path}": file for file in analysis.survey.files}
    news = {file.id for place, file in files.items() if place not in known}
    for given in (given for each in record.sections for given in each.given):
        file = files.get(given.place)
        if file is None:
            continue
        lines = _present_lines(given, file, analysis)
        if lines is None:
            news.add(file.id)
        else:
            yield SurveyLines(file.id, *lines)
    yield from (place for place in found if place.file in news)


def _present_lines(
    given: Given, file: SurveyFile, analysis: Analysis
) -> tuple[int, int] | None:
    """Return where the lines stand now, the nearest, None when they changed."""
    if file.content_hash == given.content_hash:
        return given.start_line, given.end_line
    standing = (
        lines
        for lines, words in NormalisedLines(analysis.texts.text(file.id)).runs(
            given.size
        )
        if words_digest(given.place, words) == given.digest
    )
    near = given.start_line
    return min(standing, key=lambda lines: abs(lines[0] - near), default=None)

"""What a document is made of: the headings that divide it, each where it stands."""

from __future__ import annotations

from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.prose import clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.writing.structural.context import PageContext

_FEWEST, _SHOWN = 3, 12
_DEEPEST = 3


def contents_of(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document's headings as a sentence, cited; '' where there are few."""
    found = _dividing(ctx, file)
    if not found:
        return ""
    names = [
        clean(each.title, ctx.analysis.names)
        + ctx.book.cite(file.id, each.line, each.line)
        for each in found[:_SHOWN]
    ]
    listed = ctx.listed(names, len(found) - len(names))
    return ctx.say("Contents: {names}.", names=listed)


def _dividing(ctx: PageContext, file: SurveyFile) -> list[Section]:
    """Return the headings of the highest level that divides a document."""
    title, line = title_of(ctx.analysis, file)
    headings = [
        section
        for section in ctx.analysis.sections(file)
        if section.title and section.line != line and section.title != title
        if not is_formal(section.title)
    ]
    for level in range(1, _DEEPEST + 1):
        found = [section for section in headings if section.level <= level]
        if len(found) >= _FEWEST:
            return found
    return []

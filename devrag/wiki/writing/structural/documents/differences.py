"""How the editions of a document differ: a table for each that follows another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.edition_differences import (
    ChapterDifference,
    Comparison,
    Unit,
    compare_editions,
)
from devrag.wiki.analysis.edition_series import series_of
from devrag.wiki.analysis.prose import cited, clean, told_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.left_out import document_name
from devrag.wiki.writing.structural.documents.rules import summary_of
from devrag.wiki.writing.structural.quoted_names import names_of_lines
from devrag.wiki.writing.structural.tables import table

TITLE = phrase("Differences between the editions")
_ROWS, _ITEMS = 30, 24  # of a table and a list, further chapters are named
_UNITS = 3  # of a chapter in one edition
_LONGEST, _LONGEST_CODE = 200, 70  # characters of one
_NAMED = 60


@dataclass(frozen=True, slots=True)
class _Edition:
    """One side of a comparison, with the headings that it has more than once."""

    file: SurveyFile
    titles: Counter[str]

    def line(self, section: Section) -> int:
        """Return the line of a heading, of what has none the first with a text."""
        return section.line if section.title else section.blocks[0].start_line


def differences_section(ctx: PageContext, index: int) -> list[str]:
    """Return the section on how the editions of a topic's documents differ."""
    blocks: list[str] = []
    for files in series_of(ctx.analysis, index):
        for one, other in pairwise(files):
            blocks += _pair(ctx, one, other)
    return [f"## {ctx.say(TITLE)}", *blocks] if blocks else []


def has_differences(ctx: PageContext, index: int) -> bool:
    """Return whether a topic's page compares editions."""
    return bool(series_of(ctx.analysis, index))


def _pair(ctx: PageContext, one: SurveyFile, other: SurveyFile) -> list[str]:
    sections = [ctx.analysis.sections(file) for file in (one, other)]
    compared = compare_editions(*sections)
    first, second = (
        _Edition(file, Counter(section.title for section in own))
        for file, own in zip((one, other), sections, strict=True)
    )
    names = [document_name(ctx, file) for file in (one, other)]
    differing = compared.like("different")
    rows = [_row(ctx, chapter, first, second) for chapter in differing[:_ROWS]]
    further = [_title(ctx, second, each.other) for each in differing[_ROWS:]]
    alike = [_title(ctx, second, each.other) for each in compared.like("letters")]
    heading = ctx.say("{one} and {other}", one=names[0], other=names[1])
    return [
        f"### {heading}",
        _counts(ctx, compared),
        *table([ctx.say("Chapter"), *names], rows),
        *_named(ctx, phrase("Also different: {names}."), further),
        *_named(ctx, phrase("The same except for letter case: {names}."), alike),
        *_only(ctx, second, compared.only_other),
        *_only(ctx, first, compared.only_one),
    ]


def _counts(ctx: PageContext, compared: Comparison) -> str:
    """Return how many chapters are the same in both, and how many are not."""
    only = len(compared.only_one) + len(compared.only_other)
    told = (
        (phrase("the same in both: {number}"), len(compared.like("same"))),
        (
            phrase("the same except for letter case: {number}"),
            len(compared.like("letters")),
        ),
        (phrase("different: {number}"), len(compared.like("different"))),
        (phrase("in one only: {number}"), only),
    )
    counts = [ctx.say(said, number=number) for said, number in told if number]
    said = [ctx.say("Chapters: {counts}.", counts=ctx.listed(counts))]
    if compared.like("different"):
        said.append(ctx.say("The table has what only one of them says."))
    return ctx.joined(said)


def _row(
    ctx: PageContext, chapter: ChapterDifference, one: _Edition, other: _Edition
) -> list[str]:
    return [
        _title(ctx, other, chapter.other, is_cited=False),
        _units(ctx, one, chapter.one, chapter.only_one),
        _units(ctx, other, chapter.other, chapter.only_other),
    ]


def _only(
    ctx: PageContext, edition: _Edition, sections: Sequence[Section]
) -> list[str]:
    """Return the list of the chapters that one edition has alone, with their rules."""
    if not sections:
        return []
    items: list[str] = []
    for section in sections[:_ITEMS]:
        said = summary_of(ctx, edition.file, section.blocks)
        name = _title(ctx, edition, section, is_cited=not said)
        items.append(f"- **{name}**: {said}" if said else f"- {name}")
    name = document_name(ctx, edition.file)
    more = [_title(ctx, edition, section) for section in sections[_ITEMS:]]
    further = _named(ctx, phrase("Further chapters: {names}."), more)
    told = ctx.say("Only in {document}:", document=name)
    return [told, "\n".join(items), *further]


def _units(
    ctx: PageContext, edition: _Edition, section: Section, units: Sequence[Unit]
) -> str:
    """Return what a chapter says in one edition only, each cited; `—` for nothing."""
    line = edition.line(section)
    head = ctx.book.cite(edition.file.id, line, line)
    if not units:
        return f"—{head}"
    told: list[str] = []
    shown = 0
    for unit in units:
        if shown < _UNITS and (said := _unit(ctx, edition.file, unit)):
            told.append(said)
            shown += 1
    more = len(units) - shown
    if more:
        marks = head if not told else ""
        said = (
            ctx.say("{number} more", number=more) if told else ctx.counted(more, "line")
        )
        told.append(f"({said}){marks}")
    return " / ".join(told)


def _unit(ctx: PageContext, file: SurveyFile, unit: Unit) -> str:
    """Return a sentence, row or line of code, cited; '' where it is too long."""
    marker = ctx.book.cite(file.id, unit.start_line, unit.end_line)
    if unit.is_code:
        is_fit = len(unit.text) <= _LONGEST_CODE and "`" not in unit.text
        return f"`{unit.text}`{marker}" if is_fit and "|" not in unit.text else ""
    text = (
        unit.text if unit.block.kind != "row" else unit.block.text.replace("\t", ", ")
    )
    lines = ctx.book.lines(file.id)[unit.start_line - 1 : unit.end_line]
    said = " ".join(told_sentences(text, names_of_lines(ctx, text, lines)))
    return cited(said, marker) if said and len(said) <= _LONGEST else ""


def _title(
    ctx: PageContext, edition: _Edition, section: Section, *, is_cited: bool = True
) -> str:
    """Return the title of a chapter; below another one where it is there twice."""
    name = clean(section.title, ctx.analysis.names)
    if edition.titles[section.title] > 1 and (above := _above(ctx, edition, section)):
        name = f"{clean(above, ctx.analysis.names)}: {name}"
    name = name or document_name(ctx, edition.file)
    line = edition.line(section)
    return name + (ctx.book.cite(edition.file.id, line, line) if is_cited else "")


def _above(ctx: PageContext, edition: _Edition, section: Section) -> str:
    """Return the heading that a section stands below, '' if none."""
    above = ""
    for each in ctx.analysis.sections(edition.file):
        if each is section:
            return above
        above = each.title if each.level < section.level else above
    return above


def _named(ctx: PageContext, said: str, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    listed = ctx.listed(names[:_NAMED], max(0, len(names) - _NAMED))
    return [ctx.say(said, names=listed)]

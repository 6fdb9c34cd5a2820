"""How two editions of a document differ: a table of changes, and their own chapters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.edition_changes import Change, Unit
from devrag.wiki.analysis.edition_differences import (
    ChapterDifference,
    Comparison,
    compare_editions,
)
from devrag.wiki.analysis.prose import cited, clean, told_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.left_out import document_name
from devrag.wiki.writing.structural.documents.rules import summary_of
from devrag.wiki.writing.structural.quoted_names import names_of_lines
from devrag.wiki.writing.structural.tables import table

_ROWS, _ITEMS = 40, 24  # of a table and a list, further chapters are named
_OF_CHAPTER = 8  # changes
_UNITS = 3  # of a change in one edition
_LONGEST, _LONGEST_CODE = 240, 90  # characters of one
_LONGEST_ABOUT = 60
_NAMED = 60


@dataclass(frozen=True, slots=True)
class _Edition:
    """One side of a comparison, with the headings that it has more than once."""

    file: SurveyFile
    titles: Counter[str]

    def line(self, section: Section) -> int:
        """Return the line of a heading, of what has none the first with a text."""
        return section.line if section.title else section.blocks[0].start_line


def compare_documents(
    ctx: PageContext, one: SurveyFile, other: SurveyFile
) -> list[str]:
    """Return how two editions differ, cited on both sides."""
    sections = [ctx.analysis.sections(file) for file in (one, other)]
    compared = compare_editions(*sections)
    first, second = (
        _Edition(file, Counter(section.title for section in own))
        for file, own in zip((one, other), sections, strict=True)
    )
    names = [document_name(ctx, file) for file in (one, other)]
    rows: list[list[str]] = []
    further: list[str] = []
    for chapter in compared.like("different"):
        if len(rows) < _ROWS:
            rows += _rows(ctx, chapter, first, second)
        else:
            further.append(_title(ctx, second, chapter.other))
    alike = [_title(ctx, second, each.other) for each in compared.like("letters")]
    return [
        counts_of(ctx, compared),
        *table([ctx.say("Chapter"), *names], rows),
        *_named(ctx, phrase("Also different: {names}."), further),
        *_named(ctx, phrase("The same except for letter case: {names}."), alike),
        *_only(ctx, second, compared.only_other),
        *_only(ctx, first, compared.only_one),
    ]


def counts_of(ctx: PageContext, compared: Comparison) -> str:
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
    return ctx.say("Chapters: {counts}.", counts=ctx.listed(counts))


def _rows(
    ctx: PageContext, chapter: ChapterDifference, one: _Edition, other: _Edition
) -> list[list[str]]:
    """Return a row for each change of a chapter; many are counted in the last."""
    title = _title(ctx, other, chapter.other, is_cited=False)
    shown = chapter.changes[:_OF_CHAPTER]
    rows = [
        [
            _subject(ctx, title, change),
            _units(ctx, one, change.one),
            _units(ctx, other, change.other),
        ]
        for change in shown
    ]
    more = len(chapter.changes) - len(shown)
    if more:
        said = ctx.say("{number} more", number=more)
        sides = ((one, chapter.one), (other, chapter.other))
        rows.append([title, *(said + _head(ctx, *side) for side in sides)])
    return rows


def _subject(ctx: PageContext, title: str, change: Change) -> str:
    """Return the chapter, of code also what the sample is of and is called."""
    if not change.is_code:
        return title
    label = clean(change.sample[1], ctx.analysis.names)
    rule = _rule(ctx, change)
    if not rule:
        said = phrase("{chapter}, {label}")
        return ctx.say(said, chapter=title, label=label) if label else title
    label = label or ctx.say(phrase("sample"))
    said = phrase("{chapter}, {label} for “{rule}”")
    return ctx.say(said, chapter=title, label=label, rule=rule)


def _rule(ctx: PageContext, change: Change) -> str:
    """Return the sentence that a sample is of, '' where it is long."""
    if change.about is None or change.about.block.kind == "row":
        return ""
    said = " ".join(told_sentences(change.about.text, ctx.analysis.names))
    return said.rstrip("。.") if len(said) <= _LONGEST_ABOUT else ""


def _head(ctx: PageContext, edition: _Edition, section: Section) -> str:
    line = edition.line(section)
    return ctx.book.cite(edition.file.id, line, line)


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


def _units(ctx: PageContext, edition: _Edition, units: Sequence[Unit]) -> str:
    """Return what one edition says in a place, cited; `—` for nothing."""
    if not units:
        return "—"
    if units[0].is_code:
        return _code(ctx, edition.file, units)
    told: list[str] = []
    left: list[Unit] = []
    for unit in units:
        said = _unit(ctx, edition.file, unit) if len(told) < _UNITS else ""
        (told.append(said) if said else left.append(unit))
    if left:
        more = phrase("{number} more") if told else phrase("{number} sentences")
        lines = left[0].start_line, left[-1].end_line
        marks = ctx.book.cite(edition.file.id, *lines)
        told.append(f"({ctx.say(more, number=len(left))}){marks}")
    return " / ".join(told)


def _code(ctx: PageContext, file: SurveyFile, units: Sequence[Unit]) -> str:
    """Return lines of a sample, cited as a whole."""
    marks = ctx.book.cite(file.id, units[0].start_line, units[-1].end_line)
    shown = [f"`{_cut(u.text)}`" for u in units if _is_plain(u.text)][:_UNITS]
    more = len(units) - len(shown)
    if not shown:
        return f"({ctx.counted(more, 'line')}){marks}"
    return " ".join([*shown, *(["…"] if more else [])]) + marks


def _cut(code: str) -> str:
    return code if len(code) <= _LONGEST_CODE else f"{code[: _LONGEST_CODE - 1]}…"


def _is_plain(code: str) -> bool:
    """Return whether a line of code can stand in a table."""
    return "`" not in code and "|" not in code


def _unit(ctx: PageContext, file: SurveyFile, unit: Unit) -> str:
    """Return a sentence or row, cited; '' where it is too long."""
    marker = ctx.book.cite(file.id, unit.start_line, unit.end_line)
    is_row = unit.block.kind == "row"
    text = unit.block.text.replace("\t", ", ") if is_row else unit.text
    lines = ctx.book.lines(file.id)[unit.start_line - 1 : unit.end_line]
    said = " ".join(told_sentences(text, names_of_lines(ctx, text, lines)))
    return cited(said, marker) if said and len(said) <= _LONGEST else ""


def _title(
    ctx: PageContext, edition: _Edition, section: Section, *, is_cited: bool = True
) -> str:
    """Return the title of a chapter; below another one where it is there twice."""
    name = clean(section.title, ctx.analysis.names)
    if edition.titles[section.title] > 1 and (above := _above(ctx, edition, section)):
        name = f"{clean(above, ctx.analysis.names)} › {name}"
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

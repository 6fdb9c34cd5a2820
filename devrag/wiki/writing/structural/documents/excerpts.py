"""Quotes the documents of a topic, and says which of their chapters it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from devrag.wiki.analysis.document_facts import INDEX_STEMS, title_of
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.chapters import (
    QuotableSection,
    choose_sections,
    quotable_sections,
    share_words,
)
from devrag.wiki.writing.structural.topic_page.home import Home
from devrag.wiki.writing.structural.topic_page.told import Told, tell_passage

_PAGE_WORDS = 4000
_CHAPTER, _DEEPEST = 3, 6  # levels of headings
_LISTED = 24  # sections of a chapter that are not quoted


@dataclass(slots=True)
class _Quoted:
    """What the page has quoted so far: title and words → the document."""

    sections: dict[tuple[str, frozenset[str]], int] = field(default_factory=dict)


def quote_documents(
    ctx: PageContext, files: Sequence[SurveyFile], lead: Sequence[str]
) -> list[str]:
    """Return what documents say, each below a heading where they are several.

    What one document has from another, word for word, is named and not quoted again.
    lead: the sentences that the page begins with.
    """
    ordered = sorted(files, key=lambda f: f.stem.lower() in INDEX_STEMS)
    found = [(file, quotable_sections(ctx, file)) for file in ordered]
    found = [(file, sections) for file, sections in found if sections]
    wanted = [sum(s.words for s in sections) for _, sections in found]
    shares = share_words(wanted, _PAGE_WORDS)
    quoted = _Quoted()
    blocks: list[str] = []
    for (file, sections), share in zip(found, shares, strict=True):
        new = [s for s in sections if _key(ctx, file, s) not in quoted.sections]
        chosen = choose_sections(new, share)
        own = _document(ctx, file, sections, chosen, quoted, lead)
        heading = ctx.say("## What the documents say")
        heading = f"## {_name(ctx, file)}" if len(found) > 1 else heading
        blocks += [heading, *own] if own else []
    return blocks


def _document(
    ctx: PageContext,
    file: SurveyFile,
    sections: Sequence[QuotableSection],
    chosen: Sequence[QuotableSection],
    quoted: _Quoted,
    lead: Sequence[str],
) -> list[str]:
    told = _told(ctx, file, chosen, lead)
    taken = {section.place for section in chosen}
    others = [section for section in sections if section.place not in taken]
    same: dict[int, list[QuotableSection]] = {}
    rest: list[QuotableSection] = []
    for section in others:
        document = quoted.sections.get(_key(ctx, file, section))
        (rest if document is None else same.setdefault(document, [])).append(section)
    for section in chosen:
        if section.quoted == section.passages:
            quoted.sections.setdefault(_key(ctx, file, section), file.id)
    is_cut = bool(rest) or any(s.quoted != s.passages for s in chosen)
    notice = [ctx.say("Excerpts from the document:")] if is_cut and told else []
    repeated = [_repeated(ctx, file, other, own) for other, own in same.items()]
    return [*notice, *told, *repeated, *_left_out(ctx, file, sections, rest)]


def _key(
    ctx: PageContext, file: SurveyFile, section: QuotableSection
) -> tuple[str, frozenset[str]]:
    title = ctx.analysis.sections(file)[section.place].title
    return title.casefold(), section.said


def _told(
    ctx: PageContext,
    file: SurveyFile,
    chosen: Sequence[QuotableSection],
    lead: Sequence[str],
) -> list[str]:
    """Return the sections, each below the headings around it that are new."""
    sections = ctx.analysis.sections(file)
    home = Home(file.id)
    blocks: list[str] = []
    shown: set[int] = set()
    for section in chosen:
        told = Told()
        told.open_with(lead)
        passages = [tell_passage(ctx, told, home, each) for each in section.quoted]
        said = [block for passage in passages for block in passage]
        if not said:
            continue
        is_title = section.chapter < 0 and not section.above
        path = [*section.above, *([] if is_title else [section.place])]
        for depth, place in enumerate(path):
            if place not in shown and sections[place].title:
                mark = "#" * min(_CHAPTER + depth, _DEEPEST)
                blocks.append(f"{mark} {_title(ctx, sections[place])}")
        shown.update(path)
        blocks += said
    return blocks


def _name(ctx: PageContext, file: SurveyFile) -> str:
    return clean(title_of(ctx.analysis, file)[0], ctx.analysis.names)


def _title(ctx: PageContext, section: Section) -> str:
    return clean(section.title, ctx.analysis.names)


def _repeated(
    ctx: PageContext, file: SurveyFile, other: int, own: Sequence[QuotableSection]
) -> str:
    """Return the sentence on what stands in another document of the page, too."""
    name = _name(ctx, ctx.analysis.files[other])
    names = ctx.listed([_linked(ctx, file, section) for section in own])
    return ctx.say("The same as in {document}: {names}.", document=name, names=names)


def _left_out(
    ctx: PageContext,
    file: SurveyFile,
    sections: Sequence[QuotableSection],
    rest: Sequence[QuotableSection],
) -> list[str]:
    """Return the list of what is not quoted: chapters, of a quoted one its sections."""
    if not rest:
        return []
    left = {section.place for section in rest}
    items: list[str] = []
    for chapter in dict.fromkeys(section.chapter for section in rest):
        own = [section for section in sections if section.chapter == chapter]
        missing = [section for section in own if section.place in left]
        if chapter < 0:
            items += [f"- {_linked(ctx, file, section)}" for section in missing]
            continue
        title = ctx.analysis.sections(file)[chapter]
        if len(missing) == len(own) or missing[0].place == chapter:
            items.append(f"- {_at(ctx, file, chapter)}")
            continue
        names = [_linked(ctx, file, section) for section in missing[:_LISTED]]
        listed = ctx.listed(names, len(missing) - len(names))
        items.append(f"- **{_title(ctx, title)}**: {listed}")
    return [ctx.say("Chapters that are not quoted here:"), "\n".join(items)]


def _linked(ctx: PageContext, file: SurveyFile, section: QuotableSection) -> str:
    return _at(ctx, file, section.place)


def _at(ctx: PageContext, file: SurveyFile, place: int) -> str:
    """Return the title of a section, cited where it stands."""
    sections = ctx.analysis.sections(file)
    line = sections[place].line
    title = _title(ctx, sections[place]) or _name(ctx, file)
    return cited(title, ctx.book.cite(file.id, line, line))

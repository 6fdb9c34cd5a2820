"""Quotes the documents of a topic, and tells what of their chapters it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from devrag.wiki.analysis.document_facts import INDEX_STEMS
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.chapters import (
    QuotableSection,
    choose_sections,
    quotable_sections,
    share_words,
)
from devrag.wiki.writing.structural.documents.left_out import (
    cite_title,
    document_name,
    list_left_out,
    omitted_from,
    title_at,
)
from devrag.wiki.writing.structural.topic_page.home import Home
from devrag.wiki.writing.structural.topic_page.told import Told, tell_passage

_PAGE_WORDS = 4000
_CHAPTER, _DEEPEST = 3, 6  # levels of headings


@dataclass(slots=True)
class _Quoted:
    """What the page has quoted: title and words → the document, the words as there."""

    sections: dict[tuple[str, tuple[str, ...]], tuple[int, tuple[str, ...]]] = field(
        default_factory=dict
    )


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
        heading = f"## {document_name(ctx, file)}" if len(found) > 1 else heading
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
    told, taken = _told(ctx, file, chosen, lead)
    others = [section for section in sections if section.place not in taken]
    same: dict[tuple[int, bool], list[QuotableSection]] = {}
    rest: list[QuotableSection] = []
    for section in others:
        match = quoted.sections.get(_key(ctx, file, section))
        is_new = match is None or not section.blocks
        key = (match[0], match[1] == section.texts) if match else (0, False)
        (rest if is_new else same.setdefault(key, [])).append(section)
    for section in chosen:
        if section.quoted == section.passages:
            own = _key(ctx, file, section)
            quoted.sections.setdefault(own, (file.id, section.texts))
    is_cut = any(s.passages for s in rest) or any(
        s.quoted != s.passages for s in chosen
    )
    notice = [ctx.say("Excerpts from the document:")] if is_cut and told else []
    repeated = [_repeated(ctx, file, *key, each) for key, each in same.items()]
    if not told and not repeated and file.stem.lower() in INDEX_STEMS:
        return []  # an overview that only leads to the documents
    return [*notice, *told, *repeated, *list_left_out(ctx, file, sections, rest)]


def _key(
    ctx: PageContext, file: SurveyFile, section: QuotableSection
) -> tuple[str, tuple[str, ...]]:
    title = ctx.analysis.sections(file)[section.place].title
    return title.casefold(), section.said


def _told(
    ctx: PageContext,
    file: SurveyFile,
    chosen: Sequence[QuotableSection],
    lead: Sequence[str],
) -> tuple[list[str], set[int]]:
    """Return the sections, each below the headings around it that are new.

    With them the places of those that are told, if only by what opens the page.
    """
    sections = ctx.analysis.sections(file)
    home = Home(file.id)
    blocks: list[str] = []
    shown: set[int] = set()
    taken: set[int] = set()
    for section in chosen:
        told = Told()
        told.open_with(lead)
        passages = [
            (each, tell_passage(ctx, told, home, each)) for each in section.quoted
        ]
        said = [block for _, passage in passages for block in passage]
        is_title = section.chapter < 0 and not section.above
        if not said and not is_title:
            continue
        taken.add(section.place)
        path = [*section.above, *([] if is_title else [section.place])]
        for depth, place in enumerate(path if said else ()):
            if place not in shown and sections[place].title:
                mark = "#" * min(_CHAPTER + depth, _DEEPEST)
                blocks.append(f"{mark} {title_at(ctx, file, place)}")
                shown.add(place)
        quoted = [each for each, passage in passages if passage]
        blocks += [*said, *(omitted_from(ctx, file, section, quoted) if said else [])]
    return blocks, taken


def _repeated(
    ctx: PageContext,
    file: SurveyFile,
    other: int,
    is_exact: bool,
    own: Sequence[QuotableSection],
) -> str:
    """Return the sentence on what stands in another document of the page, too."""
    name = document_name(ctx, ctx.analysis.files[other])
    names = ctx.listed([cite_title(ctx, file, section.place) for section in own])
    told = (
        phrase("The same as in {document}: {names}.")
        if is_exact
        else phrase("The same as in {document} except for letter case: {names}.")
    )
    return ctx.say(told, document=name, names=names)

"""What a page does not quote of a document, so that nothing is left out silently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.document_facts import title_of
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import ends_with_colon, points_on
from devrag.wiki.analysis.passages import Passage, is_label, is_noise
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documents.chapters import QuotableSection
from devrag.wiki.writing.structural.documents.rules import summary_of
from devrag.wiki.writing.structural.topic_headings import heading_of

_SUMMARISED = 60  # sections of a document, the others are named
_NAMED = 120
_TITLE = phrase(
    "Chapters that are not quoted here, each by its first rule or sentence:"
)
_NOUNS = {
    "text": phrase("paragraph"),
    "quote": phrase("paragraph"),
    "item": phrase("list item"),
    "row": phrase("table"),
    "code": phrase("code sample"),
}


def document_name(ctx: PageContext, file: SurveyFile) -> str:
    """Return the title of a document as plain text."""
    return clean(title_of(ctx.analysis, file)[0], ctx.analysis.names)


def title_at(ctx: PageContext, file: SurveyFile, place: int) -> str:
    """Return the title of a section as plain text.

    What is English among Japanese headings is the name of something.
    """
    sections = ctx.analysis.sections(file)
    title = sections[place].title
    if any(count_cjk(section.title) for section in sections):
        return clean(title, ctx.analysis.names)
    return heading_of(ctx, title)


def cite_title(ctx: PageContext, file: SurveyFile, place: int) -> str:
    """Return the title of a section, cited where it stands."""
    line = ctx.analysis.sections(file)[place].line
    title = title_at(ctx, file, place) or document_name(ctx, file)
    return cited(title, ctx.book.cite(file.id, line, line))


def omitted_from(
    ctx: PageContext,
    file: SurveyFile,
    section: QuotableSection,
    quoted: Iterable[Passage],
) -> list[str]:
    """Return the sentence on what is left out of a section that is quoted, if any."""
    told = {block.start_line for passage in quoted for block in passage.blocks}
    left: dict[str, list[DocumentBlock]] = {}
    row_above = -1
    for block in section.blocks:
        if block.start_line not in told and _counts(block):
            is_same_table = block.kind == "row" and block.start_line <= row_above + 2
            if not is_same_table:
                left.setdefault(_NOUNS[block.kind], []).append(block)
        row_above = block.start_line if block.kind == "row" else row_above
    if not left:
        return []
    told_items = [
        ctx.counted(len(blocks), noun)
        + ctx.book.cite(file.id, blocks[0].start_line, blocks[0].end_line)
        for noun, blocks in left.items()
    ]
    return [ctx.say("Left out here: {what}.", what=ctx.listed(told_items))]


def _counts(block: DocumentBlock) -> bool:
    """Return whether a block says something of its own: no lead-in, no licence."""
    if block.kind == "code":
        return True
    is_led_on = points_on(block.text) or ends_with_colon(block.text)
    is_prose = block.kind in {"text", "quote"}
    has_words = any(character.isalnum() for character in block.text)
    is_aside = is_prose and (is_led_on or is_label(block.text) or is_noise(block.text))
    return has_words and not is_aside


def list_left_out(
    ctx: PageContext,
    file: SurveyFile,
    sections: Sequence[QuotableSection],
    rest: Sequence[QuotableSection],
) -> list[str]:
    """Return the list of the sections that are not quoted, each with its first rule.

    Licences and the like are none.
    """
    sections_of = ctx.analysis.sections(file)
    named = [
        section
        for section in rest
        if (section.above or section.chapter >= 0 or _has_matter(section))
        and not is_formal(sections_of[section.place].title)
    ]
    if not named:
        return []
    items: list[str] = []
    heads: set[int] = set()
    for section in named[:_SUMMARISED]:
        is_inside = 0 <= section.chapter != section.place
        if is_inside and section.chapter not in heads:
            heads.add(section.chapter)
            items.append(f"- **{cite_title(ctx, file, section.chapter)}**")
        heads.add(section.place)
        items.append(f"{'  ' * is_inside}- {_summarised(ctx, file, section)}")
    blocks = [ctx.say(_TITLE), "\n".join(items)]
    more = named[_SUMMARISED:]
    if more:
        names = [cite_title(ctx, file, section.place) for section in more[:_NAMED]]
        listed = ctx.listed(names, len(more) - len(names))
        blocks.append(ctx.say("Further chapters: {names}.", names=listed))
    return blocks


def _has_matter(section: QuotableSection) -> bool:
    return any(_counts(block) for block in section.blocks)


def _summarised(ctx: PageContext, file: SurveyFile, section: QuotableSection) -> str:
    said = summary_of(ctx, file, section.blocks)
    if not said:
        return cite_title(ctx, file, section.place)
    title = title_at(ctx, file, section.place) or document_name(ctx, file)
    return f"**{title}**: {said}"

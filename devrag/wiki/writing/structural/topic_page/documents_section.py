"""What wikis and folders of documents say of a topic, beside its code."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.sources.api import DocumentFacts, read_document
from devrag.wiki.analysis.passages import is_telling, stands_alone
from devrag.wiki.analysis.prose import cited, clean, full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import DocumentSection
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.document_heads import DAY, cite_head
from devrag.wiki.writing.structural.other_kinds import DOCUMENTS_TITLE
from devrag.wiki.writing.structural.topic_page.documented import told_sections
from devrag.wiki.writing.structural.topic_page.told import Told

_MORE_SECTIONS = 6
_LONGEST_SENTENCE = 320


def what_documents_say(
    ctx: PageContext, index: int, told: Told, sections: Sequence[DocumentSection]
) -> list[str]:
    """Return what wikis and folders of documents say of a topic, [] for nothing.

    The most central sections are quoted, of others the first sentence.
    """
    blocks: list[str] = []
    quoted: set[DocumentSection] = set()
    files: set[int] = set()
    for each in told_sections(ctx, index, told, sections):
        quoted.add(each.section)
        origin = [] if each.section.file in files else [_origin(ctx, each.section.file)]
        files.add(each.section.file)
        blocks += [*each.heading, *origin, *each.blocks]
    rest = _more(ctx, told, [s for s in sections if s not in quoted])
    if rest and blocks:
        blocks.append(f"### {ctx.say('More in the documents')}")
    blocks += ["\n".join(rest)] if rest else []
    return [f"## {ctx.say(DOCUMENTS_TITLE)}", *blocks] if blocks else []


def _origin(ctx: PageContext, file_id: int) -> str:
    """Return which document is quoted, and when it was changed."""
    file = ctx.analysis.files[file_id]
    facts = _facts(ctx, file)
    if facts is None or not facts.changed:
        said = ctx.say("From {path}.", path=ctx.path(file))
        return cited(said, ctx.book.cite(file_id, 1, 1))
    said = ctx.say(
        "From {path}, last changed on {day}.",
        path=ctx.path(file),
        day=facts.changed[:DAY],
    )
    return cited(said, cite_head(ctx, file_id, "title", "changed"))


def _more(
    ctx: PageContext, told: Told, sections: Sequence[DocumentSection]
) -> list[str]:
    """Return a line for each further section: its place and what it says first."""
    found = (_first_sentence(ctx, told, section) for section in sections)
    return [item for item in found if item][:_MORE_SECTIONS]


def _first_sentence(ctx: PageContext, told: Told, section: DocumentSection) -> str:
    """Return a section's first sentence that can be read alone; '' if it is told."""
    file = ctx.analysis.files[section.file]
    inside = ctx.analysis.sections(file)[section.first : section.last + 1]
    for block in (b for each in inside for b in each.blocks):
        if block.kind != "text" or not is_telling(block.text):
            continue
        for sentence in told_sentences(block.text, ctx.analysis.names):
            is_fit = stands_alone(sentence) and len(sentence) <= _LONGEST_SENTENCE
            if is_fit and not told.knows(sentence) and not told.begins_with(sentence):
                told.add(sentence)
                marker = ctx.book.cite(file.id, block.start_line, block.end_line)
                place = _place(ctx, file, section)
                return f"- **{place}**: {cited(full_stop(sentence), marker)}"
    return ""


def _place(ctx: PageContext, file: SurveyFile, section: DocumentSection) -> str:
    """Return `Page › Section`, the title alone where both are the same."""
    facts = _facts(ctx, file)
    page = facts.title if facts else file.title or file.stem
    titles = [page] if section.title in {page, ""} else [page, section.title]
    return " › ".join(clean(title, ctx.analysis.names) for title in titles)


def _facts(ctx: PageContext, file: SurveyFile) -> DocumentFacts | None:
    if not file.document_kind:
        return None
    return read_document(ctx.analysis.texts.text(file.id))

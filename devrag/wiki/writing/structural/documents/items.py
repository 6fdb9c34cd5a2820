"""Documents as items of a list: the title, and the first sentence on what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.decisions import records_of
from devrag.wiki.analysis.document_facts import info_of, title_of
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.lead_ins import points_on
from devrag.wiki.analysis.link_descriptions import link_descriptions
from devrag.wiki.analysis.passages import is_dangling, is_noise, is_telling
from devrag.wiki.analysis.prose import cited, clean, full_stop, told_sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines

_LONGEST, _LONGEST_JAPANESE, _SHORTEST = 320, 160, 24  # characters
_SECTIONS = 4  # of a document, in which it says what it is
_HEAD = re.compile(  # of minutes and records
    r"^\W*(attendees?|participants?|present|date|time|location|place|authors?|status"
    r"|出席者?|参加者|欠席者?|日時|日付|場所|議長|書記|作成者)\s*[:：]",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^\W*※|上記|前述|後述|下記")
# A chapter that says what the document is; any other is about its own matter.
_INTRODUCES = re.compile(
    r"^\W*([\d.]+\W*)?(introduction|overview|about.*|abstract|summary|purpose|goals?"
    r"|motivation|background|context|problem|description|preface|scope|what is .*"
    r"|decision|proposal|tl;?dr|welcome.*"
    r"|はじめに|概要|目的|背景|本書.*|この(文書|資料|ドキュメント|ページ).*|要約|まえがき"
    r"|序文|説明|前書き|内容|.*について|.*とは)\W*$",
    re.IGNORECASE,
)
# A second sentence with such a word is about the one before it.
_LEANS = re.compile(
    r"\b(it|its|them|they|their|this|that|these|those|either|too|also|most common)\b",
    re.IGNORECASE,
)
_BLOCKS, _ITEMS = 6, 3


def named(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document's title in bold, cited where its text has it."""
    title, line = title_of(ctx.analysis, file)
    marker = ctx.book.cite(file.id, line, line) if line else ""
    return f"**{clean(title, ctx.analysis.names)}**{marker}"


def titled(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document's title as part of a sentence, cited."""
    return named(ctx, file).replace("**", "")


def document_item(ctx: PageContext, file: SurveyFile) -> str:
    """Return a document's title with what it says first, and what its ticket is."""
    said = opening_sentence(ctx, file)
    title, _ = title_of(ctx.analysis, file)
    if plain(said).rstrip(".。") == plain(title):
        said = ""
    name = f"**{clean(title, ctx.analysis.names)}**" if said else named(ctx, file)
    state = _state(ctx, file)
    head = f"{name} ({state})" if state else name
    return f"{head}: {said}" if said else head


def _state(ctx: PageContext, file: SurveyFile) -> str:
    """Return the status of a ticket or of the record of a decision."""
    info = info_of(ctx.analysis, file)
    record = records_of(ctx.analysis).get(file.id)
    if record is not None and record.status:
        marker = ctx.book.cite(file.id, record.status_line, record.status_line)
        return clean(record.status, ctx.analysis.names) + marker
    if info.kind != "ticket" or not info.status:
        return ""
    marker = ctx.book.cite(file.id, info.status_line, info.status_line)
    return clean(info.status, ctx.analysis.names) + marker


def opening_sentence(ctx: PageContext, file: SurveyFile) -> str:
    """Return the first sentence of a document that can be read alone, cited.

    Of the record of a decision it is the decision; else what a list of documents says
    of it counts first.
    """
    if said := _decided(ctx, file) or described(ctx, file):
        return said
    sections = islice(_introducing(ctx, file), _SECTIONS)
    return first_sentence_of(ctx, file, [b for s in sections for b in s.blocks])


def _introducing(ctx: PageContext, file: SurveyFile) -> Iterator[Section]:
    """Yield what stands below a document's title, then what introduces the document."""
    title, line = title_of(ctx.analysis, file)
    for section in ctx.analysis.sections(file):
        is_head = section.level == 0 or line == section.line or title == section.title
        is_own = is_head or bool(_INTRODUCES.match(section.title))
        if is_own and not is_formal(section.title):
            yield section


def described(ctx: PageContext, file: SurveyFile) -> str:
    """Return what a list of documents says of one, cited; '' where none does."""
    found = link_descriptions(ctx.analysis).get(file.id)
    if found is None:
        return ""
    marker = ctx.book.cite(found.file, found.start_line, found.end_line)
    return cited(full_stop(clean(found.text, ctx.analysis.names)), marker)


def _decided(ctx: PageContext, file: SurveyFile) -> str:
    decision = records_of(ctx.analysis).get(file.id)
    if decision is None or not decision.sentence:
        return ""
    marker = ctx.book.cite(file.id, decision.start_line, decision.end_line)
    return cited(decision.sentence, marker)


def first_sentence_of(
    ctx: PageContext, file: SurveyFile, blocks: Sequence[DocumentBlock]
) -> str:
    """Return the first sentence of blocks that can be read alone, cited; else ''."""
    for block in _first_blocks(blocks):
        if is_noise(block.text):
            continue
        lines = ctx.book.lines(file.id)[block.start_line - 1 : block.end_line]
        names = names_of_lines(ctx, block.text, lines)
        for place, sentence in enumerate(told_sentences(block.text, names)[:2]):
            is_leaning = place > 0 and bool(_LEANS.search(sentence))
            if _may_open(sentence) and not is_leaning:
                marker = ctx.book.cite(file.id, block.start_line, block.end_line)
                return cited(full_stop(sentence), marker)
    return ""


def _may_open(sentence: str) -> bool:
    is_short = len(sentence) < _SHORTEST and sentence.isascii()
    longest = _LONGEST_JAPANESE if count_cjk(sentence) else _LONGEST
    is_fit = not is_short and len(sentence) <= longest and not _HEAD.match(sentence)
    return (
        is_fit
        and is_telling(sentence)
        and not is_dangling(sentence)
        and not points_on(sentence)
        and not _POINTS.search(sentence)
    )


def _first_blocks(blocks: Sequence[DocumentBlock]) -> Iterable[DocumentBlock]:
    texts = [block for block in blocks if block.kind == "text"]
    items = [block for block in blocks if block.kind in {"quote", "item"}]
    return [*texts[:_BLOCKS], *items[:_ITEMS]]

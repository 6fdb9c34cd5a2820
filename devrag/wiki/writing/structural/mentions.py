"""The first paragraphs of a document, as cited prose."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import is_leading
from devrag.wiki.analysis.names import unknown_spans
from devrag.wiki.analysis.passages import is_telling, stands_alone
from devrag.wiki.analysis.prose import (
    cited,
    full_stop,
    sentences,
    told_sentences,
)
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines

_LEAST_WORDS, _OPENING_WORDS = 4, 12
_LONGEST_NOTICE = 160
_NOTICE = re.compile(r"\b(dual-)?licen[sc]ed\b|\bcopyright\b", re.IGNORECASE)


def first_paragraphs(
    ctx: PageContext, file: SurveyFile, most: int, *, is_one_of_several: bool = False
) -> list[str]:
    """Return the first paragraphs of prose of a document, cited; else a quoted one.

    is_one_of_several: beside those of other sources sponsors and bars of links go.
    """
    found: list[str] = []
    quoted: list[str] = []
    for section in ctx.analysis.sections(file):
        if section.level > 1 and found:
            break
        for block in section.blocks:
            if is_one_of_several and not is_telling(block.text, _LEAST_WORDS):
                continue
            if block.kind == "text" and not _is_notice(block.text):
                whole = block if found else _without_colon(block)
                text = paragraph(ctx, file, whole) if not _leads_on(whole.text) else ""
                found += [text] if text else []
            elif block.kind == "quote" and not quoted:
                quoted += [text] if (text := paragraph(ctx, file, block)) else []
            if len(found) == most:
                return found
    return found or quoted


def _leads_on(text: str) -> bool:
    return text.rstrip().endswith((":", "："))


def _without_colon(block: DocumentBlock) -> DocumentBlock:
    """Return what opens a document without the colon before a list, if it says enough.

    “It makes sources searchable, explained and answerable:” needs no list.
    """
    text = block.text.rstrip().rstrip(":：").rstrip()
    is_whole = is_telling(text, _OPENING_WORDS) and not is_leading(text)
    return replace(block, text=text) if is_whole else block


def further_paragraphs(ctx: PageContext, file: SurveyFile, most: int) -> list[str]:
    """Return the first paragraphs below the headings of a document, cited."""
    found: list[str] = []
    for section in ctx.analysis.sections(file):
        first = next((b for b in section.blocks if b.kind == "text"), None)
        if section.level < 2 or first is None or is_formal(section.title):
            continue
        if stands_alone(first.text) and (text := paragraph(ctx, file, first)):
            found.append(text)
        if len(found) == most:
            break
    return found


def _is_notice(text: str) -> bool:
    """A line on the licence tells nothing about what it licenses."""
    return len(text) < _LONGEST_NOTICE and bool(_NOTICE.search(text))


def paragraph(
    ctx: PageContext, file: SurveyFile, block: DocumentBlock, most: int | None = None
) -> str:
    """Return a block of a document as cited prose, '' when it is no sentence.

    most: sentences from its beginning; None for all.
    """
    shown = ctx.book.lines(file.id)[block.start_line - 1 : block.end_line]
    found = told_sentences(block.text, names_of_lines(ctx, block.text, shown))[:most]
    if not found or not _is_prose(" ".join(found)):
        return ""
    ending = found[-1] if found[-1].endswith((":", "：")) else full_stop(found[-1])
    marker = ctx.book.cite(file.id, block.start_line, block.end_line)
    names = ctx.analysis.names
    told = [cited(s, marker) if unknown_spans(s, names) else s for s in found[:-1]]
    return " ".join([*told, cited(ending, marker)])


def first_of(said: str) -> str:
    """Return a paragraph's first sentence with the evidence of the whole."""
    found = sentences(said)
    if MARKER.search(found[0]) or len(found) == 1:
        return found[0]
    return cited(found[0], "".join(f" [[{i}]]" for i in MARKER.findall(found[-1])))


def _is_prose(text: str) -> bool:
    is_japanese = any("\u3040" <= c <= "\u9fff" for c in text)
    return is_japanese or len(text.split()) >= _LEAST_WORDS

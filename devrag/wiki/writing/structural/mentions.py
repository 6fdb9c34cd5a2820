"""What the repository's documents say about a part: the best description there is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.prose import (
    cited,
    clean,
    full_stop,
    sentences,
    told_sentences,
)
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.planning.topic_files import documents, root_documents
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_MOST_DOCUMENTS = 40
_MOST_LINES = 3000
_LEAST_WORDS = 4
_LONGEST = 400
_LONGEST_NOTICE = 160
_NOTICE = re.compile(r"\b(dual-)?licen[sc]ed\b|\bcopyright\b", re.IGNORECASE)


def readme_of(ctx: PageContext, topic: Topic) -> SurveyFile | None:
    """Return the README that lies in the part's directory."""
    for file in ctx.analysis.survey.files:
        is_here = file.source == topic.source and file.directory == topic.directory
        if is_here and topic.directory and file.stem.lower() == "readme":
            return file
    return None


def first_paragraphs(ctx: PageContext, file: SurveyFile, most: int) -> list[str]:
    """Return the first paragraphs of prose of a document, cited; else a quoted one."""
    found: list[str] = []
    quoted: list[str] = []
    for section in ctx.analysis.sections(file):
        if section.level > 1 and found:
            break
        for block in section.blocks:
            leads_on = block.text.rstrip().endswith((":", "："))
            if block.kind == "text" and not leads_on and not _is_notice(block.text):
                found += [text] if (text := paragraph(ctx, file, block)) else []
            elif block.kind == "quote" and not quoted:
                quoted += [text] if (text := paragraph(ctx, file, block)) else []
            if len(found) == most:
                return found
    return found or quoted


def _is_notice(text: str) -> bool:
    """A line on the licence tells nothing about what it licenses."""
    return len(text) < _LONGEST_NOTICE and bool(_NOTICE.search(text))


def paragraph(ctx: PageContext, file: SurveyFile, block: DocumentBlock) -> str:
    """Return a block of a document as cited prose, '' when it is no sentence."""
    found = told_sentences(block.text, ctx.analysis.names)
    if not found or not _is_prose(" ".join(found)):
        return ""
    ending = found[-1] if found[-1].endswith((":", "：")) else full_stop(found[-1])
    found[-1] = cited(ending, ctx.book.cite(file.id, block.start_line, block.end_line))
    return " ".join(found)


def first_of(said: str) -> str:
    """Return a paragraph's first sentence with the evidence of the whole."""
    found = sentences(said)
    if MARKER.search(found[0]) or len(found) == 1:
        return found[0]
    return cited(found[0], "".join(f" [[{i}]]" for i in MARKER.findall(found[-1])))


def _is_prose(text: str) -> bool:
    is_japanese = any("\u3040" <= c <= "\u9fff" for c in text)
    return is_japanese or len(text.split()) >= _LEAST_WORDS


def mention_of(ctx: PageContext, topic: Topic) -> str:
    """Return the sentence in which a document describes the part, cited."""
    if not topic.directory:
        return ""
    for file in _candidates(ctx):
        for section in ctx.analysis.sections(file):
            for block in section.blocks:
                find = _FINDERS.get(block.kind, _sentence)
                if found := find(ctx, file, block, topic):
                    return found
    return ""


def _candidates(ctx: PageContext) -> Iterable[SurveyFile]:
    docs = [*root_documents(ctx.analysis), *documents(ctx.analysis)]
    short = [
        file
        for file in docs
        if file.lines <= _MOST_LINES and not file.path.startswith(".")
    ]
    short.sort(key=lambda f: (f.path.count("/"), f.path))
    return short[:_MOST_DOCUMENTS]


def _sentence(
    ctx: PageContext, file: SurveyFile, block: DocumentBlock, topic: Topic
) -> str:
    spans = {f"`{topic.directory}/`", f"`{topic.directory.rpartition('/')[2]}/`"}
    if "/" in topic.directory:  # a bare word may mean anything
        spans.add(f"`{topic.directory}`")
    if not any(span in block.text for span in spans):
        return ""
    for sentence in told_sentences(block.text, ctx.analysis.names):
        is_fit = len(sentence.split()) > _LEAST_WORDS and len(sentence) <= _LONGEST
        if is_fit and any(span.strip("`") in sentence for span in spans):
            marker = ctx.book.cite(file.id, block.start_line, block.end_line)
            return cited(full_stop(sentence), marker)
    return ""


def _tree_line(
    ctx: PageContext, file: SurveyFile, block: DocumentBlock, topic: Topic
) -> str:
    """Read `├── search/   lexical index, fusion` in a drawn directory tree."""
    name = re.escape(topic.directory.rpartition("/")[2])
    pattern = re.compile(
        rf"^(?:[\s│├└─|+`-]*{name}/|\s*[│├└|+`][\s│├└─|+`-]*{name})"
        r"\s+(?:#|--|–|—)?\s*(\S.*)$"
    )
    for offset, line in enumerate(block.text.split("\n")):
        match = pattern.match(line)
        if match and len(match.group(1).split()) >= _LEAST_WORDS - 1:
            first = block.start_line + offset
            return _described(ctx, file, match.group(1), (first, first + 1))
    return ""


def _row(ctx: PageContext, file: SurveyFile, block: DocumentBlock, topic: Topic) -> str:
    """Read a table's `| search/ | lexical index, fusion |`: the path, then words."""
    head, *others = block.text.split("\t")
    is_part = head.strip("`").strip("/") == topic.directory
    if not is_part or not others or len(others[0].split()) < _LEAST_WORDS - 1:
        return ""
    return _described(ctx, file, others[0], (block.start_line, block.end_line))


def _described(
    ctx: PageContext, file: SurveyFile, words: str, lines: tuple[int, int]
) -> str:
    said = clean(words, ctx.analysis.names)
    told = phrase("{path} describes it as: {said}")
    told = ctx.say(told, path=ctx.path(file), said=said)
    return cited(full_stop(told), ctx.book.cite(file.id, *lines))


_FINDERS = {"code": _tree_line, "row": _row}

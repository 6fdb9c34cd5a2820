"""How to install, run and check the product, in its own documents' words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from textwrap import dedent

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.passages import points_back
from devrag.wiki.analysis.prose import cited, clean
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.blocks import fenced
from devrag.wiki.planning.topic_files import root_documents
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.mentions import paragraph

_START = re.compile(
    r"^(?!.*\b(?:tests?|testing|benchmarks?|parallel)\b)(?:.*)"
    r"(?:install|quick ?start|get(ting)? started|usage|running|how to run"
    r"|set(ting)? ?up"
    r"|\btry (it|out)\b|試す|試し"
    r"|インストール|使い方|はじめ|始め|導入|実行|セットアップ)",
    re.IGNORECASE,
)
# Those for coding agents are short and full of commands that work.
_GUIDES = {
    *("contributing", "development", "developing", "hacking", "building", "testing"),
    *("install", "installation", "agents", "claude"),
}
_ADMONITION = re.compile(r"^(!!!|:::|>\s*\[!)\s*\w+\]?\s*(\"[^\"]*\"\s*)?")
_UNFINISHED = ("TODO", "FIXME")
_CODE_LINES = 30
_BLOCKS = 12


def start_section(ctx: PageContext) -> list[str]:
    """Return the README's way to start: prose and commands, cited."""
    return _from_readmes(ctx, _START)


def section_about(ctx: PageContext, pattern: re.Pattern[str]) -> list[str]:
    """Return the first README section whose title matches, as cited blocks."""
    return _from_readmes(ctx, pattern)


def code_blocks(ctx: PageContext) -> Iterator[tuple[SurveyFile, DocumentBlock]]:
    """Yield the code blocks of the documents that say how to begin."""
    for file in guides(ctx):
        for section in ctx.analysis.sections(file):
            yield from ((file, b) for b in section.blocks if b.kind == "code")


def _from_readmes(ctx: PageContext, pattern: re.Pattern[str]) -> list[str]:
    second: list[str] = []  # prose without a command: better than nothing
    for file, section in _sections(ctx, pattern):
        blocks = _quoted(ctx, file, section)
        if any(block.startswith("```") for block in blocks):
            return blocks
        second = second or blocks
    return second


def _sections(
    ctx: PageContext, pattern: re.Pattern[str]
) -> Iterator[tuple[SurveyFile, Section]]:
    front = root_documents(ctx.analysis)
    for file in guides(ctx):
        sections = ctx.analysis.sections(file)
        # A README is titled after the product, a guide after what it is about.
        title = next((s for s in sections if s.level), None) if file in front else None
        for section in sections:
            is_part = section.level > 0 and section is not title
            if is_part and pattern.search(section.title):
                yield file, section


def guides(ctx: PageContext) -> Iterable[SurveyFile]:
    """Yield the documents that say how to begin, READMEs first."""
    yield from root_documents(ctx.analysis)
    for file in ctx.analysis.with_role("doc"):
        if file.stem.lower() in _GUIDES and file.path.count("/") <= 1:
            yield file


def _quoted(ctx: PageContext, file: SurveyFile, section: Section) -> list[str]:
    title = clean(section.title, ctx.analysis.names)
    quoted: list[str] = []
    for block in section.blocks[:_BLOCKS]:
        has_example = any(each.startswith("```") for each in quoted)
        if has_example or not points_back(block.text):
            quoted += quote(ctx, file, block)
    if not quoted:
        return []
    last = section.blocks[min(len(section.blocks), _BLOCKS) - 1].end_line
    marker = ctx.book.cite(file.id, section.line, last)
    told = ctx.say("From {path}, “{title}”:", path=ctx.path(file), title=title)
    return [cited(told, marker), *quoted]


def quote(ctx: PageContext, file: SurveyFile, block: DocumentBlock) -> list[str]:
    """Return a block of a document as it is shown, [] of what is not."""
    if block.kind == "code":
        lines = block.text.split("\n")
        if len(lines) > _CODE_LINES:
            return []
        language = block.language if block.language != "mermaid" else "text"
        return [fenced(dedent(block.text), language)]
    block = replace(block, text=_ADMONITION.sub("", block.text))
    text = paragraph(ctx, file, block) if block.kind != "row" else ""
    if not text:
        return []
    if text.startswith(_UNFINISHED):
        return []
    return [f"- {text}" if block.kind == "item" else text]

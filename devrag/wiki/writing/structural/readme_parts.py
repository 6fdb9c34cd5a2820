"""What a README says a product can do and by which ideas it works."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.passages import passages_of
from devrag.wiki.analysis.prose import sentences
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.planning.topic_files import root_documents
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_headings import heading_of
from devrag.wiki.writing.structural.topic_page.documented import words_with_code
from devrag.wiki.writing.structural.topic_page.home import Home
from devrag.wiki.writing.structural.topic_page.told import Told, tell_passage

_TITLE = re.compile(
    r"^\W*(?:(?:key|main|core|basic)\s+)?(?:features?|highlights|overview|concepts?"
    r"|capabilities|philosophy|design(?: goals)?|goals|how it works|why .{1,30}"
    r"|特徴|特長|機能(?:一覧)?|概要|概念|コンセプト|仕組み|設計(?:思想|方針)?|できること)"
    r"\W*$",
    re.IGNORECASE,
)
_SECTIONS, _WORDS = 3, 320


def readme_parts(ctx: PageContext, said: Sequence[str]) -> list[str]:
    """Return sections of the README on features and concepts, what is new of them.

    said: the paragraphs that introduce the product. Return [] for several sources,
    whose READMEs would not fit beside each other.
    """
    readmes = root_documents(ctx.analysis)
    if len(readmes) != 1:
        return []
    told = Told(is_inside=True)
    told.add(*(s for text in said for s in sentences(MARKER.sub("", text))))
    blocks: list[str] = []
    left = _WORDS
    for number, section in _sections(ctx, readmes[0]):
        found, words = _quoted(ctx, told, readmes[0], number, section)
        if found and words <= left:
            blocks += [f"### {heading_of(ctx, section.title)}", *found]
            left -= words
    return [ctx.say("## What the README says"), *blocks] if blocks else []


def _sections(ctx: PageContext, readme: SurveyFile) -> Iterator[tuple[int, Section]]:
    """Yield the first sections whose titles say that they are about it."""
    every = enumerate(ctx.analysis.sections(readme))
    fit = [(n, s) for n, s in every if s.level and _TITLE.match(s.title)]
    yield from fit[:_SECTIONS]


def _quoted(
    ctx: PageContext, told: Told, readme: SurveyFile, number: int, section: Section
) -> tuple[list[str], int]:
    """Return what a section says, cited, and its words."""
    blocks: list[str] = []
    words = 0
    for passage in passages_of(number, section.blocks, has_subject=True):
        text = tell_passage(ctx, told, Home(readme.id), passage)
        blocks += text
        words += words_with_code(passage) if text else 0
    return blocks, words

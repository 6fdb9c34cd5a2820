"""Which sections of a document a page quotes: some of every chapter, each whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from devrag.wiki.analysis.document_facts import INDEX_STEMS, title_of
from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.passages import Passage, passages_of
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.documented import words_with_code

_FEWEST, _DEEPEST = 2, 3  # headings that divide a document, their level
_SECTION_WORDS = 300
_PREAMBLE_WORDS = 150  # of a document that does not fit
_PREAMBLE = re.compile(
    r"^\W*([\d.]+\W*)?(introduction|preface|foreword|preamble|background|motivation"
    r"|about (this|the) \w+|why .*|prerequisites"
    r"|はじめに|前提(条件)?|まえがき|前書き|序文|背景|目的|心得|.{0,12}の(重要性|心得|背景|目的))\W*$",
    re.IGNORECASE,
)
_LINKED = re.compile(r"\]\((?!https?:)[^)]+\)")


@dataclass(frozen=True, slots=True)
class QuotableSection:
    """What stands directly below a heading, and what of it can be quoted.

    above: the places of the headings around it, outermost first; the document's title
    is none. chapter: the outermost of them that divides the document, its own place
    where it is one, -1 before the first. is_preamble: it leads to the matter only.
    """

    place: int
    above: tuple[int, ...]
    chapter: int
    passages: tuple[Passage, ...]
    blocks: tuple[DocumentBlock, ...] = ()
    is_preamble: bool = False

    @property
    def quoted(self) -> tuple[Passage, ...]:
        """The passages that a page has room for, the first in any case."""
        taken: list[Passage] = []
        words = 0
        for passage in self.passages:
            words += words_with_code(passage)
            if taken and words > _SECTION_WORDS:
                break
            taken.append(passage)
        return tuple(taken)

    @property
    def words(self) -> int:
        return sum(map(words_with_code, self.quoted))

    @property
    def said(self) -> tuple[str, ...]:
        """What it says, whatever its capitals: editions differ in them."""
        return tuple(text.casefold() for text in self.texts)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says, block by block."""
        return tuple(block.text for block in self.blocks)


def quotable_sections(ctx: PageContext, file: SurveyFile) -> list[QuotableSection]:
    """Return the sections of a document in its order.

    A heading that has only others below it is none.
    """
    sections = ctx.analysis.sections(file)
    title, line = title_of(ctx.analysis, file)
    is_title = [s.level == 0 or s.line == line or s.title == title for s in sections]
    dividing = _dividing_level(sections, is_title)
    found: list[QuotableSection] = []
    around: list[int] = []
    formal = 0  # level of the formal heading that is open
    for place, section in enumerate(sections):
        while around and sections[around[-1]].level >= section.level:
            around.pop()
        formal = formal if formal and section.level > formal else 0
        if is_formal(section.title):
            formal = formal or section.level
        passages = () if formal else _passages(file, place, section)
        own = [] if is_title[place] else [place]
        path = [*around, *own]
        chapters = (n for n in path if sections[n].level <= dividing)
        below = sections[place + 1].level if place + 1 < len(sections) else 0
        if section.blocks or (own and below <= section.level):
            new = QuotableSection(
                place,
                above=tuple(around),
                chapter=max(chapters, default=-1),
                passages=tuple(passages),
                blocks=tuple(section.blocks),
                is_preamble=any(_PREAMBLE.match(sections[n].title) for n in path),
            )
            found.append(new)
        around += own
    return found


def _passages(file: SurveyFile, place: int, section: Section) -> Sequence[Passage]:
    """Return a section's passages, of an overview without its lists of documents."""
    found = passages_of(place, section.blocks, has_subject=True)
    is_overview = file.stem.lower() in INDEX_STEMS
    return [p for p in found if not (is_overview and _lists_documents(p))]


def _lists_documents(passage: Passage) -> bool:
    followers = [b for b in passage.followers if b.kind != "code"]
    linked = sum(bool(_LINKED.search(block.text)) for block in followers)
    return bool(followers) and 2 * linked >= len(followers)


def _dividing_level(sections: Sequence[Section], is_title: Sequence[bool]) -> int:
    """Return the highest level at which a document has several headings."""
    levels = [
        section.level
        for section, is_own in zip(sections, is_title, strict=True)
        if section.title and not is_own and not is_formal(section.title)
    ]
    for level in range(1, _DEEPEST + 1):
        if sum(each <= level for each in levels) >= _FEWEST:
            return level
    return _DEEPEST


def choose_sections(
    found: Iterable[QuotableSection], most_words: int
) -> list[QuotableSection]:
    """Return the sections that fit: of each chapter the first, then the second, …

    One that does not fit is left out, and those after it may still fit. Of what only
    leads to the matter there is little then.
    """
    quotable = [section for section in found if section.passages]
    if sum(section.words for section in quotable) <= most_words:
        return quotable
    chapters: dict[int, list[QuotableSection]] = {}
    for section in quotable:
        chapters.setdefault(section.chapter, []).append(section)
    chosen: list[QuotableSection] = []
    left = {False: most_words, True: min(_PREAMBLE_WORDS, most_words)}
    for section in chain.from_iterable(zip_longest(*chapters.values())):
        if section is None or section.words > left[section.is_preamble]:
            continue
        left[section.is_preamble] -= section.words
        if section.is_preamble:
            left[False] -= section.words
        chosen.append(section)
    return sorted(chosen, key=lambda section: section.place)


def share_words(wanted: Sequence[int], most_words: int) -> list[int]:
    """Return how many words each of several documents has; short ones are whole."""
    shares = [0] * len(wanted)
    left, open_places = most_words, len(wanted)
    for place in sorted(range(len(wanted)), key=lambda n: wanted[n]):
        shares[place] = min(wanted[place], left // open_places)
        left -= shares[place]
        open_places -= 1
    return shares

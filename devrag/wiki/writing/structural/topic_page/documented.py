"""How a topic works, as the documents tell it, beside the code that does it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.wiki.analysis.centrality import weigh_texts
from devrag.wiki.analysis.documents import Section
from devrag.wiki.analysis.leads import subject_of
from devrag.wiki.analysis.mentioned_symbols import mentioned_symbols
from devrag.wiki.analysis.passages import Passage, passages_of
from devrag.wiki.analysis.prose import count_words
from devrag.wiki.analysis.topics.documents import is_formal
from devrag.wiki.analysis.topics.titles import stems_of
from devrag.wiki.analysis.topics.types import DocumentSection
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_headings import heading_of
from devrag.wiki.writing.structural.topic_page.home import Home
from devrag.wiki.writing.structural.topic_page.told import (
    Told,
    tell_passage,
)

_WORDS = 850
_SECTION_WORDS = 380
_LEAST_WORDS = 12
_DEFINITIONS = 4
_BELOW, _DEEPEST = 4, 6  # levels of headings within a section
_NAMED_BONUS, _NOT_NAMED = 1.5, 9
# What is kept for those who used it before does not come first.
_OLD = re.compile(
    r"\b(?:legacy|deprecat(?:ed|ions?)|obsolete|backwards?[- ]compat\w*)\b|非推奨|廃止",
    re.IGNORECASE,
)
_OLD_SHARE = 0.5
_TERMS = re.compile(r", | and ")
_REPEATED = 0.6  # of a section's texts


@dataclass(frozen=True, slots=True)
class ToldSection:
    """A section of a document as a page tells it: its heading, if any, and text."""

    section: DocumentSection
    heading: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(slots=True)
class _Outline:
    """What the headings of a page say so far."""

    titles: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A section of a document with its passages that tell something."""

    section: DocumentSection
    passages: tuple[Passage, ...]
    inside: Sequence[Section]

    @property
    def words(self) -> int:
        return min(_SECTION_WORDS, sum(words_with_code(p) for p in self.passages))

    @property
    def texts(self) -> set[str]:
        """What its passages say, code left aside."""
        blocks = (block for passage in self.passages for block in passage.blocks)
        return {block.text for block in blocks if block.kind != "code"}

    @property
    def prose(self) -> str:
        headings = " ".join((self.section.title, *self.section.above))
        return f"{headings} {headings} {' '.join(p.prose for p in self.passages)}"


def documented(
    ctx: PageContext, index: int, told: Told, sections: Sequence[DocumentSection]
) -> list[str]:
    """Return the paragraphs of documents about the topic, with the code they name."""
    blocks: list[str] = []
    for each in told_sections(ctx, index, told, sections):
        named = _implemented(ctx, index, each.section, told)
        blocks += [*each.heading, *each.blocks, *named]
    return blocks


def told_sections(
    ctx: PageContext, index: int, told: Told, sections: Sequence[DocumentSection]
) -> Iterator[ToldSection]:
    """Yield the sections about the topic that fit on its page, the most central."""
    found = [_candidate(ctx, section) for section in sections]
    usable = [c for c in found if sum(p.words for p in c.passages) >= _LEAST_WORDS]
    chosen = _chosen(ctx, index, usable)
    outline = _Outline()
    for candidate in chosen:
        each = _told(ctx, candidate, told, outline)
        outline.titles.add(candidate.section.title)
        if each is not None:
            yield each


def words_with_code(passage: Passage) -> int:
    """Return how much of a page a passage takes."""
    return sum(
        len(block.text.split()) if block.kind == "code" else count_words(block.text)
        for block in passage.blocks
    )


def _candidate(ctx: PageContext, section: DocumentSection) -> _Candidate:
    inside = ctx.analysis.sections(ctx.analysis.files[section.file])
    passages = [
        passage
        for number in range(section.first, section.last + 1)
        if not is_formal(inside[number].title)
        for passage in passages_of(number, inside[number].blocks)
    ]
    return _Candidate(section, tuple(passages), inside)


def _chosen(
    ctx: PageContext, index: int, found: Sequence[_Candidate]
) -> list[_Candidate]:
    """Return the sections that fit on the page, those of a document together."""
    subject = subject_of(ctx.analysis, ctx.analysis.topics[index])
    weights = weigh_texts([candidate.prose for candidate in found], subject)
    named = {n: _place_in_title(ctx, index, c.section) for n, c in enumerate(found)}
    weights = [
        weight
        * (_NAMED_BONUS if named[n] < _NOT_NAMED else 1.0)
        * (_OLD_SHARE if _OLD.search(found[n].section.title) else 1.0)
        for n, weight in enumerate(weights)
    ]
    order = sorted(range(len(found)), key=lambda n: (-weights[n], n))
    left, chosen = _WORDS, set[int]()
    known: dict[str, set[str]] = defaultdict(set)
    for number in order:
        if _is_repeated(found[number], known[found[number].section.title]):
            continue
        if not chosen or found[number].words <= left:
            chosen.add(number)
            known[found[number].section.title] |= found[number].texts
            left -= found[number].words
    ranked = _in_order(found, {n: weights[n] for n in chosen}, named)
    return [found[number] for number in ranked]


def _in_order(
    found: Sequence[_Candidate],
    chosen: Mapping[int, float],
    named: Mapping[int, int],
) -> list[int]:
    """Return the chosen sections, those of a document together, the best one first.

    chosen: their weights. named: their places in the topic's title.
    """
    best: dict[int, float] = defaultdict(float)
    for number, weight in chosen.items():
        file = found[number].section.file
        best[file] = max(best[file], weight)

    def key(number: int) -> tuple[float, ...]:
        section = found[number].section
        is_bare = found[number].passages[0].text is None  # it introduces nothing
        is_bare = is_bare or bool(_OLD.search(section.title))
        return is_bare, named[number], -best[section.file], section.first

    return sorted(chosen, key=key)


def _place_in_title(ctx: PageContext, index: int, section: DocumentSection) -> int:
    """Return the place of the topic's title at which its document's title has a word.

    What a title names first is told first.
    """
    document = section.above[0] if section.above else section.title
    words = stems_of(document)
    terms = _TERMS.split(ctx.analysis.topics[index].title)
    places = (n for n, term in enumerate(terms) if stems_of(term) & words)
    return next(places, _NOT_NAMED)


def _is_repeated(candidate: _Candidate, known: set[str]) -> bool:
    """Return whether another edition of the document says nearly the same."""
    return len(candidate.texts & known) >= _REPEATED * max(1, len(candidate.texts))


def _told(
    ctx: PageContext, candidate: _Candidate, told: Told, outline: _Outline
) -> ToldSection | None:
    """Return one section under its heading, None where nothing of it is new."""
    blocks: list[str] = []
    home = Home(candidate.section.file)
    level = _level(candidate, outline)
    first = at = -1
    words = 0
    for passage in candidate.passages:
        if words and words + words_with_code(passage) > _SECTION_WORDS:
            break
        text = tell_passage(ctx, told, home, passage)
        if not text:
            continue
        words += words_with_code(passage)
        if passage.section != at:
            at = passage.section
            first = at if first < 0 else first
            heading = candidate.inside[at].title
            if at != first and heading not in {"", candidate.inside[first].title}:
                mark = "#" * _depth(candidate.inside, first, at, level)
                blocks.append(f"{mark} {heading_of(ctx, heading)}")
        blocks += text
    if not blocks:
        return None
    headings = _headings(ctx, candidate, first, level)
    return ToldSection(candidate.section, tuple(headings), tuple(blocks))


def _depth(inside: Sequence[Section], first: int, at: int, above: int) -> int:
    """Return the level of a heading: one deeper for each that it stands below."""
    depth, level = above + 1, inside[at].level
    for section in reversed(inside[first + 1 : at]):
        if section.level < level:
            depth, level = depth + 1, section.level
    return min(depth, _DEEPEST)


def _level(candidate: _Candidate, outline: _Outline) -> int:
    """Return at which level a section's heading stands: below what it is a part of."""
    return _BELOW - 1 + bool(set(candidate.section.above) & outline.titles)


def _headings(
    ctx: PageContext, candidate: _Candidate, first: int, level: int
) -> list[str]:
    """Return the heading of a section, none where the page has it for its title."""
    own = candidate.inside[first].title or candidate.section.title
    file = ctx.analysis.files[candidate.section.file]
    if own == file.stem:
        own = own.replace("-", " ").replace("_", " ").capitalize()
    above = candidate.section.above if level < _BELOW else ()
    title = heading_of(ctx, own, above)
    return [] if title == ctx.page.title else [f"{'#' * level} {title}"]


def _implemented(
    ctx: PageContext, index: int, section: DocumentSection, told: Told
) -> list[str]:
    """Return what the code says of the topic's definitions that a section names."""
    passages = _candidate(ctx, section).passages
    blocks = [block for passage in passages for block in passage.blocks]
    rows: list[list[str]] = []
    for symbol in mentioned_symbols(ctx.analysis, blocks, index):
        is_own = ctx.analysis.topic_of.get(symbol.file, index) == index
        is_new = symbol.id not in told.symbols and ctx.symbol_purpose(symbol)
        if is_own and is_new and len(rows) < _DEFINITIONS:
            told.symbols.add(symbol.id)
            path = ctx.path(ctx.analysis.files[symbol.file])
            rows.append([ctx.symbol_name(symbol), path, ctx.symbol_purpose(symbol)])
    head = [ctx.say("In the code"), ctx.say("File"), ctx.say("What it is")]
    return table(head, rows)

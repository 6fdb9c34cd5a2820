"""Sections of documentation as a whole, where only a piece of one was found.

Search finds pieces: the end of a section may be nearest to a question that its first
sentence answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from devrag.ask.evidence.passages import read_files
from devrag.ask.quotations import plain_words
from devrag.ask.reasons import AskedWord, AskedWords
from devrag.ask.sections import answer_worth
from devrag.ask.types import Passage
from devrag.core.plain_markdown import FRONT_MATTER
from devrag.core.principal import Principal
from devrag.search.api import read_question

# A longer section stays the piece that was found.
_MOST_LINES = 160
# Sections beside those that were found, and how surely they have to answer.
_MOST_ADDED, _SURE = 2, 1.0
# Of a file: headings that are read, and sections that are read through.
_MOST_HEADINGS, _MOST_JUDGED = 2_000, 40
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MARKED = re.compile(r"#{1,6}\s+(\S.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"([=~^-])\1{2,}\s*$")


def with_whole_sections(
    passages: Sequence[Passage], asked: AskedWords, principal: Principal
) -> tuple[Passage, ...]:
    """Return passages, those of documentation with all of their section. Queries: 1.

    Sections of the same files whose headings answer the question come behind them.
    """
    files = {(p.source, p.path) for p in passages if _is_section(p)}
    rows = read_files(files, principal) if files else {}
    heads = {file: headings(str(row["text"])) for file, row in rows.items()}
    lines = {file: str(row["text"]).split("\n") for file, row in rows.items()}
    found = [
        _whole(each, lines[each.source, each.path], heads[each.source, each.path])
        if _is_section(each) and (each.source, each.path) in lines
        else each
        for each in passages
    ]
    firsts = {(p.source, p.path): p for p in reversed(passages) if _is_section(p)}
    known = {(each.path, each.title) for each in found}
    others = [
        section
        for file, own in lines.items()
        for section in _sections_named(firsts[file], own, heads[file], asked)
        if (section.path, section.title) not in known
    ]
    others.sort(key=lambda each: -answer_worth(each, asked))
    numbered = enumerate(others[:_MOST_ADDED], len(found) + 1)
    return (*found, *(replace(each, id=f"E{number}") for number, each in numbered))


def _is_section(passage: Passage) -> bool:
    is_text = passage.kind == "documentation" and not passage.document
    return is_text and bool(passage.title)


def _whole(passage: Passage, lines: Sequence[str], heads: Mapping[int, str]) -> Passage:
    above = [at for at in heads if at <= passage.start_line]
    if not above or heads[above[-1]] != passage.title:
        return passage
    below = next((at for at in heads if at > above[-1]), len(lines) + 1)
    end = max(passage.end_line, below - 1)
    return _cut(passage, lines, above[-1], end) or passage


def _sections_named(
    like: Passage, lines: Sequence[str], heads: Mapping[int, str], asked: AskedWords
) -> Iterator[Passage]:
    """Yield the sections of a file that answer, and whose heading has half the words.

    like: a passage of the file. Of a long one only the first headings are read.
    """
    words = asked.telling
    ends = chain(islice(heads, 1, None), [len(lines) + 1])
    named = (
        _cut(like, lines, start, end - 1, title)
        for (start, title), end in islice(
            zip(heads.items(), ends, strict=True), _MOST_HEADINGS
        )
        if _has_half(title, words)
    )
    for section in islice(filter(None, named), _MOST_JUDGED):
        if answer_worth(section, asked) >= _SURE:
            yield section


def _has_half(title: str, words: Sequence[AskedWord]) -> bool:
    there = read_question(title).stems
    return 2 * sum(word.is_in(there) for word in words) >= max(2, len(words))


def _cut(
    passage: Passage, lines: Sequence[str], start: int, end: int, title: str = ""
) -> Passage | None:
    """Return a passage with these lines, None for too many.

    title: of another section, '' for that of the passage.
    """
    if end - start >= _MOST_LINES:
        return None
    text = "\n".join(lines[start - 1 : end]).rstrip()
    cut = replace(
        passage, start_line=start, end_line=start + text.count("\n"), text=text
    )
    return replace(cut, title=title, why="") if title else cut


def headings(text: str) -> dict[int, str]:
    """Return the headings of Markdown or reST by their lines, code left out."""
    front = FRONT_MATTER.match(text)
    first = front[0].count("\n") if front else 0
    lines = text.split("\n")
    found: dict[int, str] = {}
    fence = ""
    for at in range(first, len(lines)):
        line = lines[at]
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif fence:
            continue
        elif marked := _MARKED.match(line):
            found[at + 1] = plain_words(marked[1])
        elif line.strip() and at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1]):
            is_own = not lines[at - 1].strip() if at else True
            if is_own and not _UNDERLINE.match(line):
                found[at + 1] = plain_words(line.strip())
    return found

"""A decision, and how documents say one: headings, and the sentence below them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.lead_ins import is_leading
from devrag.wiki.analysis.names import QuotedNames
from devrag.wiki.analysis.prose import full_stop, told_sentences

DECISION = re.compile(
    r"^\W*(decision( outcome| made)?|our decision|what we decided"
    r"|決定(した)?(内容)?)\W*$",
    re.IGNORECASE,
)
DECISIONS = re.compile(
    r"^\W*(key )?(decisions( made| taken)?|決定事項|決まったこと)\W*$", re.I
)
STATED = re.compile(
    r"^[\W_]*(?:status|ステータス|状態)[\W_]*?[:：][\W_]*(?P<status>\S.*?)[\s*_|]*$",
    re.I,
)
_DATED = re.compile(r"^\W*(date|日付|deciders?|決定者|author|consulted)\W*[:：]", re.I)
_LONGEST, _SHORTEST = 420, 12


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as its document has it.

    title: of the record, page or ticket. status: in its own words, '' where it has
    none. sentence: what was decided, '' where nothing says it alone; with its lines.
    is_record: the document is about it alone. superseded_by: the document whose
    decision holds instead, where that is known; supersedes: the other way round.
    """

    file: int
    title: str
    date: date | None
    status: str
    sentence: str
    start_line: int
    end_line: int
    title_line: int = 0
    date_line: int = 0
    status_line: int = 0
    is_record: bool = False
    is_superseded: bool = False
    superseded_by: int | None = None
    supersedes: int | None = None


def with_inner(sections: Sequence[Section], own: Section) -> Iterator[Section]:
    """Yield a section and those inside it."""
    place = next(n for n, section in enumerate(sections) if section is own)
    yield own
    for section in sections[place + 1 :]:
        if section.level <= own.level:
            return
        yield section


def first_sentence(sections: Iterable[Section]) -> tuple[str, int, int]:
    """Return the first sentence that tells something, with the lines of its block."""
    blocks = [block for section in sections for block in section.blocks]
    for block in telling_blocks(blocks):
        return sentence_of(block), block.start_line, block.end_line
    return "", 0, 0


def telling_blocks(blocks: Iterable[DocumentBlock]) -> Iterator[DocumentBlock]:
    return (b for b in blocks if b.kind in {"text", "item", "quote"} and sentence_of(b))


def sentence_of(block: DocumentBlock) -> str:
    """Return the first sentence of a block that ends, '' without any."""
    told = told_sentences(block.text, QuotedNames())
    said = next((full_stop(s) for s in told if is_fit(s)), "")
    return said[:1].upper() + said[1:]


def is_fit(sentence: str) -> bool:
    if STATED.match(sentence) or _DATED.match(sentence):
        return False
    is_long = len(sentence) >= _SHORTEST and not sentence.rstrip().endswith((":", "："))
    return is_long and len(sentence) <= _LONGEST and not is_leading(sentence)

"""Turns passages of documents and docstrings into cited Markdown, each once a page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from devrag.parsing.tokens import count_cjk
from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.lead_ins import is_leading
from devrag.wiki.analysis.names import unknown_spans
from devrag.wiki.analysis.passages import Passage, is_dangling, is_label
from devrag.wiki.analysis.prose import (
    cited,
    count_words,
    full_stop,
    join_sentences,
    told_sentences,
)
from devrag.wiki.analysis.raised_errors import RaisedError
from devrag.wiki.evidence.blocks import fenced
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.quoted_names import names_of_lines
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.topic_page.home import Home

_POINTER = re.compile(
    r"^(please )?(see|refer to|check out|visit|learn|for (more|further|full|additional"
    r"|details|an example|a (full|complete|list))|(more|further) (information|details)"
    r"|consult|head over|take a look|have a look)\b"
    r"|(を参照|をご覧|を見て)[^。]{0,14}。?$",
    re.IGNORECASE,
)
_TUTORIAL = re.compile(
    r"^(now,? |first,? |next,? )?(let'?s|let us) (add|build|create|write|start|make"
    r"|change|extend|go|see|look|try)\b"
    r"|\bwe (want|wanted|are going|were going) to build\b",
    re.IGNORECASE,
)
# What contributors are asked for is no fact about the code.
_FOR_CONTRIBUTORS = re.compile(
    r"\b(?:open|submit|send|file|create|make) (?:an?|your) (?:pull request|PR|issue"
    r"|bug report|patch)\b|\bwelcomes? (?:\w+ ){0,3}contributions\b"
    r"|\bcontributions (?:are|is) (?:\w+ )?welcome\b",
    re.IGNORECASE,
)
_LONGEST_SENTENCE = 700
_ENDING = 16  # characters that show a sentence's language
_FEWEST_OF_SENTENCE = 3  # words
_LEADS_TO_NEXT = re.compile(r"[,;]\s*(and|or)?\s*$|\s(and|or)$")
_LANGUAGE = re.compile(r"^[\w+#-]+$")
# Kanji, katakana or a closing bracket: a Japanese item that is no sentence.
_ENDS_WITH_NOUN = re.compile(
    r"[\u30a0-\u30ff\u4e00-\u9fff】〕]"
    r"(\s?[（(](?:[^（）()]|[（(][^（）()]*[）)])*[）)])*$"
)


@dataclass(slots=True)
class Told:
    """What a page has told so far.

    symbols: definitions that have words on it. walked: those told step by step. lead:
    the sentences that open the page; below the heading of a definition (is_inside) its
    own may stand again. errors: what its code raises, each with the file.
    """

    sentences: set[str] = field(default_factory=set)
    symbols: set[int] = field(default_factory=set)
    walked: set[int] = field(default_factory=set)
    lead: frozenset[str] = frozenset()
    errors: list[tuple[int, RaisedError]] = field(default_factory=list)
    words: int = 0
    has_documents: bool = False
    is_inside: bool = False

    def knows(self, sentence: str) -> bool:
        """Return whether a sentence is told, whatever it ends with."""
        return _bare(sentence) in self.sentences

    def open_with(self, sentences: Iterable[str]) -> None:
        """Note the sentences that open the page."""
        self.lead = frozenset(map(_bare, sentences))

    def begins_with(self, sentence: str) -> bool:
        """Return whether a sentence is one of those that open the page."""
        return _bare(sentence) in self.lead

    def add(self, *sentences: str) -> None:
        """Note that sentences are told."""
        self.sentences.update(map(_bare, sentences))


def _bare(sentence: str) -> str:
    return sentence.rstrip(" .。:：…")


def tell_passage(
    ctx: PageContext, told: Told, home: Home, passage: Passage
) -> list[str]:
    """Return a passage as blocks of Markdown, [] when nothing of it is new."""
    head = []
    block = passage.text
    samples = [b for b in passage.followers if b.kind == "code"]
    if block is not None:
        last = samples[-1] if samples else block
        found = home.sentences(ctx, block, last)
        marker = home.cite(ctx, block, last)
        if is_label(block.text) and found:  # it stands there before each sample
            text = cited(" ".join(found), marker)
        else:
            is_whole = home.docstring is None
            text = tell_paragraph(ctx, told, found, marker, is_whole=is_whole)
        if not text:
            return []
        head = [text]
    return [*head, *_followers(ctx, told, home, passage)]


def tell_paragraph(
    ctx: PageContext,
    told: Told,
    found: Sequence[str],
    marker: str,
    *,
    is_whole: bool = False,
) -> str:
    """Return sentences as a cited paragraph, '' when all are told or none tells.

    is_whole: what stands elsewhere stays in it, as the rest may lean on it.
    """
    if any(map(_TUTORIAL.search, found)):
        return ""  # it goes on with a program that is not here
    found = [s for s in found if _is_told(s) and len(s) < _LONGEST_SENTENCE]
    new = _untold(found, told)
    new = list(found) if new and is_whole else new
    if new and not told.is_inside and all(map(told.begins_with, new)):
        return ""  # the page begins with it
    if not new or not any(c.isalpha() for c in "".join(new)):
        return ""
    told.add(*new)
    told.words += sum(count_words(s) for s in new)
    return cite_sentences(ctx, [*new[:-1], _ended(new[-1])], marker)


def _is_told(sentence: str) -> bool:
    return not (_POINTER.search(sentence) or _FOR_CONTRIBUTORS.search(sentence))


def _ended(sentence: str) -> str:
    """Return a sentence with its stop; one that leads on ends with a colon."""
    if is_leading(sentence) and not sentence.endswith("。"):
        is_wide = count_cjk(sentence[-_ENDING:]) > 0
        return sentence.rstrip(".…:： 、,") + ("：" if is_wide else ":")
    return sentence if sentence.endswith("】") else full_stop(sentence)


def cite_sentences(ctx: PageContext, found: Sequence[str], marker: str) -> str:
    """Cite the last sentence, and those whose names only the cited lines have."""
    names = ctx.analysis.names
    told = [
        cited(sentence, marker)
        if place == len(found) - 1 or unknown_spans(sentence, names)
        else sentence
        for place, sentence in enumerate(found)
    ]
    return join_sentences(told)


def _untold(found: Sequence[str], told: Told) -> list[str]:
    """Return the sentences from the first new one that can be read alone."""
    for place, sentence in enumerate(found):
        if not told.knows(sentence):
            is_cut = place > 0 and is_dangling(sentence)
            return list(found if is_cut else found[place:])
    return []


def _followers(ctx: PageContext, told: Told, home: Home, passage: Passage) -> list[str]:
    blocks = passage.followers
    if not blocks:
        return []
    if blocks[0].kind == "code":
        return [_sample(block) for block in blocks]
    told.words += sum(count_words(b.text) for b in blocks)
    if blocks[0].kind == "row":
        return _rows(ctx, home, blocks)
    items = [(block, _item(ctx, home, block)) for block in blocks]
    told_items = [(block, item) for block, item in items if item]
    begins = _beginnings([block for block, _ in told_items])
    lines = (begin + item for begin, (_, item) in zip(begins, told_items, strict=True))
    return ["\n".join(lines)]


def _beginnings(blocks: Sequence[DocumentBlock]) -> list[str]:
    """Return what each item of a list begins with: its number, and those it is in."""
    found: list[str] = []
    around: list[tuple[int, str]] = []  # of the items that are open
    for block in blocks:
        while around and around[-1][0] >= block.indent:
            around.pop()
        before = around[-1][1] if around else ""
        begin = f"{before}{block.mark or '-'} "
        found.append(begin)
        around.append((block.indent, " " * len(begin)))
    return found


def _sample(block: DocumentBlock) -> str:
    language = block.language if _LANGUAGE.match(block.language) else ""
    language = "text" if language == "mermaid" else language
    text = textwrap.dedent(block.text.expandtabs(4)).strip("\n").rstrip()
    return fenced(text, language)


def _item(ctx: PageContext, home: Home, block: DocumentBlock) -> str:
    found = home.sentences(ctx, block, block)
    found = [s for s in found if _is_told(s)]
    if not found:
        return ""
    found[-1] = _ended_item(found[-1])
    return cite_sentences(ctx, found, home.cite(ctx, block, block))


def _ended_item(said: str) -> str:
    """Return an item with a stop if it is a sentence; a name in a list has none."""
    if len(said.split()) >= _FEWEST_OF_SENTENCE or count_cjk(said):
        return said if _ENDS_WITH_NOUN.search(said) else full_stop(said)
    return _LEADS_TO_NEXT.sub("", said)


def _rows(ctx: PageContext, home: Home, blocks: Sequence[DocumentBlock]) -> list[str]:
    cells = [_cells(ctx, home, block) for block in blocks]
    width = len(cells[0])
    rows = []
    for block, row in zip(blocks[1:], cells[1:], strict=True):
        if len(row) == width and any(row):
            place = next(n for n, cell in enumerate(row) if cell)
            row[place] += home.cite(ctx, block, block)
            rows.append(row)
    # A heading cites nothing that would prove a name, so it has none as code.
    head = [cell.replace("`", "") for cell in cells[0]]
    return table(head, rows, list(map(_side, blocks[0].mark.split("|"))))


def _side(rule: str) -> str:
    """Return the rule of a column in its shortest form: `:---`, `---:`, `:---:`."""
    begin, end = rule[:1] == ":", len(rule) > 1 and rule[-1:] == ":"
    return f"{':' * begin}---{':' * end}"


def _cells(ctx: PageContext, home: Home, block: DocumentBlock) -> list[str]:
    start, end = home.lines(ctx, block, block)
    lines = ctx.book.lines(home.file)[start - 1 : end]
    names = names_of_lines(ctx, block.text.replace("\t", " "), lines)
    cells = block.text.replace(r"\|", "|").split("\t")
    return [" ".join(told_sentences(cell, names)) for cell in cells]

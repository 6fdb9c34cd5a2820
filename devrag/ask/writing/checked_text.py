"""The blocks of an answer that pass their checks, and what was removed: pure.

What leans on a removed sentence goes with it: the rest of its list entry and the
entries below that, a sentence that goes on with “It …”, the code that it led to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from textwrap import dedent

from django.utils.translation import gettext

from devrag.ask.types import RemovedSentence
from devrag.ask.writing.leaning import LEANS
from devrag.ask.writing.markup import plain_markdown, with_paired_emphasis
from devrag.ask.writing.prompt import NOT_FOUND, SKETCH
from devrag.ask.writing.sentence_checks import SentenceChecks, Verdict
from devrag.ask.writing.sketch import is_sketch, with_mark
from devrag.core.text import (
    clean_text,
    code_text,
    drop_invisible,
    normalise_newlines,
    one_line,
)
from devrag.wiki.api import MARKER, join_sentences, usual_marks, with_markers
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    plain,
    split_blocks,
    without_empty_headings,
)

_LED_TO = {"item", "fence", "table"}
# An answer of one word, which goes with the sentence that explains it.
_OPENER = re.compile(r"^(?:Yes|No|はい|いいえ)[.。,、!]?$", re.IGNORECASE)
_SECOND_SKETCH = "an answer has one sketch at most"
_CONTINUES = "the sentence that it continues was removed"
_BOLD = re.compile(r"\*\*([^*]{1,60}?)[:：.]?\*\*[:：]?")
_NUMBERED = re.compile(r"(\s*)(\d+)([.)]\s*)")
_HEAD = 2  # lines of a table before its rows
_OPEN_MARK = re.compile(r"\s*\[{1,2}[^\[\]]*\]?\Z")
_STOPS = (".", "!", "?", "。", "！", "？", ":", "：")
_SHOWN = 400
# Characters of one paragraph, table or code block; more is a model going round.
_LONGEST_BLOCK = 4_000


@dataclass(frozen=True, slots=True)
class CheckedText:
    """Blocks with ids that exist. is_none: the model says that nothing answers it.

    sentences: that passed, also rows of tables, as their checks left them.
    """

    blocks: tuple[MarkdownBlock, ...]
    removed: tuple[RemovedSentence, ...]
    is_none: bool = False
    sentences: tuple[str, ...] = ()

    @property
    def has_claims(self) -> bool:
        """Return whether anything in it cites a passage."""
        return any(MARKER.search(block.text) for block in self.blocks)


def check_text(
    text: str, checks: SentenceChecks, *, is_ended: bool = True, is_cut: bool = False
) -> CheckedText:
    """Return what of a model's text may be shown.

    is_ended: no more follows; else its last sentence is left aside. is_cut: it ended in
    the middle, so that its last sentence counts only if it is whole.
    """
    text = drop_invisible(normalise_newlines(clean_text(text)))
    is_none = text.lstrip().startswith(NOT_FOUND)
    text = text.replace(NOT_FOUND, "")
    if not is_ended or is_cut:
        text = _OPEN_MARK.sub("", text)
    blocks = split_blocks(usual_marks(plain_markdown(text)))
    if not is_ended or is_cut:
        blocks = _ended(blocks, is_cut=is_cut, text=text)
    blocks = list(map(_with_real_heading, blocks))
    check = _Check(checks)
    for block, following in zip_longest(blocks, blocks[1:]):
        check.add(block, following)
    kept = without_empty_headings(_without_loose_leads(check.kept))
    kept = list(_numbered_again(kept))
    removed = tuple(dict.fromkeys(check.removed))
    return CheckedText(tuple(kept), removed, is_none, tuple(check.passed))


def _numbered_again(blocks: Iterable[MarkdownBlock]) -> Iterator[MarkdownBlock]:
    """Yield blocks with the entries of each numbered list counted from 1.

    What was removed leaves no gap. A list ends with a heading or at an entry 1.
    """
    last: dict[int, int] = {}
    for block in blocks:
        if block.kind == "heading":
            last.clear()
        numbered = _NUMBERED.fullmatch(block.lead) if block.kind == "item" else None
        if numbered is None:
            yield block
            continue
        indent, number, mark = numbered.groups()
        last[len(indent)] = 1 if number == "1" else last.get(len(indent), 0) + 1
        yield replace(block, lead=f"{indent}{last[len(indent)]}{mark}")


def _with_real_heading(block: MarkdownBlock) -> MarkdownBlock:
    """Return a heading for a paragraph that is nothing but a few bold words."""
    bold = _BOLD.fullmatch(block.text) if block.kind == "paragraph" else None
    return MarkdownBlock("heading", bold.group(1), "###") if bold else block


def _ended(
    blocks: list[MarkdownBlock], *, is_cut: bool, text: str
) -> list[MarkdownBlock]:
    """Return blocks without the sentence that the text ends in."""
    if not blocks:
        return []
    *before, last = blocks
    if len(last.text) > _LONGEST_BLOCK:
        return before
    if last.kind == "fence":
        is_closed = text.rstrip().endswith(("```", "~~~"))
        return blocks if is_closed and last.text else before
    if last.kind == "heading":
        return before
    pieces = last.sentences()
    is_whole = MARKER.sub("", pieces[-1]).rstrip().endswith(_STOPS) if pieces else False
    if not (is_cut and is_whole and last.is_prose):
        pieces = pieces[:-1]
    if not pieces:
        return before
    return [*before, replace(last, text=_joined(last, pieces))]


def _joined(block: MarkdownBlock, pieces: Sequence[str]) -> str:
    return join_sentences(pieces) if block.is_prose else "\n".join(pieces)


@dataclass(slots=True)
class _Check:
    """What was kept and removed so far.

    cut_depth: of the list entry that was removed, -1 for none. lost_lead: what led to
    the next block was removed. near: ids that the block before cites. passed:
    sentences; seen: these without marks, so that none is repeated.
    """

    checks: SentenceChecks
    kept: list[MarkdownBlock] = field(default_factory=list)
    removed: list[RemovedSentence] = field(default_factory=list)
    cut_depth: int = -1
    lost_lead: bool = False
    near: tuple[str, ...] = ()
    passed: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    has_sketch: bool = False

    def add(self, block: MarkdownBlock, following: MarkdownBlock | None) -> None:
        depth = _depth(block)
        if block.kind == "item" and -1 < self.cut_depth < depth:
            self._remove(block.text, _CONTINUES)
            return
        self.cut_depth = -1
        if len(block.text) > _LONGEST_BLOCK:
            self._remove(block.text[:_SHOWN], "a paragraph of this length says nothing")
        elif block.kind == "fence":
            self._add_fence(block)
        elif block.kind == "heading":
            self._add_heading(block)
        elif block.kind == "table":
            self._add_table(block)
        else:
            leads = following is not None and following.kind in _LED_TO
            self._add_prose(block, leads=leads)

    def _remove(self, sentence: str, reason: str) -> None:
        shown = plain(sentence)[:_SHOWN] or sentence[:_SHOWN]
        self.removed.append(RemovedSentence(shown, reason))

    def _add_heading(self, block: MarkdownBlock) -> None:
        verdict = self.checks.check_heading(block.text)
        if verdict.reason:
            self._remove(block.text, verdict.reason)
            return
        lead = "#" * max(len(block.lead), 3)
        self.kept.append(replace(block, text=verdict.sentence, lead=lead))

    def _add_fence(self, block: MarkdownBlock) -> None:
        lost, self.lost_lead = self.lost_lead, False
        if not block.text.strip():
            return
        key = ""
        if block.lead == "mermaid":
            reason = self.checks.diagram_problem(block.text)
        elif is_sketch(block.text):
            reason = self.checks.sketch_problem(block.text, block.lead)
            reason = reason or (_SECOND_SKETCH if self.has_sketch else "")
            self.has_sketch = self.has_sketch or not (reason or lost)
            block = replace(block, text=with_mark(block.text, gettext(SKETCH)))
        else:
            key = self.checks.passage_of_code(block.text)
            reason = "" if key else "these lines stand in no passage in this order"
        if reason or (lost and not key):
            self._remove(block.text, reason or _CONTINUES)
            return
        # Copied lines are true without what led to them.
        if key and not self._cites(key):
            self._cite_above(key)
        self.kept.append(replace(block, text=dedent(block.text)))

    def _cites(self, key: str) -> bool:
        return bool(self.kept) and f"[[{key}]]" in self.kept[-1].text

    def _cite_above(self, key: str) -> None:
        """Let the sentence that leads to code cite its passage, else a line do so."""
        lead = self.kept[-1] if self.kept else None
        if lead is not None and lead.is_prose and _announces(lead.text):
            self.kept[-1] = replace(lead, text=with_markers(lead.text, f" [[{key}]]"))
            return
        path = code_text(one_line(self.checks.passages[key].path))
        self.kept.append(MarkdownBlock("paragraph", f"`{path}` [[{key}]]:"))

    def _add_table(self, block: MarkdownBlock) -> None:
        lost, self.lost_lead = self.lost_lead, False
        head, rows = block.sentences()[:_HEAD], block.sentences()[_HEAD:]
        if lost or len(head) < _HEAD:
            self._remove(head[0], _CONTINUES if lost else "it is no table")
            return
        if reason := self.checks.check_heading(head[0]).reason:
            self._remove(head[0], reason)
            return
        kept = [
            verdict.sentence
            for row in rows
            if not (verdict := self._judged(row.strip(), self.near)).reason
        ]
        if kept:
            self.passed += kept
            self.kept.append(replace(block, text="\n".join([*head, *kept])))

    def _judged(self, sentence: str, near: tuple[str, ...]) -> Verdict:
        """Judge a sentence, and note it if it is removed."""
        verdict = self.checks.check(sentence, near)
        if verdict.reason:
            self._remove(sentence, verdict.reason)
        return verdict

    def _add_prose(self, block: MarkdownBlock, *, leads: bool) -> None:
        block = replace(block, text=with_paired_emphasis(block.text))
        kept = list(self._passing(block, leads=leads))
        self.near = _ids(kept) or self.near
        if kept:
            self.kept.append(replace(block, text=_joined(block, kept)))
        elif block.kind == "item":
            self.cut_depth = _depth(block)

    def _passing(self, block: MarkdownBlock, *, leads: bool) -> Iterator[str]:
        """Yield the sentences of a block that may stand."""
        pieces = list(_with_openers(block.sentences()))
        is_cut = False
        self.lost_lead = False
        for at, piece in enumerate(pieces):
            if not any(map(str.isalnum, plain(piece))):
                continue
            is_leaning = is_cut and (
                block.kind == "item" or LEANS.match(plain(piece)) is not None
            )
            is_lead = leads and at == len(pieces) - 1 and _announces(piece)
            if is_leaning:
                self._remove(piece, _CONTINUES)
                self.lost_lead = is_lead
                continue
            verdict = self._judged_in(pieces, at, is_lead=is_lead)
            is_cut = bool(verdict.reason)
            self.lost_lead = is_lead and is_cut
            text = plain(verdict.sentence).casefold()
            if not is_cut and text not in self.seen:
                self.seen.add(text)
                self.passed.append(verdict.sentence)
                yield verdict.sentence

    def _judged_in(self, pieces: Sequence[str], at: int, *, is_lead: bool) -> Verdict:
        piece = pieces[at]
        before, after = pieces[:at][::-1], pieces[at + 1 :]
        near = tuple(dict.fromkeys((*_ids(before), *_ids(after), *self.near)))
        if not is_lead and self.passed:
            return self._judged(piece, near)
        if not is_lead:
            verdict = self.checks.check_opening(piece, near)
        elif MARKER.search(piece):
            verdict = self.checks.check_lead(piece, near)
        else:
            verdict = self.checks.check_heading(piece)
        if verdict.reason:
            self._remove(piece, verdict.reason)
        return verdict


def _ids(sentences: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(k for s in sentences for k in MARKER.findall(s)))


def _with_openers(sentences: Sequence[str]) -> Iterator[str]:
    """Yield sentences, a “Yes.” together with the one that follows it."""
    opener = ""
    for sentence in sentences:
        if not opener and _OPENER.match(plain(sentence)):
            opener = sentence
            continue
        yield f"{opener} {sentence}" if opener else sentence
        opener = ""
    if opener:
        yield opener


def _depth(block: MarkdownBlock) -> int:
    return len(block.lead) - len(block.lead.lstrip()) if block.kind == "item" else 0


def _announces(text: str) -> bool:
    return plain(text).rstrip(" .。").endswith((":", "："))


def _without_loose_leads(blocks: Sequence[MarkdownBlock]) -> list[MarkdownBlock]:
    """Drop what cites nothing and announces a list or code that does not follow."""
    kept: list[MarkdownBlock] = []
    for block in reversed(blocks):
        following = kept[-1] if kept else None
        is_led = following is not None and following.kind in _LED_TO
        if block.is_prose and not is_led and _announces(block.text):
            *before, last = block.sentences()
            if MARKER.search(last):
                before.append(last)
            if not before:
                continue
            kept.append(replace(block, text=_joined(block, before)))
            continue
        kept.append(block)
    return kept[::-1]

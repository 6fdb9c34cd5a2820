"""What changed between two texts of a page, sentence by sentence: pure.

A sentence is added, removed, reworded (with the words that differ) or the same. Lines
of code and rows of tables count as sentences. Citations are left out: they are numbered
anew on every rewritten page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from devrag.wiki.evidence.blocks import MarkdownBlock, plain, split_blocks
from devrag.wiki.evidence.citations import CITATION
from devrag.wiki.publishing.side_by_side import ChangedPiece, merge_words

# Share of equal characters from which a sentence counts as reworded.
_ALIKE = 0.5
_MOST_PAIRS = 40_000
_RULE = frozenset("|-: ")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence. section: the heading above it. kind: of its block, as blocks have."""

    text: str
    section: str
    kind: str


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """kind: same, added, removed, reworded. pieces: its text, words marked if reworded.

    section: the heading above. of: kind of the block: paragraph, item, table, fence,
    heading, diagram.
    """

    kind: str
    section: str
    of: str
    pieces: tuple[ChangedPiece, ...]


def compare_sentences(before: str, after: str) -> list[SentenceChange]:
    """Return the sentences of both texts in the order in which they are read."""
    old, new = list(_sentences(before)), list(_sentences(after))
    keys = [(each.kind, each.text) for each in old], [(e.kind, e.text) for e in new]
    changes: list[SentenceChange] = []
    for tag, a, b, c, d in SequenceMatcher(None, *keys, False).get_opcodes():
        if tag == "equal":
            changes += [_one("same", each) for each in new[c:d]]
        else:
            changes += _replaced(old[a:b], new[c:d])
    return changes


def _sentences(markdown: str) -> Iterator[Sentence]:
    section = ""
    for block in split_blocks(CITATION.sub("", markdown)):
        if block.kind == "heading":
            section = plain(block.text)
        kind = "diagram" if block.lead == "mermaid" else block.kind
        for text in _texts(block):
            yield Sentence(text, section, kind)


def _texts(block: MarkdownBlock) -> Iterable[str]:
    if block.kind == "fence":
        return [line for line in block.text.split("\n") if line.strip()]
    if block.kind == "table":
        rows = (line for line in block.text.split("\n") if set(line) - _RULE)
        return [" · ".join(filter(None, _cells(row))) for row in rows]
    return [plain(text) for text in block.sentences() if plain(text)]


def _cells(row: str) -> list[str]:
    return [plain(cell) for cell in row.strip().strip("|").split("|")]


def _replaced(
    old: Sequence[Sentence], new: Sequence[Sentence]
) -> Iterator[SentenceChange]:
    """Yield what stands in the place of other sentences: pairs that are alike first."""
    partner = _pair_alike(old, new)
    at = 0
    for place, sentence in enumerate(new):
        mate = partner.get(place)
        if mate is None:
            yield _one("added", sentence)
            continue
        for each in old[at:mate]:
            yield _one("removed", each)
        at = mate + 1
        pieces = merge_words(old[mate].text, sentence.text)
        yield replace(_one("reworded", sentence), pieces=tuple(pieces))
    for each in old[at:]:
        yield _one("removed", each)


def _pair_alike(old: Sequence[Sentence], new: Sequence[Sentence]) -> dict[int, int]:
    """Return place of a new sentence → that of the old one, in order, none crossing."""
    if len(old) * len(new) > _MOST_PAIRS:
        return {}
    found: dict[int, int] = {}
    at = 0
    for place, sentence in enumerate(new):
        likeness = [
            (_likeness(each, sentence), -number)
            for number, each in enumerate(old[at:], at)
        ]
        best, number = max(likeness, default=(0.0, 0))
        if best >= _ALIKE:
            found[place] = -number
            at = -number + 1
    return found


def _likeness(old: Sentence, new: Sentence) -> float:
    if old.kind != new.kind:
        return 0.0
    matcher = SequenceMatcher(None, old.text, new.text, False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()


def _one(kind: str, sentence: Sentence) -> SentenceChange:
    piece = ChangedPiece(sentence.text)
    return SentenceChange(kind, sentence.section, sentence.kind, (piece,))

"""Holds a finished page to its evidence: what a model finds unsupported is put right.

One call judges what is new on the page, one writes the unsupported sentences again;
those that still fail are cut.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from devrag.llm.chat import ChatModel
from devrag.wiki.analysis.prose import join_sentences
from devrag.wiki.checking.support import SupportClaim
from devrag.wiki.checking.validators import Finding, Gates, finding_on
from devrag.wiki.evidence.blocks import (
    MarkdownBlock,
    join_blocks,
    split_blocks,
    without_empty_headings,
)
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.rewrite import rewrite_sentences
from devrag.wiki.writing.model.support import check_support
from devrag.wiki.writing.model.validators import Rules, check_section, said_as


@dataclass(frozen=True, slots=True)
class SupportedPage:
    """A page as far as its evidence bears it. findings: what was cut from it.

    checked, unsupported: how many claims were judged, and how many of these failed.
    """

    markdown: str
    findings: tuple[Finding, ...] = ()
    checked: int = 0
    unsupported: int = 0


def hold_to_evidence(
    markdown: str,
    gates: Gates,
    checker: ChatModel,
    asking: Asking,
    brief: Brief,
    known: Collection[str],
) -> SupportedPage:
    """Return the page without sentences that its evidence does not support.

    known: sentences, as `said_as` has them, that need no check.
    """
    sentences = _claimed(markdown, known)
    claims = [
        SupportClaim(number, sentence, tuple(gates.cited(sentence, block)))
        for number, (sentence, block) in enumerate(sentences.items(), 1)
    ]
    said = list(sentences)
    failed = [
        finding_on(gates.page, ("support", verdict.reason), said[verdict.number - 1])
        for verdict in check_support(checker, claims)
        if verdict.support == "unsupported"
    ]
    if not failed:
        return SupportedPage(markdown, checked=len(claims))
    rewritten = rewrite_sentences(failed, gates.items, asking, brief)
    usable = {old: new for old, new in rewritten.items() if _is_sound(new, gates)}
    changes = {finding.sentence: usable.get(finding.sentence, "") for finding in failed}
    cut = tuple(finding for finding in failed if not changes[finding.sentence])
    return SupportedPage(_changed(markdown, changes), cut, len(claims), len(failed))


def _claimed(markdown: str, known: Collection[str]) -> dict[str, str]:
    """Return new sentence → its block, for those that cite something."""
    return {
        sentence: block.text
        for block in split_blocks(markdown)
        if block.is_prose and MARKER.search(block.text)
        for sentence in block.sentences()
        if said_as(sentence) not in known
    }


def _is_sound(sentence: str, gates: Gates) -> bool:
    text, findings = check_section(f"{sentence}\n", Rules(gates))
    return bool(text) and not findings


def _changed(markdown: str, changes: Mapping[str, str]) -> str:
    """Return the page with sentences exchanged; an empty one leaves no trace."""
    blocks = [_exchanged(block, changes) for block in split_blocks(markdown)]
    kept = without_empty_headings([block for block in blocks if block is not None])
    return join_blocks(kept) if kept else ""


def _exchanged(
    block: MarkdownBlock, changes: Mapping[str, str]
) -> MarkdownBlock | None:
    """Return a block with other sentences, None where its first ones are gone."""
    if not block.is_prose:
        return block
    before: Sequence[str] = block.sentences()
    after = [changes.get(sentence, sentence) for sentence in before]
    if after == before:
        return block
    if not any(after) or (block.kind == "item" and not after[0]):
        return None
    return replace(block, text=join_sentences(filter(None, after)))

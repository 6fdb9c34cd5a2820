"""Takes a section's text through its gates; what it shows of the facts stands apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from devrag.wiki.checking.validators import Finding, Gates
from devrag.wiki.drafts.record import UNTOLD
from devrag.wiki.evidence.blocks import MarkdownBlock, plain, split_blocks
from devrag.wiki.writing.model.answers import SHOWN_MARK, SectionAnswer
from devrag.wiki.writing.model.facts import SHOWN
from devrag.wiki.writing.model.proof import with_proof
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.model.validators import Rules, check_section, said_as


@dataclass(frozen=True, slots=True)
class ToldSection:
    """A section as far as it may be published. blocks: of prose, or SHOWN facts."""

    blocks: tuple[MarkdownBlock, ...]
    findings: tuple[Finding, ...] = ()


def check_told(
    text: str, rules: Rules, shown: Mapping[str, str]
) -> tuple[list[MarkdownBlock], list[Finding]]:
    """Return what of a section may stay, and what failed. shown: F1 … → key."""
    blocks: list[MarkdownBlock] = []
    findings: list[Finding] = []
    said = set(rules.said)
    for run, mark in _runs(text):
        if run.strip():
            so_far = replace(rules, said=frozenset(said))
            checked, found = check_section(run, so_far, leads_on=mark in shown)
            told = split_blocks(checked)
            said |= sentences_said(told)
            blocks += told
            findings += found
        if mark in shown:
            blocks.append(MarkdownBlock(SHOWN, shown[mark]))
    return blocks, findings


def with_proof_added(text: str, gates: Gates) -> str:
    """Return a section whose sentences stand as its gates see them, each on one line.

    They cite the evidence that shows their names; lines that show facts stay apart.
    """
    told = []
    for run, mark in _runs(text):
        told += [with_proof(run, gates).strip()] if run.strip() else []
        told += [f"[[{mark}]]"] if mark else []
    return "\n\n".join(told)


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield each run of text with the mark that follows it, '' at the end."""
    pieces = SHOWN_MARK.split(text)
    yield from zip(pieces[::2], [*pieces[1::2], ""], strict=True)


def sentences_said(blocks: list[MarkdownBlock]) -> set[str]:
    """Return the sentences of prose, by what makes two of them the same."""
    return {said_as(s) for b in blocks if b.is_prose for s in b.sentences()}


def told_section(
    page: str, plan: SectionPlan, answer: SectionAnswer, blocks: list[MarkdownBlock]
) -> ToldSection:
    """Return a section of these blocks, reported where it is none or was cut short.

    blocks: what its gates let through.
    """
    title = plan.title or "introduction"
    is_told = any(b.kind == SHOWN or plain(b.text) for b in blocks)
    if not is_told and not answer.is_left_out:
        is_instead = bool(plan.facts) and (plan.is_reference or not plan.title)
        reason = "nothing of the model's section could be used"
        instead = "; the facts stand instead" if is_instead else "; it is left out"
        return ToldSection((), (Finding(page, UNTOLD, reason + instead, title),))
    findings: tuple[Finding, ...] = ()
    if answer.is_cut and is_told:
        reason = (
            "the answer came to no end; the section ends at its last whole sentence"
        )
        findings = (Finding(page, "length", reason, title),)
    return ToldSection(tuple(blocks) if is_told else (), findings)

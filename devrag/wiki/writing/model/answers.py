"""Reads a model's answer to a section: what of it can be judged at all.

A cut answer ends at its last whole sentence. Empty ones, refusals, the wrong language
and prose that cites nothing are no section; an enormous one is not even looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from devrag.core.text import clean_text, normalise_newlines
from devrag.llm.chat import Completion
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.language import is_in_language

LONGEST = 60_000  # characters; 2048 tokens are far less
_OWN, _DEEPEST = 2, 6  # levels: of a section's own heading, of any
_REFUSAL = re.compile(
    r"^\W*(I['’]?m sorry|I am sorry|Sorry|I can(?:no|['’])t|I am unable|"
    r"I['’]m unable|As an AI|申し訳|すみません|お手伝いできません|お答えできません)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\A```(?:markdown|md)?\s*\n(.*)\n```\s*\Z", re.DOTALL)
_MARKS = re.compile(r"\[\[\s*(E\d+(?:\s*[,;、]\s*E\d+)+)\s*\]\]")
_ID = re.compile(r"E\d+")
_BEHIND = re.compile(r"([.!?。！？])((?:\s*\[\[E\d+\]\])+)[.。]?")
_LOOSE = re.compile(r"(?<!\[)\[(E\d+)\](?![\](])|【(E\d+)】")


@dataclass(frozen=True, slots=True)
class SectionAnswer:
    """text: the section's Markdown. problem: why it is none, '' when it is one.

    is_cut: it was ended, at the limit of tokens or as it went round. is_hopeless:
    asking again is no use.
    """

    text: str
    problem: str = ""
    gate: str = ""
    is_cut: bool = False
    is_hopeless: bool = False


def read_answer(completion: Completion, heading: str, language: str) -> SectionAnswer:
    """Return the section in a completion."""
    if len(completion.text) > LONGEST:
        reason = f"the answer has {len(completion.text):,} characters"
        return SectionAnswer("", reason, "size", is_hopeless=True)
    text = normalise_newlines(clean_text(completion.text)).strip()
    is_cut = completion.finish_reason == "length"
    if completion.finish_reason == "overflow":
        reason = "the model's server refuses the prompt, which may be too long for it"
        return SectionAnswer("", reason, "context", is_hopeless=True)
    if completion.finish_reason not in {"stop", "length"}:
        return SectionAnswer(
            "", f"the model ended by {completion.finish_reason}", "refusal"
        )
    if wrapped := _WRAPPED.match(text):
        text = wrapped.group(1)
    text = usual_marks(text)
    if is_cut:
        text = to_last_sentence(text)
    text = _as_section(text, heading)
    gate, problem = _problem(text, language)
    return SectionAnswer(text, problem, gate, is_cut)


def _problem(text: str, language: str) -> tuple[str, str]:
    if not plain(text):
        return "empty", "the answer is empty"
    if _REFUSAL.match(text) and not MARKER.search(text):
        return "refusal", "the answer refuses the task"
    if not is_in_language(text, language):
        return "language", "the answer is in another language than the one asked for"
    if not MARKER.search(text):
        return "format", "no sentence cites evidence as [[E1]]"
    return "", ""


def to_last_sentence(text: str) -> str:
    """Return a text that was cut without its unfinished end."""
    blocks = split_blocks(text)
    if not blocks:
        return ""
    last = blocks[-1]
    if last.kind == "fence":
        return text if text.endswith("```") else join_blocks(blocks[:-1])
    whole = last.sentences() if last.is_prose else []
    if whole and not MARKER.sub("", whole[-1]).rstrip().endswith(tuple(".!?。！？")):
        whole.pop()
    if not whole:
        return join_blocks(blocks[:-1])
    return join_blocks([*blocks[:-1], replace(last, text=" ".join(whole))])


def usual_marks(text: str) -> str:
    """Write markers as they are meant: apart, in two brackets, before the full stop."""
    text = _MARKS.sub(
        lambda m: " ".join(f"[[{key}]]" for key in _ID.findall(m.group(1))), text
    )
    text = _LOOSE.sub(lambda m: f"[[{m.group(1) or m.group(2)}]]", text)
    return _BEHIND.sub(r"\2\1", text)


def _as_section(text: str, heading: str) -> str:
    """Drop the section's own heading and set what stands below it right under it."""
    kept: list[MarkdownBlock] = []
    for block in split_blocks(text):
        is_own = len(block.lead) <= _OWN or plain(block.text) == plain(heading)
        if block.kind != "heading" or kept or not is_own:
            kept.append(block)
    levels = [len(block.lead) for block in kept if block.kind == "heading"]
    if not levels:
        return join_blocks(kept) if kept else ""
    lower = _OWN + 1 - min(levels)
    return join_blocks(
        [
            replace(b, lead="#" * min(len(b.lead) + lower, _DEEPEST))
            if b.kind == "heading"
            else b
            for b in kept
        ]
    )

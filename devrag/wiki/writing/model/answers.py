"""Reads a model's answer: its sections, and what of each can be judged at all.

A cut answer ends at its last whole sentence. Empty ones, refusals, the wrong language
and prose that cites nothing are no section; an enormous one is not even looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from devrag.core.text import clean_text, normalise_newlines
from devrag.llm.chat import Completion
from devrag.wiki.evidence.blocks import MarkdownBlock, join_blocks, plain, split_blocks
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.writing.model.language import is_in_language

LONGEST = 120_000  # characters; 6,000 tokens are far less
_OWN, _DEEPEST = 2, 6  # levels: of a section's own heading, of any
_REFUSAL = re.compile(
    r"^\W*(I['’]?m sorry|I am sorry|Sorry|I can(?:no|['’])t|I am unable|"
    r"I['’]m unable|As an AI|申し訳|すみません|お手伝いできません|お答えできません)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\A```(?:markdown|md)?\s*\n(.*)\n```\s*\Z", re.DOTALL)
_MARKS = re.compile(r"\[\[\s*(E\d+(?:\s*[,;、]\s*E\d+)+)\s*\]\]")
_ID = re.compile(r"E\d+")
# Not those that begin the next paragraph.
_BEHIND = re.compile(r"([.!?。！？])((?:[ \t]*\n?[ \t]*\[\[E\d+\]\])+)[.。]?")
_RUN = re.compile(r"\[\[E\d+\]\](?:[ \t]*\[\[E\d+\]\])+")
_LOOSE = re.compile(r"(?<!\[)\[(E\d+)\](?![\](])|【(E\d+)】")


_DELIMITER = re.compile(
    r"^[ \t]*={3,}[ \t]*(?:section[ \t]*)?(\d+|summary)[ \t]*=*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LEFT_OUT = re.compile(r"\A[-–—]{1,3}[.。]?\Z")
SUMMARY = "summary"
# A line that asks for a table or diagram by number.
SHOWN_MARK = re.compile(r"^[ \t]*(?:[-*][ \t]+)?\[\[(F\d+)\]\][ \t.。]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SectionAnswer:
    """text: the section's Markdown. problem: why it is none, '' when it is one.

    is_cut: it was ended, at the limit of tokens or as it went round. is_hopeless:
    asking again is no use. is_left_out: the evidence does not answer its question.
    """

    text: str
    problem: str = ""
    gate: str = ""
    is_cut: bool = False
    is_hopeless: bool = False
    is_left_out: bool = False


def read_sections(
    completion: Completion, headings: Mapping[int, str], language: str
) -> tuple[dict[int, SectionAnswer], str]:
    """Return the sections of a completion by number, and the summary.

    Each is read by itself: of an answer that was cut, those before its end are whole.
    headings: of the sections that were asked for.
    """
    if failed := _failed(completion):
        return dict.fromkeys(headings, failed), ""
    text = normalise_newlines(clean_text(completion.text)).strip()
    if wrapped := _WRAPPED.match(text):
        text = wrapped.group(1)
    parts = _parts(text, headings)
    is_cut = completion.finish_reason == "length"
    last = next(reversed(parts), "")
    found = {}
    for number, heading in headings.items():
        part = parts.get(str(number))
        if part is None:
            found[number] = SectionAnswer("", "the answer lacks the section", "format")
        else:
            is_end = is_cut and last == str(number)
            found[number] = _read(part, heading, language, is_cut=is_end)
    summary = "" if is_cut and last == SUMMARY else parts.get(SUMMARY, "")
    return found, summary


def read_section(completion: Completion, heading: str, language: str) -> SectionAnswer:
    """Return the only section in a completion."""
    found, _ = read_sections(completion, {0: heading}, language)
    return found[0]


def _failed(completion: Completion) -> SectionAnswer | None:
    """Return why nothing of a completion can be read."""
    if len(completion.text) > LONGEST:
        reason = f"the answer has {len(completion.text):,} characters"
        return SectionAnswer("", reason, "size", is_hopeless=True)
    if completion.finish_reason == "overflow":
        reason = "the model's server refuses the prompt, which may be too long for it"
        return SectionAnswer("", reason, "context", is_hopeless=True)
    if completion.finish_reason not in {"stop", "length"}:
        reason = f"the model ended by {completion.finish_reason}"
        return SectionAnswer("", reason, "refusal")
    return None


def _parts(text: str, headings: Mapping[int, str]) -> dict[str, str]:
    """Return the parts of an answer by the lines before them, in order.

    An answer without such lines is the only section that was asked for.
    """
    pieces = _DELIMITER.split(text)
    if len(pieces) == 1:
        return {str(n): text for n in headings} if len(headings) == 1 else {}
    names = (name.lower() for name in pieces[1::2])
    parts: dict[str, str] = {}
    for name, part in zip(names, pieces[2::2], strict=True):
        parts.setdefault(name, part.strip())
    return parts


def _read(text: str, heading: str, language: str, *, is_cut: bool) -> SectionAnswer:
    if text and _LEFT_OUT.match(text):
        return SectionAnswer("", is_left_out=True)
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
    if not MARKER.search(text) and not SHOWN_MARK.search(text):
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
    """Write markers as they are meant: apart, in two brackets, before the full stop.

    Of those that stand together each is written once.
    """
    text = _MARKS.sub(
        lambda m: " ".join(f"[[{key}]]" for key in _ID.findall(m.group(1))), text
    )
    text = _LOOSE.sub(lambda m: f"[[{m.group(1) or m.group(2)}]]", text)
    return _RUN.sub(_each_once, _BEHIND.sub(r"\2\1", text))


def _each_once(run: re.Match[str]) -> str:
    return " ".join(f"[[{key}]]" for key in dict.fromkeys(MARKER.findall(run.group())))


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

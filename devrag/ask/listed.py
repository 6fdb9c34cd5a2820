"""Which of an answer's passages are listed where no model writes it: pure.

A reader without prose needs few places that each say something: what stands above a
definition leads to it, and neither what a release changed nor a test that shares a word
by chance is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.ask.evidence.candidates import asks_for_changes
from devrag.ask.quotations import read_blocks
from devrag.ask.reasons import AskedWords, words_shared
from devrag.ask.types import Passage
from devrag.core.text import shorten
from devrag.parsing.path_roles import is_changelog, is_test
from devrag.search.api import read_question
from devrag.wiki.api import plain_sentence

_COMMENT_MARKS = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*|//+|#+)[ \t]?|\*+/[ \t]*$", re.M)
_TAGS = re.compile(r"^\s*@\w.*$", re.M)
_IMPORT = re.compile(r"^\s*(?:import|from|use|using|#include)\b|\brequire\(", re.M)
# A document that only leads to another, and the licence at the head of a file.
_REFERS = re.compile(
    r"^\W*(?:please\s+)?(?:see|refer\s+to|read|moved\s+to)\b(?:(?![.!?]\s)[^\n]){1,160}$|"
    r"^[^\n。]{1,80}を参照してください。?$",
    re.IGNORECASE,
)
_LICENSE = re.compile(
    r"\blicensed\s+under\b|\bSPDX-License-Identifier\b|\bcopyright\s+(?:\(c\)|©|\d{4})",
    re.IGNORECASE,
)
# Lines between what is written above a definition and the definition.
_MOST_BETWEEN = 3
_SUMMARY = 160
# Characters by which the same section of two editions is known.
_BEGINNING = 120
# Of their words, so many have two editions of a section in common.
_NEARLY = 0.7


def choose_listed(
    passages: Iterable[Passage], asked: AskedWords, question: str, *, has_tests: bool
) -> list[Passage]:
    """Return the passages worth a reader's time, each once, in their order.

    has_tests: the question is about tests.
    """
    found = _with_definitions(distinct(passages))
    if not asks_for_changes(question):
        found = [each for each in found if not is_changelog(each.path)] or found
    return found if has_tests else [e for e in found if _is_worth_it(e, asked)]


def distinct(passages: Iterable[Passage]) -> list[Passage]:
    """Return the first passage of each definition or section.

    Of sections that editions of a document have in common, the first.
    """
    firsts: dict[tuple[str, str], Passage] = {}
    for each in passages:
        firsts.setdefault((each.path, each.title), each)
    found: dict[tuple[str, str], Passage] = {}
    for each in firsts.values():
        is_section = each.kind == "documentation" and each.title and not each.document
        beginning = each.text[:_BEGINNING] if is_section else each.path
        found.setdefault((beginning, each.title), each)
    return list(found.values())


def is_edition(one: Passage, other: Passage) -> bool:
    """Return whether sections of two files have one heading and nearly one text."""
    are_sections = one.kind == other.kind == "documentation" and one.title
    if not are_sections or one.title != other.title or one.path == other.path:
        return False
    stems, others = (read_question(each.text).stems for each in (one, other))
    return len(stems & others) >= _NEARLY * max(1, len(stems | others))


def is_empty(passage: Passage) -> bool:
    """Return whether a passage tells nothing: a heading, a reference, a licence."""
    if passage.kind == "documentation" and not passage.document:
        blocks = [e for e in read_blocks(passage.text) if e.kind != "heading"]
        text = " ".join(each.text for each in blocks).strip()
        return not text or _REFERS.match(text) is not None
    is_head = passage.start_line == 1 and not passage.title
    return is_head and _LICENSE.search(passage.text) is not None


def _is_worth_it(passage: Passage, asked: AskedWords) -> bool:
    """Return whether a passage tells something, and a test half of the asked words.

    A line that only imports tells nothing.
    """
    if is_empty(passage):
        return False
    if passage.kind == "documentation" and not passage.document:
        return True
    if passage.kind == "caller":
        return bool(passage.title) or not _IMPORT.search(passage.text)
    if passage.kind == "callee":
        return not is_test(passage.path)
    if passage.kind != "test":
        return True
    return 2 * len(words_shared(passage, asked)) >= len(asked.words)


def _with_definitions(passages: Sequence[Passage]) -> list[Passage]:
    """Put definitions in the place of what is written above them."""
    below = {each.id: _below(each, passages) for each in passages}
    leading = {each.id for each in below.values() if each is not None}
    found: list[Passage] = []
    for each in passages:
        definition = below[each.id]
        if definition is not None:
            found.append(_told_by(definition, each))
        elif each.id not in leading:
            found.append(each)
    return distinct(found)


def _below(passage: Passage, others: Iterable[Passage]) -> Passage | None:
    """Return the definition that begins where a passage without a name ends."""
    if passage.title or passage.document or passage.kind == "documentation":
        return None
    for each in others:
        between = each.start_line - passage.end_line
        is_same = (each.source, each.path) == (passage.source, passage.path)
        if is_same and each.title and 0 < between <= _MOST_BETWEEN:
            return each
    return None


def _told_by(definition: Passage, above: Passage) -> Passage:
    """Return a definition with what the comment above it says, where it has no words.

    Why it was found beside others is no longer of interest.
    """
    is_own = definition.kind == above.kind
    if is_own and definition.why:
        return definition
    comment = _TAGS.sub("", _COMMENT_MARKS.sub("", above.text))
    said = shorten(plain_sentence(comment.strip()), _SUMMARY)
    return replace(definition, kind=above.kind, why=said)

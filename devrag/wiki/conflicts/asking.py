"""What a model is asked about passages and code, and what of its answer counts.

A contradiction counts only if the model quotes both sides as they are: each quote has
to be in the lines that it was shown, with the words that differ in it. What it says
itself is shown as its reason and decides nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, TypeVar

from devrag.core.conflict_names import CONFLICT_KINDS
from devrag.core.text import one_line, shorten
from devrag.llm.chat import Message
from devrag.llm.fence import Fence
from devrag.parsing.tokens import estimate_tokens
from devrag.wiki.conflicts.passages import Passage
from devrag.wiki.conflicts.pieces import CodePiece
from devrag.wiki.conflicts.values import normalised

_PROMPT = Template(Path(__file__).with_name("prompt.md").read_text(encoding="utf-8"))
MOST_TOKENS, MOST_PASSAGES = 10_000, 20
MOST_ANSWER_TOKENS = 2_048
_ROLE = "You find where documentation contradicts the code beside it."
_SHORTEST, _LONGEST = 6, 400
_LONGEST_REASON = 200
_BLANK = re.compile(r"\s+")
_TEXTS = ("document_quote", "code_quote", "subject", "says", "has", "reason")
_Row = TypeVar("_Row")
ANSWER_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["conflicts", "checked"],
    "properties": {
        "conflicts": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["passage", "code", "kind", *_TEXTS],
                "properties": {
                    "passage": {"type": "integer"},
                    "code": {"type": "integer"},
                    "kind": {"type": "string", "enum": list(CONFLICT_KINDS)},
                    **{name: {"type": "string"} for name in _TEXTS},
                },
            },
        },
        "checked": {"type": "integer"},
    },
}


@dataclass(frozen=True, slots=True)
class Question:
    """A passage of a document, and the code that it is to be compared with."""

    path: str
    passage: Passage
    pieces: tuple[CodePiece, ...]


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """A contradiction that holds: both quotes are in what was shown.

    says, has: the words of each side that differ. lines: those of the quotes, counted
    from the first line of the passage and of the piece, which is 0.
    """

    question: Question
    piece: CodePiece
    kind: str
    subject: str
    says: str
    has: str
    reason: str
    document_lines: tuple[int, int]
    code_lines: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ConflictRequest:
    """One call. pieces: the code by the numbers that it has in the call, from 1."""

    questions: tuple[Question, ...]
    pieces: tuple[CodePiece, ...]
    messages: tuple[Message, ...]


def conflict_requests(
    questions: Iterable[Question], most_tokens: int = MOST_TOKENS
) -> Iterator[ConflictRequest]:
    """Yield the calls about passages. most_tokens: of what each call shows."""
    batch: list[Question] = []
    size = 0
    for question in questions:
        texts = [question.passage.text, *(piece.text for piece in question.pieces)]
        more = sum(map(estimate_tokens, texts))
        if batch and (size + more > most_tokens or len(batch) == MOST_PASSAGES):
            yield _request(batch)
            batch, size = [], 0
        batch.append(question)
        size += more
    if batch:
        yield _request(batch)


def _request(batch: Sequence[Question]) -> ConflictRequest:
    """Return the call about a batch; code that several passages share is shown once."""
    pieces = list(dict.fromkeys(piece for each in batch for piece in each.pieces))
    fence = Fence(_texts(batch, pieces))
    shown = [
        fence.around(f"CODE {number} · {piece.path}", piece.text)
        for number, piece in enumerate(pieces, 1)
    ]
    for number, each in enumerate(batch, 1):
        codes = ", ".join(str(pieces.index(piece) + 1) for piece in each.pieces)
        label = f"PASSAGE {number} · compare with CODE {codes} · {each.path}"
        if each.passage.about:
            label += f" · {each.passage.about}"
        shown.append(fence.around(label, each.passage.text))
    content = _PROMPT.substitute(
        fence=fence.word, evidence="\n\n".join(shown), count=len(batch)
    )
    messages = (Message("system", _ROLE), Message("user", content))
    return ConflictRequest(tuple(batch), tuple(pieces), messages)


def _texts(batch: Sequence[Question], pieces: Sequence[CodePiece]) -> Iterator[str]:
    for piece in pieces:
        yield from (piece.path, piece.text)
    for each in batch:
        yield from (each.path, each.passage.about, each.passage.text)


def read_answer(text: str, request: ConflictRequest) -> list[ModelVerdict] | None:
    """Return the contradictions of an answer that hold; None if it cannot be read.

    An answer that does not say that it looked at all passages is none either.
    """
    found = _json_of(text)
    if found is None or found.get("checked") != len(request.questions):
        return None
    rows = found.get("conflicts")
    if not isinstance(rows, list):
        return None
    read = (_verdict(row, request) for row in rows if isinstance(row, dict))
    return [each for each in read if each is not None]


def _json_of(text: str) -> dict[str, Any] | None:
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _verdict(row: Mapping[str, Any], request: ConflictRequest) -> ModelVerdict | None:
    """Return a row of an answer as a verdict, None if a part of it does not hold."""
    question = _numbered(request.questions, row.get("passage"))
    piece = _numbered(request.pieces, row.get("code"))
    if question is None or piece not in question.pieces:
        return None
    if row.get("kind") not in CONFLICT_KINDS:
        return None
    if not all(isinstance(row.get(name), str) for name in _TEXTS):
        return None
    said, there = str(row["document_quote"]), str(row["code_quote"])
    says, has = _line(row["says"]), _line(row["has"])
    document_lines = find_quote(question.passage.text, said)
    code_lines = find_quote(piece.text, there)
    if document_lines is None or code_lines is None:
        return None
    about = f"{question.passage.about}\n{question.passage.text}"
    subject = _line(row["subject"])
    if not (_has(said, says) and _has(there, has) and _has(about, subject)):
        return None
    if normalised(says) == normalised(has):
        return None
    reason = shorten(_line(row["reason"]), _LONGEST_REASON)
    lines = (document_lines, code_lines)
    kind = str(row["kind"])
    return ModelVerdict(question, piece, kind, subject, says, has, reason, *lines)


def _numbered(rows: Sequence[_Row], number: object) -> _Row | None:
    is_there = isinstance(number, int) and 1 <= number <= len(rows)
    return rows[number - 1] if is_there and isinstance(number, int) else None


def _has(text: str, words: str) -> bool:
    return bool(words) and _squeezed(words) in _squeezed(text)


def _line(text: str) -> str:
    """Return what a model wrote in one line, blanks and line ends as one blank."""
    return one_line(_squeezed(text))


def _squeezed(text: str) -> str:
    return _BLANK.sub(" ", text).strip()


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return the first and last line of a quote in a text, from 0; None: it is not.

    Blanks and line ends count as one blank; all else has to be as it is.
    """
    parts = quote.split()
    if not _SHORTEST <= len(quote.strip()) <= _LONGEST:
        return None
    match = re.search(r"\s+".join(map(re.escape, parts)), text)
    if match is None:
        return None
    return text.count("\n", 0, match.start()), text.count("\n", 0, match.end())

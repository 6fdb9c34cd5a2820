"""What a model finds of planted contradictions that detectors missed, and what wrongly.

It is asked about the passages with what was missed, and about others of the same
repository, chosen by chance, that nothing was planted in.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.memory_code import MemoryCode
from devrag.llm.chat import ChatModel
from devrag.wiki.conflicts.asking import (
    ANSWER_SCHEMA,
    MOST_ANSWER_TOKENS,
    ModelVerdict,
    Question,
    conflict_requests,
    read_answer,
)
from devrag.wiki.conflicts.inputs import is_document
from devrag.wiki.conflicts.memory import MemoryFile
from devrag.wiki.conflicts.passages import Passage, passages_of
from devrag.wiki.conflicts.pieces import choose_pieces

Plant = Mapping[str, str]


@dataclass
class ModelFigures:
    """Of a repository. documents: those that as many passages as were asked make up."""

    missed: list[Plant] = field(default_factory=list)
    found: int = 0
    wrong: list[dict[str, Any]] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)
    passages: int = 0
    others: int = 0
    all_passages: int = 0
    documents: int = 0
    requests: int = 0
    unread: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the figures; others_as_documents: untouched ones, by their length."""
        each = self.all_passages / self.documents if self.documents else 0
        return {
            "missed_by_detectors": len(self.missed),
            "found": self.found,
            "wrong": len(self.wrong),
            "passages": self.passages,
            "untouched_passages": self.others,
            "untouched_as_documents": round(self.others / each, 1) if each else 0,
            "requests": self.requests,
            "unread_answers": self.unread,
            "not_found": self.not_found,
            "wrong_boxes": self.wrong,
        }


def measure_model(
    chat: ChatModel,
    changed: Mapping[str, MemoryFile],
    missed: Sequence[Plant],
    found: Sequence[Plant],
    others: int,
) -> ModelFigures:
    """Ask about what detectors missed, and about so many other passages.

    found: by the detectors; what a model says of the same lines counts for nothing.
    """
    figures = ModelFigures(missed=list(missed))
    documents = {p: f for p, f in changed.items() if _is_read(p, f)}
    passages = [(p, each) for p, f in documents.items() for each in _passages(p, f)]
    figures.documents, figures.all_passages = len(documents), len(passages)
    planted = {p: _planted_lines(changed[p].text, p, missed) for p in documents}
    on = [each for each in passages if _has_line(each, planted)]
    touched = {plant["file"] for plant in (*missed, *found)}
    rest = [each for each in passages if each[0] not in touched]
    chance = random.Random(7)
    chosen = chance.sample(rest, min(others, len(rest)))
    asked = on + chosen
    chance.shuffle(asked)
    figures.passages, figures.others = len(asked), len(chosen)
    known = {p: _planted_lines(changed[p].text, p, found) for p in documents}
    verdicts = _verdicts(chat, asked, changed, figures)
    _score(figures, [v for v in verdicts if not _is_on(v, known)], planted)
    return figures


def _is_read(path: str, file: MemoryFile) -> bool:
    return bool(file.kind) or is_document(path, file.facts.kind)


def _passages(path: str, file: MemoryFile) -> list[Passage]:
    language = file.facts.language
    return passages_of(path, file.text, language=language, kind=file.kind)


def _planted_lines(text: str, path: str, plants: Iterable[Plant]) -> dict[int, str]:
    """Return the lines of a document in which something is planted → what."""
    found: dict[int, str] = {}
    for plant in (each for each in plants if each["file"] == path):
        told = plant["replacement"]
        for number in _lines_of(text, plant):
            found[number] = told
    return found


def _lines_of(text: str, plant: Plant) -> Iterable[int]:
    """Yield the lines that are new by a plant; of an added page those with its name."""
    lines = text.split("\n")
    told = plant["replacement"]
    if "document" in plant:
        word = told.split()[-1]
        yield from (at for at, line in enumerate(lines, 1) if word in line)
        return
    first = text.count("\n", 0, text.index(told))
    before = plant["text"].split("\n")
    if len(before) != told.count("\n") + 1:
        before = [""] * (told.count("\n") + 1)
    for at, old in enumerate(before, first):
        if lines[at].strip() and not (old.strip() and lines[at].endswith(old)):
            yield at + 1


def _has_line(
    asked: tuple[str, Passage], planted: Mapping[str, Mapping[int, str]]
) -> bool:
    path, passage = asked
    lines = range(passage.start_line, passage.end_line + 1)
    return any(number in planted[path] for number in lines)


def _verdicts(
    chat: ChatModel,
    asked: Sequence[tuple[str, Passage]],
    files: Mapping[str, MemoryFile],
    figures: ModelFigures,
) -> Iterable[ModelVerdict]:
    lookup = MemoryCode(files)
    questions = [
        Question(path, passage, tuple(pieces))
        for path, passage in asked
        if (pieces := choose_pieces(passage, lookup))
    ]
    for request in conflict_requests(questions):
        figures.requests += 1
        answer = chat.complete(
            request.messages,
            max_output_tokens=MOST_ANSWER_TOKENS,
            temperature=0.0,
            schema=ANSWER_SCHEMA,
        )
        found = read_answer(answer.text, request)
        figures.unread += found is None
        yield from found or ()


def _score(
    figures: ModelFigures,
    verdicts: Sequence[ModelVerdict],
    planted: Mapping[str, Mapping[int, str]],
) -> None:
    """Count what is on a planted line as right, once; everything else is wrong."""
    found: set[tuple[str, str]] = set()
    for verdict in verdicts:
        if on := _is_on(verdict, planted):
            found.update((verdict.question.path, told) for told in on)
        else:
            figures.wrong.append(_shown(verdict))
    figures.found = len(found)
    told = {(path, what) for path, lines in planted.items() for what in lines.values()}
    figures.not_found = [f"{path}: {what[-80:]}" for path, what in sorted(told - found)]


def _is_on(verdict: ModelVerdict, planted: Mapping[str, Mapping[int, str]]) -> set[str]:
    """Return what is planted on the lines that a verdict quotes."""
    path, passage = verdict.question.path, verdict.question.passage
    first, last = (passage.start_line + at for at in verdict.document_lines)
    lines = planted.get(path, {})
    return {lines[number] for number in range(first, last + 1) if number in lines}


def _shown(verdict: ModelVerdict) -> dict[str, Any]:
    piece = verdict.piece
    line = verdict.question.passage.start_line + verdict.document_lines[0]
    there = piece.start_line + verdict.code_lines[0]
    return {
        "kind": verdict.kind,
        "at": f"{verdict.question.path}:{line}",
        "says": f"{verdict.subject}: {verdict.says}",
        "code": f"{piece.path}:{there} {verdict.has}",
        "reason": verdict.reason,
    }

"""What a question means within its conversation: “and where is it closed?”: pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from devrag.ask.evidence.candidates import PassageCandidate
from devrag.ask.types import AskRequest, Passage
from devrag.core.text import code_text
from devrag.search.api import read_question

# Words that stand for something that was said before.
_POINTERS = re.compile(
    r"\b(?:it|its|itself|they|them|their|that|this|those|these|there|then|both"
    r"|the same|the other|the latter|the former)\b"
    r"|それ|これ|その|この|そこ|ここ|彼ら|両方|同じ",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s*(?:and|but|so|or|also|what about|how about|why\b\W*$|where\b\W*$)\b"
    r"|\s*(?:では|じゃあ|次に|他に|なぜ[？?]?$)",
    re.IGNORECASE,
)
# Search takes a lone word for a name; in a conversation it goes on: “Why?”
_ONE_WORD = re.compile(r"\s*[A-Za-z][a-z]*\W*")
_FEW_WORDS = 2
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
# The dictionary reads はいつ使う as はい, つ使う.
_WHEN = re.compile(r"(?<=[はがをにで])いつ(?=[\u3400-\u9fff])")
# What may be used and what not stands under 利用可能な文字.
_USABLE = re.compile("使え(?:ない|る)(?=[\u3400-\u9fff])")
# What was shown before weighs so much of what it would.
_OF_SHOWN = 0.4
_ASKED_FOR = 3


def retrieval_text(request: AskRequest) -> str:
    """Return the question with the subject of those before, where it lacks its own."""
    asked = _USABLE.sub("利用可能な", request.question)
    parts = [_WHEN.sub(" いつ ", asked)]
    for exchange in reversed(request.history):
        if not _leans_on_others(parts[-1]):
            break
        parts.append(exchange.question)
    return "\n".join(parts)


def prefer_new(
    candidates: Iterable[PassageCandidate], request: AskRequest
) -> list[PassageCandidate]:
    """Let what earlier answers showed weigh less: a follow-up asks for the rest."""
    return [
        replace(
            each,
            weight=each.weight * _OF_SHOWN,
            file_weight=each.file_weight * _OF_SHOWN,
        )
        if _is_repeated(each.path, each.title, request)
        else each
        for each in candidates
    ]


def repeated_ids(passages: Sequence[Passage], request: AskRequest) -> tuple[str, ...]:
    """Return the ids of passages that earlier answers of the conversation showed.

    passages: most useful first. A question that stands alone asks for the first of
    them, whatever was shown.
    """
    if not request.history:
        return ()
    asked = 0 if _leans_on_others(request.question) else _ASKED_FOR
    return tuple(
        each.id
        for each in passages[asked:]
        if _is_repeated(each.path, each.title, request)
    )


def _is_repeated(path: str, title: str, request: AskRequest) -> bool:
    """Return whether an earlier answer showed it, and the question names it not."""
    shown = any(
        path in exchange.paths and code_text(title or path) in exchange.answer
        for exchange in request.history
    )
    return shown and not _names(request.question, title)


def _names(text: str, title: str) -> bool:
    """Return whether a question has the whole name of a definition, or a heading.

    One word of several, such as the subject of the conversation, does not name it.
    """
    question = read_question(text)
    last = title if " " in title else title.rpartition(".")[2]
    if {title, last} & set(question.names):
        return True
    own = read_question(" ".join(_PARTS.findall(last)) or last).stems
    return bool(own) and own <= question.stems


def _leans_on_others(text: str) -> bool:
    question = read_question(text)
    if question.names and not _ONE_WORD.fullmatch(text):
        return False
    is_short = len(question.stems) <= _FEW_WORDS
    return is_short or bool(_GOES_ON.match(text) or _POINTERS.search(text))

"""ask and gather_context: an answer with its citations, or the evidence alone."""

from __future__ import annotations

import re
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from devrag.ask.api import (
    answer_question,
    check_question,
    finish_answer,
    gather_evidence,
    in_thread,
)
from devrag.ask.documents import link_citations, without_links
from devrag.ask.types import (
    MAX_QUESTION_CHARS,
    Answer,
    AskMode,
    AskRequest,
    Outcome,
    Passage,
    Scope,
)
from devrag.core.principal import Principal
from devrag.mcp.arguments import AnyCollection, Tokens
from devrag.mcp.caller import Ctx, caller
from devrag.mcp.collections import find_collection
from devrag.mcp.context import render_context

_DEFAULT_BUDGET = 6_000
_TERM = re.compile(r"\w{3,}")
_READ_ON = (
    "Texts ending in … are truncated, and left_out lists what did not fit: use "
    "read_file(source, path, start_line, end_line), or a larger token_budget."
)
_AMBIGUOUS = "Ask again as the answer says, with the qualified names in it."
_NOT_FOUND = (
    "No indexed content clearly matches; these are the closest results. Use other "
    "words or names from the code, or browse with list_tree."
)

Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_QUESTION_CHARS,
        description="In plain words; names from the code help.",
    ),
]
Path = Annotated[str, Field(max_length=1000, description="Only this file or folder.")]
Mode = Annotated[
    AskMode,
    Field(
        description="quick: search once; thorough: let a model search several times; "
        "trace: the call path from one definition to another ('how does A "
        "reach B')."
    ),
]


class AskAnswer(TypedDict):
    """Markdown; [n] is a source: `n source:path:lines`, its original's url in brackets.

    outcome: not_found where the sources do not answer it. is_extractive: no model wrote
    it, and it is the places to read in their order.
    """

    answer: str
    outcome: Outcome
    is_extractive: bool
    sources: list[str]
    diagram: NotRequired[str]
    notes: NotRequired[list[str]]
    next: NotRequired[str]


class EvidenceText(TypedDict):
    """Passages, best first: a line `path:lines what`, then these lines.

    is_found: something is about the question. left_out: passages that did not fit.
    """

    context: str
    is_found: bool
    left_out: NotRequired[list[str]]
    notes: NotRequired[list[str]]
    next: NotRequired[str]


async def ask(
    ctx: Ctx,
    question: Question,
    collection: AnyCollection = "",
    path: Path = "",
    mode: Mode = "quick",
) -> AskAnswer:
    """Answer a question about the code, with citations.

    Uses the server's language model if one is set, otherwise returns passages to read.
    To answer yourself, use gather_context, which needs no model call.
    """
    principal = caller(ctx, "read")
    request = await in_thread(_to_request, principal, question, collection, path, mode)
    return _to_answer(await finish_answer(answer_question(request)))


def gather_context(
    ctx: Ctx,
    question: Question,
    token_budget: Tokens = _DEFAULT_BUDGET,
    collection: AnyCollection = "",
    path: Path = "",
) -> EvidenceText:
    """Return the code and documentation for a question, to answer it yourself.

    One call instead of several searches and files: complete definitions, their callers
    and callees, documentation, settings, without duplicates. Filter by collection or
    path.
    """
    principal = caller(ctx, "read")
    request = _to_request(principal, question, collection, path, "quick")
    evidence = gather_evidence(request)
    terms = _TERM.findall(question)
    context = render_context(evidence.passages, token_budget, terms)
    found = EvidenceText(context=context.text, is_found=evidence.is_found)
    if context.left_out:
        found["left_out"] = list(context.left_out)
    if evidence.notes:
        found["notes"] = list(evidence.notes)
    if not evidence.is_found:
        found["next"] = _NOT_FOUND
    elif context.is_cut or context.left_out:
        found["next"] = _READ_ON
    return found


def _to_request(
    principal: Principal, question: str, collection: str, path: str, mode: AskMode
) -> AskRequest:
    """Return the question; UnknownCollection for what the caller cannot see."""
    check_question(question)
    found = find_collection(principal, collection)
    products = (found.product,) if found.product else ()
    return AskRequest(
        question=question,
        principal=principal,
        scope=Scope(products=products, source=found.source, path=path),
        mode=mode,
    )


def _to_answer(answer: Answer) -> AskAnswer:
    made = AskAnswer(
        answer=link_citations(answer.markdown, answer.citations, without_links),
        outcome=answer.outcome,
        is_extractive=answer.is_extractive,
        sources=[
            f"{number} {_place(each)}"
            for number, each in enumerate(answer.citations, 1)
        ],
    )
    if answer.diagram:
        made["diagram"] = answer.diagram
    if answer.notes:
        made["notes"] = list(answer.notes)
    if answer.outcome == "not_found":
        made["next"] = _NOT_FOUND
    elif answer.outcome == "ambiguous":
        made["next"] = _AMBIGUOUS
    return made


def _place(passage: Passage) -> str:
    lines = f"{passage.start_line}-{passage.end_line}"
    place = f"{passage.source}:{passage.path}:{lines} {passage.title}".rstrip()
    original = passage.document.url if passage.document else ""
    return f"{place} <{original}>" if original else place

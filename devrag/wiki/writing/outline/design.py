"""Asks a model for the outline of a wiki, once more where the answer does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devrag.llm.chat import Message
from devrag.llm.fence import Fence
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.addresses import known_addresses
from devrag.wiki.analysis.topics.outline import Outline, OutlinedTopic, section_key
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.outline.answer import MOST_SECTIONS, SCHEMA, read_design
from devrag.wiki.writing.outline.cover import (
    Checked,
    Limits,
    check_outline,
    limits_of,
)
from devrag.wiki.writing.outline.digest import Digest, digest_of
from devrag.wiki.writing.outline.types import DesignedPage
from devrag.wiki.writing.prompts import fill

_FEWEST_TOKENS = 8_000  # of the answer
_TOKENS_OF_PAGE = {"ja": 560}
_TOKENS_OF_OTHER_PAGE = 280
_ANSWER_OF_WINDOW = 0.25
_TRIES = 2
_FAULTS_TOLD, _ANSWER_SHOWN = 20, 24_000
_TOO_LONG = "the overview of the code is too long for the model's window"


@dataclass(frozen=True, slots=True)
class OutlineRequest:
    """What a model is asked, and what its answer is checked against.

    answer_tokens: that the answer may have.
    """

    messages: tuple[Message, ...]
    digest: Digest
    limits: Limits
    answer_tokens: int


def outline_request(
    analysis: Analysis,
    titles: Sequence[str],
    architecture: str,
    brief: Brief,
    window: int,
) -> OutlineRequest:
    """Return what a model is asked.

    titles: of the pages that exist in any case; architecture: of the one among them
    whose sections the model plans, too.
    """
    digest = digest_of(analysis, window)
    limits = limits_of(digest, titles, architecture)
    fence = Fence([digest.text])
    content = fill(
        "outline",
        product=brief.product,
        fence=fence.word,
        language=brief.language_name,
        digest=fence.around("digest", digest.text),
        fixed=", ".join(titles),
        architecture=architecture,
        fewest=limits.fewest,
        most=limits.most,
        about=limits.about,
        sections=MOST_SECTIONS,
    )
    messages = (brief.message(), Message("user", content, is_repeated=True))
    most_tokens = _answer_tokens(limits, brief.language, window)
    return OutlineRequest(messages, digest, limits, most_tokens)


def _answer_tokens(limits: Limits, language: str, window: int) -> int:
    """Return how long the answer may be, a third more pages than asked for."""
    of_page = _TOKENS_OF_PAGE.get(language, _TOKENS_OF_OTHER_PAGE)
    wanted = min(limits.most, limits.about * 4 // 3 + 1) * of_page
    return max(_FEWEST_TOKENS, min(wanted, int(window * _ANSWER_OF_WINDOW)))


def ask_for_outline(
    request: OutlineRequest, analysis: Analysis, brief: Brief, asking: Asking
) -> Checked | str:
    """Return the model's pages, repaired; a reason where no answer can be used."""
    best: Checked | None = None
    problem = ""
    messages: Sequence[Message] = request.messages
    for _ in range(_TRIES):
        most = request.answer_tokens
        said = asking.ask(messages, schema=SCHEMA, most_tokens=most)
        if said.finish_reason == "overflow":
            return best or _TOO_LONG
        try:
            answered = read_design(said.text)
        except ValueError as error:
            faults: tuple[str, ...] = (str(error),)
            problem = str(error)
        else:
            found = check_outline(
                answered, request.digest, analysis, request.limits, brief
            )
            if best is None or len(found.faults) < len(best.faults):
                best = found
            faults = found.faults
        if not faults:
            break
        errors = "\n".join(f"- {fault}" for fault in faults[:_FAULTS_TOLD])
        again = fill("correction", errors=errors)
        answer = Message("assistant", said.text[:_ANSWER_SHOWN] or "-")
        messages = [*request.messages, answer, Message("user", again)]
    return best or problem


def outline_of_pages(
    pages: Sequence[DesignedPage],
    files: Mapping[int, SurveyFile],
    steering: str,
    before: Outline,
) -> Outline:
    """Return designed pages as an outline; pages about the same files keep addresses.

    before: the outline whose pages readers know.
    """
    places = [
        tuple(sorted(f"{files[f].source}/{files[f].path}" for f in page.files))
        for page in pages
    ]
    addresses = known_addresses(places, before)
    topics = (
        OutlinedTopic(
            title=page.title,
            page=addresses.get(number, ""),
            files=places[number],
            sections=tuple(section_key(files, each) for each in page.documents),
            parent=page.parent,
        )
        for number, page in enumerate(pages)
    )
    return Outline(_parents_first(list(topics)), steering, is_complete=True)


def _parents_first(topics: list[OutlinedTopic]) -> tuple[OutlinedTopic, ...]:
    """Return the topics in their order, each part right after what it is part of."""
    order: list[int] = []
    for number, topic in enumerate(topics):
        if topic.parent is None:
            order.append(number)
            order += [n for n, t in enumerate(topics) if t.parent == number]
    place = {old: new for new, old in enumerate(order)}
    return tuple(
        OutlinedTopic(
            topics[n].title,
            topics[n].page,
            topics[n].files,
            topics[n].sections,
            None if topics[n].parent is None else place[topics[n].parent],  # type: ignore[index]
        )
        for n in order
    )

"""An answer as a page of the wiki: whether it may become one, and what that page says.

Readers of the wiki see one product, so an answer becomes a page only where all that it
was made of is of that product.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext, override

from devrag.ask.conversations.reading import ReadableTurn, hidden_source_ids
from devrag.ask.models import Citation, Turn
from devrag.core.inert_markdown import make_inert
from devrag.core.principal import PUBLISHER
from devrag.core.text import escape_markdown, shorten
from devrag.search.api import is_japanese
from devrag.wiki.api import (
    CITATION,
    AnswerPage,
    ClaimDraft,
    bare_sentence,
    before_punctuation,
    split_blocks,
)

_LONGEST_QUESTION, _LONGEST_SUMMARY, _LONGEST_TITLE = 1_000, 200, 200
_CITED = re.compile(r"\]\(cite:(\d+)\)")


def is_savable(turn: Turn) -> bool:
    """Return whether a turn has a whole answer, which may become a page."""
    return turn.state == Turn.State.DONE and turn.outcome == "answered"


def refuse_page(readable: ReadableTurn) -> str:
    """Return why an answer cannot become a page, "" where it can."""
    turn = readable.turn
    if not is_savable(turn):
        return gettext("Only a finished answer that was found can be saved as a page.")
    product = turn.conversation.product_id
    if product is None:
        return gettext(
            "This conversation is about several products, and readers of a wiki may "
            "not have access to all of them. Ask about one product to save the answer "
            "as a page."
        )
    is_elsewhere = any(each.product_id != product for each in readable.evidence)
    if readable.hidden or is_elsewhere or _cites_limited(readable):
        return gettext(
            "This answer is based on sources that some readers of the wiki cannot see, "
            "so it cannot be saved as a page."
        )
    if not readable.citations:
        return gettext("This answer has no citations, so it cannot be saved as a page.")
    return ""


def _cites_limited(readable: ReadableTurn) -> bool:
    """Return whether it read a source that not all readers of the wiki may see."""
    limited = hidden_source_ids(PUBLISHER)
    return any(each.source_id in limited for each in readable.evidence)


def title_for(turn: Turn) -> str:
    """Return a question as a title."""
    return shorten(turn.question, _LONGEST_TITLE)


def answer_page(readable: ReadableTurn, title: str) -> AnswerPage:
    """Return what the page of an answer says, its claims with their evidence."""
    turn = readable.turn
    language = "ja" if is_japanese(readable.markdown) else "en"
    text = make_inert(readable.markdown.strip())
    with override(language):
        lead = list(_lead(turn, title))
    claims = _claims(readable)
    if readable.diagram:
        text += f"\n\n```mermaid\n{readable.diagram.strip()}\n```"
    return AnswerPage(
        title=title,
        summary=_summary(turn, title, claims),
        markdown="\n\n".join([*lead, text]),
        language=language,
        claims=claims,
        question=turn.question,
        conversation=turn.conversation.uuid,
        turn=turn.ordinal,
        model=turn.model,
    )


def _summary(turn: Turn, title: str, claims: Sequence[ClaimDraft]) -> str:
    """Return what a model says first; of a list of passages the question."""
    first = claims[0].sentence if turn.model and claims else ""
    question = "" if turn.question == title else turn.question
    return shorten(first or question, _LONGEST_SUMMARY)


def _lead(turn: Turn, title: str) -> Iterator[str]:
    """Yield the question where the title is another, and how the answer was made."""
    question = shorten(turn.question, _LONGEST_QUESTION)
    if question != title:
        label = gettext("Question:")
        yield f"> **{label}** {escape_markdown(question)}"
    if turn.model:
        return
    if turn.mode == "trace" or turn.diagram:
        said = gettext(
            "No language model wrote this: the calls are read from the code."
        )
    else:
        said = gettext(
            "No language model wrote this: it lists the passages about the question."
        )
    yield f"*{said}*"


def _claims(readable: ReadableTurn) -> tuple[ClaimDraft, ...]:
    """Return a claim for each citation, under its number."""
    sentences = dict(reversed(list(_cited_sentences(readable.markdown))))
    return tuple(
        _claim(citation, sentences.get(number, ""))
        for number, citation in sorted(readable.citations.items())
    )


def _cited_sentences(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield each citation's number with a sentence that leans on it, in their order."""
    for block in split_blocks(before_punctuation(markdown)):
        for sentence in block.sentences() if block.kind != "fence" else ():
            for number in _CITED.findall(sentence):
                yield int(number), bare_sentence(CITATION.sub("", sentence))


def _claim(citation: Citation, sentence: str) -> ClaimDraft:
    return ClaimDraft(
        ordinal=citation.number,
        sentence=sentence,
        source=citation.source_name,
        path=citation.path,
        start_line=citation.start_line,
        end_line=citation.end_line,
        version_identifier=citation.version_identifier,
        content_hash=citation.content_hash,
        excerpt=citation.excerpt,
    )

"""What a topic is, in the two or three sentences that open its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.directory_descriptions import description_of
from devrag.wiki.analysis.leads import LeadSentence, is_namesake, lead_of
from devrag.wiki.analysis.prose import cited, full_stop, join_sentences
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_summary import essence

_CALLED = {"function", "method"}


def opening_of(ctx: PageContext, index: int) -> str:
    """Return the opening paragraph of a topic's page, in its sources' own words."""
    found = lead_of(ctx.analysis, index)
    if found:
        return join_sentences(_cited(ctx, index, found))
    topic = ctx.analysis.topics[index]
    return _described(ctx, topic) or " ".join(essence(ctx, topic))


def _described(ctx: PageContext, topic: Topic) -> str:
    """Return what a document says of the topic's directory."""
    words = description_of(ctx.analysis, topic.directory)
    if words is None:
        return ""
    path = ctx.path(ctx.analysis.files[words.file])
    told = phrase("{path} describes it as: {said}")
    text = (
        words.said if words.is_sentence else ctx.say(told, path=path, said=words.said)
    )
    marker = ctx.book.cite(words.file, words.start_line, words.end_line)
    return cited(full_stop(text), marker)


def _cited(
    ctx: PageContext, index: int, found: Sequence[LeadSentence]
) -> Iterator[str]:
    """Yield the sentences, each with what it is about where that is not the topic."""
    topic = ctx.analysis.topics[index]
    subject = None
    for sentence in found:
        symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
        is_known = symbol is None or (
            symbol.id == subject
            or symbol.name in sentence.text
            or (symbol.kind not in _CALLED and is_namesake(ctx.analysis, topic, symbol))
        )
        subject = symbol.id if symbol else None
        name = "" if is_known or symbol is None else ctx.symbol_name(symbol)
        yield cite_lead(ctx, sentence, name)


def cite_lead(ctx: PageContext, sentence: LeadSentence, name: str = "") -> str:
    """Return a lead sentence with the marker of the lines that say it."""
    text = f"{name}: {sentence.text}" if name else sentence.text
    symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
    if symbol is not None:
        return cited(text, ctx.cite_symbol(symbol))
    marker = ctx.book.cite(sentence.file, sentence.start_line, sentence.end_line)
    return cited(text, marker)

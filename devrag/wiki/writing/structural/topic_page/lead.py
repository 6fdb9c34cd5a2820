"""The first sentences of a topic's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.leads import LeadSentence, is_namesake, lead_of
from devrag.wiki.analysis.prose import cited, count_words, join_sentences
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_summary import essence


def tell_lead(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return the opening paragraph: what the topic is, in its sources' own words."""
    found = lead_of(ctx.analysis, index)
    if not found:
        return essence(ctx, ctx.analysis.topics[index])
    for sentence in found:
        told.add(sentence.text)
        told.words += count_words(sentence.text)
    return [join_sentences(_cited(ctx, index, found))]


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
            or is_namesake(ctx.analysis, topic, symbol)
        )
        subject = symbol.id if symbol else None
        yield cite_lead(ctx, sentence, "" if is_known or symbol is None else symbol.name)


def cite_lead(ctx: PageContext, sentence: LeadSentence, name: str = "") -> str:
    """Return a lead sentence with the marker of the lines that say it."""
    text = f"`{name}`: {sentence.text}" if name else sentence.text
    symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
    if symbol is not None:
        return cited(text, ctx.cite_symbol(symbol))
    marker = ctx.book.cite(sentence.file, sentence.start_line, sentence.end_line)
    return cited(text, marker)

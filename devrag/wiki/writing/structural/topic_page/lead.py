"""The first sentences of a topic's page."""

from __future__ import annotations

from devrag.wiki.analysis.leads import LeadSentence, is_namesake, lead_of
from devrag.wiki.analysis.prose import cited, count_words, join_sentences
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.told import Told
from devrag.wiki.writing.structural.topic_summary import essence


def tell_lead(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return the opening paragraph: what the topic is, in its sources' own words."""
    found = lead_of(ctx.analysis, index)
    if not found:
        return essence(ctx, ctx.analysis.topics[index])
    for sentence in found:
        told.sentences.add(sentence.text)
        told.words += count_words(sentence.text)
    return [join_sentences(cite_lead(ctx, sentence) for sentence in found)]


def _with_subject(ctx: PageContext, text: str, symbol: SurveySymbol) -> str:
    """Name what a sentence is about, unless it does so or it is the page's subject."""
    topic = ctx.analysis.topics[ctx.analysis.topic_of[symbol.file]]
    if symbol.name in text or is_namesake(ctx.analysis, topic, symbol):
        return text
    return f"{ctx.symbol_name(symbol)}: {text}"


def cite_lead(ctx: PageContext, sentence: LeadSentence) -> str:
    """Return a lead sentence with the marker of the lines that say it."""
    symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
    if symbol is not None:
        return cited(_with_subject(ctx, sentence.text, symbol), ctx.cite_symbol(symbol))
    marker = ctx.book.cite(sentence.file, sentence.start_line, sentence.end_line)
    return cited(sentence.text, marker)

"""What a topic is, in the two or three sentences that open its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.directory_descriptions import description_of
from devrag.wiki.analysis.leads import (
    LEAST_OF_FRONT,
    LeadSentence,
    home_of,
    is_namesake,
    lead_of,
    speaks_for,
)
from devrag.wiki.analysis.prose import cited, full_stop, join_sentences
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_summary import summarise_code

_CALLED = {"function", "method"}


def opening_of(ctx: PageContext, index: int) -> str:
    """Return the opening paragraph of a topic's page, in its sources' own words."""
    found = lead_of(ctx.analysis, index)
    if found:
        return join_sentences(_cited(ctx, index, found))
    topic = ctx.analysis.topics[index]
    return _described(ctx, topic) or " ".join(summarise_code(ctx, topic))


def _described(ctx: PageContext, topic: Topic) -> str:
    """Return what a document says of the topic's directory."""
    home = home_of(ctx.analysis, topic)
    words = description_of(ctx.analysis, home) if home else None
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
    about = ""
    for sentence in found:
        name = _subject(ctx, ctx.analysis.topics[index], sentence)
        yield cite_lead(ctx, sentence, name if name != about else "")
        about = name


def _subject(ctx: PageContext, topic: Topic, sentence: LeadSentence) -> str:
    """Return what a sentence is about, '' where it says so itself."""
    symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
    if symbol is None:
        return _file_of(ctx, topic, sentence)
    is_topic = symbol.kind not in _CALLED and is_namesake(ctx.analysis, topic, symbol)
    return "" if is_topic or _names(sentence.text, symbol) else ctx.symbol_name(symbol)


def _names(text: str, symbol: SurveySymbol) -> bool:
    """Return whether a text has a name that cannot be taken for a common word."""
    is_word = symbol.name.isalpha() and symbol.name.islower()
    name = re.escape(symbol.name)
    form = rf"`[^`]*\b{name}\b[^`]*`" if is_word else rf"\b{name}\b"
    return bool(re.search(form, text))


def _file_of(ctx: PageContext, topic: Topic, sentence: LeadSentence) -> str:
    """Return the file whose words on itself are not about the topic as a whole."""
    file = ctx.analysis.files[sentence.file]
    is_front = sentence.bonus >= LEAST_OF_FRONT and _covers(ctx, topic, file)
    is_part = ctx.analysis.roles[file.id] == "code" and not is_front
    is_topic = len(topic.files) == 1 or speaks_for(topic, file)
    is_topic = is_topic or sentence.text.lower().startswith("package ")
    return ctx.path(file) if is_part and not is_topic else ""


def _covers(ctx: PageContext, topic: Topic, file: SurveyFile) -> bool:
    """Return whether a file's directory holds at least half of the topic's code."""
    code = [f for f in topic.files if ctx.analysis.roles[f.id] == "code"]
    inside = [f for f in code if f"{f.directory}/".startswith(f"{file.directory}/")]
    return 2 * len(inside) >= len(code)


def cite_lead(ctx: PageContext, sentence: LeadSentence, name: str = "") -> str:
    """Return a lead sentence with the marker of the lines that say it."""
    text = f"{name}: {sentence.text}" if name else sentence.text
    symbol = ctx.analysis.symbols.get(sentence.symbol or 0)
    if symbol is not None:
        return cited(text, ctx.cite_symbol(symbol))
    marker = ctx.book.cite(sentence.file, sentence.start_line, sentence.end_line)
    return cited(text, marker)

"""The page on the product's own words, each with where it is explained."""

from __future__ import annotations

from devrag.wiki.analysis.glossary import terms_of
from devrag.wiki.analysis.prose import cited, clean, full_stop, sentences
from devrag.wiki.analysis.steering.types import Term
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.writing.structural.context import PageContext

_SENTENCES = 3
_SHOWN = 300


def write_glossary(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    terms = terms_of(ctx.analysis)
    items = [f"- {_item(ctx, term)}" for term in terms[:_SHOWN]]
    intro = ctx.say(
        "The sources define {words} of their own, listed alphabetically.",
        words=ctx.counted(len(terms), "word"),
    )
    return [f"# {ctx.page.title}", intro, "\n".join(items)]


def count_terms(ctx: PageContext) -> Places:
    """Return the number of terms for the summary."""
    return {"count": ctx.counted(len(terms_of(ctx.analysis)), "term")}


def _item(ctx: PageContext, term: Term) -> str:
    names = ctx.analysis.names
    said = sentences(clean(term.meaning, names))[:_SENTENCES]
    text = full_stop(" ".join(said)) or "."
    marker = ""
    if term.file is not None:
        marker = ctx.book.cite(term.file, term.start_line, term.end_line)
    return f"**{clean(term.term, names)}**: {cited(text, marker)}"

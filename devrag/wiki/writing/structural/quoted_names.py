"""Which names of a quoted text may be code: those that the cited lines show."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.wiki.analysis.names import Names, QuotedNames, unknown_spans
from devrag.wiki.analysis.prose import told_sentences
from devrag.wiki.writing.structural.context import PageContext

_QUOTED = QuotedNames()


def names_of_lines(ctx: PageContext, text: str, lines: Sequence[str]) -> Names:
    """Return which names of a text may be code when these lines are cited."""
    said = " ".join(told_sentences(text, _QUOTED))
    shown = "\n".join(lines)
    unknown = unknown_spans(said, ctx.analysis.names)
    is_shown = all(span.removesuffix("()") in shown for span in unknown)
    return _QUOTED if is_shown else ctx.analysis.names

"""Which kept sections are right no more although the model would be given the same.

A word of a glossary counts for what was written before it.
"""

from __future__ import annotations

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.reuse.sections import told_bodies
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.terms import other_form


def doubtful_sections(former: DraftedPage, context: ModelPageContext) -> set[int]:
    """Return the numbers of sections to be asked for, whatever their keys say."""
    if former.record is None:
        return set()
    known = former.record.terms
    new = {a: b for a, b in context.spellings.items() if a not in known}
    bodies = told_bodies(former)
    doubtful = set()
    for number in range(len(former.record.sections)):
        text = "\n".join(b.text for b in bodies.get(number, ()) if b.is_prose)
        if number == 0:  # the summary is given with the introduction
            text += f"\n{former.summary}"
        if other_form(text, new) is not None:
            doubtful.add(number)
    return doubtful

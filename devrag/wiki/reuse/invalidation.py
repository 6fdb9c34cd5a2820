"""Which kept sections are right no more although the model would be given the same.

A count of lines asks for nothing while it moves: only where a text states one that is
off by more than a little. A word of a glossary counts for what was written before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.drafts.record import Record, SectionRecord
from devrag.wiki.reuse.fingerprint import is_about, line_counts
from devrag.wiki.reuse.sections import told_bodies
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.terms import other_form


def doubtful_sections(
    former: DraftedPage, record: Record, page_context: ModelPageContext
) -> set[int]:
    """Return the places of sections to be asked for, whatever their keys say.

    record: of what the model would be given now.
    """
    if former.record is None:
        return set()
    known = former.record.terms
    new = {a: b for a, b in page_context.spellings.items() if a not in known}
    bodies = told_bodies(former)
    doubtful = set()
    for number, was in enumerate(former.record.sections):
        text = "\n".join(b.text for b in bodies.get(number, ()) if b.is_prose)
        if number == 0:  # the summary is made of the introduction
            text += f"\n{former.summary}"
        if _is_doubtful(text, was, record.sections[number], new):
            doubtful.add(number)
    return doubtful


def _is_doubtful(
    text: str, was: SectionRecord, now: SectionRecord, terms: Mapping[str, str]
) -> bool:
    is_off = any(
        any(is_about(stated, size) for size in was.sizes)
        and not any(is_about(stated, size) for size in now.sizes)
        for stated in line_counts(text)
    )
    return is_off or other_form(text, terms) is not None

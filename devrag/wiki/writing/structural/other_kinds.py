"""The sections in which pages of topics join what is not code."""

from __future__ import annotations

from devrag.wiki.wording import WORDINGS, phrase

DOCUMENTS_TITLE = phrase("What the documents say")
DECISIONS_TITLE = phrase("Decisions")
TICKETS_TITLE = phrase("Open tickets")


def is_of_other_kind(title: str) -> bool:
    """Return whether a section's title, in any language, is one of these."""
    return title in _said(DOCUMENTS_TITLE, DECISIONS_TITLE, TICKETS_TITLE)


def is_on_tickets(title: str) -> bool:
    """Return whether a section's title, in any language, is that of open tickets."""
    return title in _said(TICKETS_TITLE)


def _said(*titles: str) -> set[str]:
    return {each.say(title) for each in WORDINGS.values() for title in titles}

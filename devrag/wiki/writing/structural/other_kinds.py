"""The sections in which pages of topics join what is not code."""

from __future__ import annotations

from devrag.wiki.wording import WORDINGS, phrase

DOCUMENTS_TITLE = phrase("What the documents say")
TICKETS_TITLE = phrase("Open tickets")


def is_of_other_kind(title: str) -> bool:
    """Return whether a section's title, in any language, is one of these."""
    titles = (DOCUMENTS_TITLE, TICKETS_TITLE)
    return title in {w.say(each) for w in WORDINGS.values() for each in titles}

"""What labels are for others: words of a vocabulary, and what a file or page has."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from devrag.labels.kinds import KINDS

# The beginnings of reasons that rules give.
_REASONS = {
    "name": gettext_noop("its path contains “%(found)s”"),
    "import": gettext_noop("imports %(found)s"),
    "folder": gettext_noop("in a folder “%(found)s”"),
    "declares": gettext_noop("declares: %(found)s"),
    "path": gettext_noop("its path matches %(found)s"),
    "format": gettext_noop("it is a %(found)s file"),
}


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label that a file or a page has. name: as in `label:auth`.

    origin: rule, embedding, hand or page.
    """

    name: str
    kind: str = ""
    origin: str = "rule"
    reason: str = ""

    @property
    def title(self) -> str:
        """The label for people, in their language."""
        return title_of(self.name, self.kind)

    @property
    def said(self) -> str:
        """What gave it, for people."""
        if self.origin == "embedding":
            return gettext("similar in meaning")
        if self.origin == "hand":
            return gettext("added manually")
        if self.origin == "page":
            return gettext("from the files that this page cites")
        what, _, found = self.reason.partition(": ")
        said = _REASONS.get(what)
        return gettext(said) % {"found": found} if said else self.reason


@dataclass(frozen=True, slots=True)
class Assigned:
    """A label that is given to a file, with what gave it."""

    origin: str
    score: float = 1.0
    reason: str = ""


def title_of(name: str, kind: str) -> str:
    """Return a label as people read it: that of a kind unless it was renamed."""
    known = KINDS.get(kind)
    return gettext(known.title) if known and name == kind else name

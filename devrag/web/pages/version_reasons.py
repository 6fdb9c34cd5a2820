"""Says in the reader's language why a run wrote a page, and what its checks removed.

Reports keep their reasons as English sentences.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext, gettext_noop

_REASONS = (
    (r"it now covers (?P<path>.+)", gettext_noop("it now covers %(path)s")),
    (r"it no longer covers (?P<path>.+)", gettext_noop("it no longer covers %(path)s")),
    (
        r"the importance of its files changed",
        gettext_noop("the importance of its files changed"),
    ),
    (
        r"its content about other parts changed",
        gettext_noop("its content about other parts changed"),
    ),
    (r"and (?P<n>\d+) more files", gettext_noop("and more files: %(n)s")),
    (
        r"(?P<n>\d+) sections? of (?P<all>\d+) rewritten",
        gettext_noop("sections rewritten: %(n)s of %(all)s"),
    ),
    (r"(?P<path>\S+) changed", gettext_noop("%(path)s changed")),
)
_PATTERNS = tuple((re.compile(pattern), said) for pattern, said in _REASONS)
_GATES = {
    "citation": gettext_noop("Citations without evidence"),
    "name": gettext_noop("Unknown names"),
    "link": gettext_noop("Dead links"),
    "html": gettext_noop("Raw HTML"),
    "diagram": gettext_noop("Broken diagrams"),
    "page": gettext_noop("Pages without content"),
    "format": gettext_noop("Sentences that depend on a removed one"),
    "length": gettext_noop("Pages that are too long"),
    "translation": gettext_noop("Untranslated passages"),
    "support": gettext_noop("Sentences that their evidence does not support"),
}


def reason_of_page(reason: str) -> str:
    """Return why a page was written, as it is where no translation is known."""
    for pattern, said in _PATTERNS:
        if match := pattern.fullmatch(reason):
            return gettext(said) % match.groupdict()
    return reason


def name_of_gate(gate: str) -> str:
    """Return what a check looks for, the check's own name where it is not known."""
    return gettext(_GATES[gate]) if gate in _GATES else gate

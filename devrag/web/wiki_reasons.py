"""Why a run rewrote a page and what its checks removed, in the reader's language.

A version stores both in English.
"""

from __future__ import annotations

import re

from django.utils.translation import gettext, gettext_noop

# What a run writes, with what it names, and how that is said.
_REASONS = (
    (re.compile(r"it now covers (?P<path>.+)"), gettext_noop("now covers %(path)s")),
    (
        re.compile(r"it no longer covers (?P<path>.+)"),
        gettext_noop("no longer covers %(path)s"),
    ),
    (re.compile(r"and (?P<n>\d+) more files?"), gettext_noop("and %(n)s more files")),
    (
        re.compile(r"(?P<n>\d+) sections? of (?P<all>\d+) rewritten"),
        gettext_noop("%(n)s of %(all)s sections rewritten"),
    ),
    (
        re.compile(r"the importance of its files changed"),
        gettext_noop("the importance of its files changed"),
    ),
    (
        re.compile(r"its content about other parts changed"),
        gettext_noop("what it says about other parts changed"),
    ),
    (re.compile(r"(?P<path>\S.*) changed"), gettext_noop("%(path)s changed")),
)
_CHECKS = {
    "name": gettext_noop("unknown names"),
    "link": gettext_noop("dead links"),
    "citation": gettext_noop("missing citations"),
    "html": gettext_noop("markup"),
    "diagram": gettext_noop("diagrams with errors"),
    "page": gettext_noop("whole pages"),
}


def reason_in_words(reason: str) -> str:
    """Return a stored reason as a reader is told it; an unknown one as it is."""
    for pattern, words in _REASONS:
        if found := pattern.fullmatch(reason):
            return gettext(words) % found.groupdict()
    return reason


def check_in_words(gate: str) -> str:
    """Return what a check looks for; of an unknown one its name."""
    return gettext(_CHECKS[gate]) if gate in _CHECKS else gate

"""The steps that tell how something works that a question only describes: pure.

How does gitleaks detect secrets?     →  `Detector.detectRule()`, step by step
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import or_

from devrag.ask.from_wiki.pages import FoundSection
from devrag.ask.reasons import AskedWord
from devrag.search.api import read_question

# The heading of steps names a function and says more.
_OF_STEPS = re.compile(r"\(\)\W+\S")
_FEWEST_WORDS = 2


def choose_steps(
    words: Sequence[AskedWord], sections: Iterable[FoundSection]
) -> FoundSection | None:
    """Return the steps that have all words of a question, None where none has.

    Their heading and the title of their page have one of the words at least: steps that
    only mention all of them are about something else.
    """
    if len(words) < _FEWEST_WORDS:
        return None
    best, most = None, (0, 0)
    for each in sections:
        if not _OF_STEPS.search(each.heading):
            continue
        title, heading = (
            read_question(e).stems for e in (each.page.title, each.heading)
        )
        in_title = [word.is_in(title) for word in words]
        in_heading = [word.is_in(heading) for word in words]
        if not (any(in_title) and any(in_heading)):
            continue
        worth = sum(map(or_, in_title, in_heading)), sum(in_heading)
        if worth > most and _has_all(words, each, title | heading):
            best, most = each, worth
    return best


def _has_all(
    words: Sequence[AskedWord], section: FoundSection, head: frozenset[str]
) -> bool:
    stems = head | read_question("\n".join(section.lines)).stems
    return all(word.is_in(stems) for word in words)

"""Still true? Whether the lines that an answer cites stand as they did: no model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from devrag.ask.conversations.reading import ReadableTurn, citation_url, label_of
from devrag.ask.models import Citation
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import (
    CHANGED,
    CitedLines,
    ClaimFreshness,
    ClaimState,
    compare_lines,
    current_versions,
)


@dataclass(frozen=True, slots=True)
class RecheckedCitation:
    """A citation and what became of it.

    state: fresh, moved or stale. reason: of a stale one, a message id. now_label,
    now_url: where the lines are now, of a moved one; of a changed one its file.
    """

    number: int
    label: str
    url: str
    state: ClaimFreshness
    reason: str = ""
    now_label: str = ""
    now_url: str = ""


def recheck(readable: ReadableTurn, principal: Principal) -> list[RecheckedCitation]:
    """Return the state of each cited place that the reader may see, by number.

    Queries: those of a comparison for each product.
    """
    cited = [each for each in readable.evidence if each.number]
    by_number = {each.number: each for each in cited}
    rows = sorted(cited, key=lambda each: each.product_id)
    states: list[ClaimState] = []
    for product, of_product in groupby(rows, key=lambda each: each.product_id):
        lines = [_lines(each) for each in of_product]
        states += compare_lines(lines, current_versions(product, principal))
    found = [_rechecked(by_number[state.ordinal], state) for state in states]
    return sorted(found, key=lambda each: each.number)


def _lines(citation: Citation) -> CitedLines:
    return CitedLines(
        page="",
        ordinal=citation.number,
        source_name=citation.source_name,
        path=citation.path,
        start_line=citation.start_line,
        end_line=citation.end_line,
        content_hash=citation.content_hash,
        excerpt=citation.excerpt,
    )


def _rechecked(citation: Citation, state: ClaimState) -> RecheckedCitation:
    path = state.file.removeprefix(f"{citation.source_name}/")
    there = (citation.product.name, citation.source_name, CURRENT_VERSION, path)
    now_label = now_url = ""
    if state.state == ClaimFreshness.MOVED:
        lines = f"{state.start_line}–{state.end_line}"
        now_label = f"{path}:{lines}"
        now_url = file_url(*there, state.start_line, state.end_line)
    elif state.reason == CHANGED:
        now_url = file_url(*there)
    return RecheckedCitation(
        number=citation.number,
        label=label_of(citation),
        url=citation_url(citation),
        state=state.state,
        reason=state.reason,
        now_label=now_label,
        now_url=now_url,
    )

"""What is asked of the index for a section: its words, in code and in documents."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.wiki.planning.plan import PlannedPage
from devrag.wiki.wording import WORDINGS, phrase
from devrag.wiki.writing.model.section_plan import SectionPlan
from devrag.wiki.writing.page_kinds import PAGE_KINDS

_QUERIES = {kind.name: kind.queries for kind in PAGE_KINDS}
_OF_TITLES = {
    phrase("## How to run them"): "command that runs the tests, build script, "
    "test project settings, continuous integration",
}


@dataclass(frozen=True, slots=True)
class PseudoQuery:
    """A question to the index. kind: `code` or `doc`."""

    text: str
    kind: str


def _queries_of_titles() -> dict[str, str]:
    """Return what is asked for sections whose titles alone would find little."""
    return {
        wording.say(title).lstrip("# "): query
        for title, query in _OF_TITLES.items()
        for wording in WORDINGS.values()
    }


def queries_of(page: PlannedPage, section: SectionPlan) -> list[PseudoQuery]:
    """Return the questions for a section, documents and code apart.

    All of the product is asked, whatever files the page is about.
    """
    words = " ".join(filter(None, [page.title, section.title, section.about]))
    texts = [" ".join([words, _queries_of_titles().get(section.title, "")]).strip()]
    if not section.title:
        texts = list(_QUERIES[page.kind]) or [f"{words} purpose and design"]
    return [PseudoQuery(text, kind) for text in texts for kind in ("doc", "code")]

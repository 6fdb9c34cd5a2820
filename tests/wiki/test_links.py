"""A page may link to the pages that it leads to, not to every page there is."""

from __future__ import annotations

from devrag.wiki.generation.links import linked_pages
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, analyse, file_named

ANALYSIS = analyse(SHOP)
PLAN = plan_wiki(ANALYSIS)


def linked(path: str, *shown: str) -> list[str]:
    page = PLAN.page(path)
    assert page is not None
    files = {file_named(ANALYSIS, each).id: 2 for each in shown}
    return [found.path for found in linked_pages(PLAN, page, (), files)]


def test_the_pages_of_the_evidence_come_before_other_topics() -> None:
    topics = [p.path for p in PLAN.pages if p.topic is not None]
    last = PLAN.page(topics[-1])
    assert last is not None
    shown = next(f.path for f in ANALYSIS.survey.files if f.id in last.files)
    assert linked(topics[0], shown)[0] == topics[-1]


def test_a_page_on_a_topic_leads_to_topics_alone() -> None:
    assert all(path.startswith("features/") for path in linked("features/orders.md"))


def test_the_front_page_leads_to_all_kinds() -> None:
    assert "testing.md" in linked("index.md")

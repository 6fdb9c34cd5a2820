"""Short pages of a larger wiki are told on those of their hosts."""

from __future__ import annotations

import pytest

from devrag.wiki.planning.plan import Plan
from devrag.wiki.writing.structural.pages import join_short_pages, write_page
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, analyse

PARTS = ("mail", "billing", "search", "catalogue", "returns", "gifts")
MODULE = '''"""Keeps what the shop has to do with {name}."""


class {title}Ledger:
    """Holds the {name} of a day."""

    def add_{name}(self, entry):
        """Add one more."""
        return entry
'''
LARGER = SHOP | {
    f"shop/{name}/{stem}.py": MODULE.format(name=name, title=name.title()) * 12
    for name in PARTS
    for stem in ("ledger", "report")
}


@pytest.fixture(scope="module")
def plan() -> Plan:
    analysis = analyse(LARGER)
    return join_short_pages(analysis, plan_wiki(analysis))


def test_a_short_page_is_a_section_of_its_host(plan: Plan) -> None:
    analysis = analyse(LARGER)
    index = plan.page("index.md")
    assert index is not None
    assert plan.page("documentation.md") is None
    assert "documentation" in index.hosted
    text, _ = write_page(analysis, plan, index)
    assert "\n## Documentation\n" in text
    assert text.count("\n# ") == 0


def test_a_page_without_a_host_stays(plan: Plan) -> None:
    assert plan.page("data-model.md") is not None


def test_links_lead_to_the_host(plan: Plan) -> None:
    page = next(p for p in plan.pages if "configuration" in p.hosted)
    settings = plan.page("features/settings.md")
    assert settings is not None
    text, _ = write_page(analyse(LARGER), plan, settings)
    assert f"(../{page.path})" in text


def test_a_small_wiki_keeps_its_pages() -> None:
    analysis = analyse(SHOP)
    plan = plan_wiki(analysis)
    assert join_short_pages(analysis, plan) == plan

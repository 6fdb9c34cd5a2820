"""A topic's page leads to the topics around it and inside it."""

from __future__ import annotations

from dataclasses import replace

from devrag.wiki.generation.page import compose_page
from tests.wiki.plans import plan_wiki
from tests.wiki.shop import SHOP, analyse

BASKET = {
    "basket/basket.py": '"""What customers are about to buy."""\n\n'
    "from shop.orders.service import place_order\n\n\n"
    "class Basket:\n"
    '    """Books that a customer has chosen."""\n\n'
    "    def buy(self):\n        return place_order([])\n" + "# filler\n" * 90
}


def test_a_topic_leads_to_the_pages_of_its_parts() -> None:
    analysis = analyse(SHOP)
    titles = [topic.title for topic in analysis.topics]
    whole, part = titles.index("Orders"), titles.index("Stock")
    analysis.topics[part] = replace(analysis.topics[part], parent=whole)
    plan = plan_wiki(analysis)
    page = plan.page_of_topic(whole)
    assert page is not None
    text = compose_page(analysis, plan, page, lambda _text: None).markdown
    assert "## What has a page of its own\n\n- [Stock](stock.md): " in text


def test_a_related_topic_stands_with_what_is_used_of_it() -> None:
    analysis = analyse({**SHOP, **BASKET})
    plan = plan_wiki(analysis)
    page = next(page for page in plan.pages if page.title == "Orders")
    text = compose_page(analysis, plan, page, lambda _text: None).markdown
    related = text.partition("## Related topics\n\n")[2]
    used_by, _, builds_on = related.partition("### Builds on\n\n")
    assert used_by.startswith(
        "### Used by\n\n- [Basket](basket.md): `basket/basket.py` uses "
        "`place_order()` of `shop/orders/service.py`"
    )
    assert builds_on.startswith("- [Stock](stock.md): `shop/orders/service.py` uses ")

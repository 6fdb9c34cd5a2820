"""The tree of pages by a model: renamed, grouped, ordered; never a page lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from devrag.products.models import Product
from devrag.wiki.models import Page, Version
from devrag.wiki.planning.plan import Plan
from devrag.wiki.writing.model.tree import PlannedTree, apply_tree, read_tree
from tests.llm.chat_server import ChatServer
from tests.wiki.plans import plan_wiki
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP, analyse

ORDERS, STOCK = "features/orders.md", "features/stock.md"
Entries = list[dict[str, Any]]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_wiki(analyse(SHOP))


def entries_of(plan: Plan) -> Entries:
    return [
        {"path": p.path, "title": p.title, "parent": p.parent or "index.md"}
        for p in plan.pages
    ]


def changed(plan: Plan, of: str, **fields: Any) -> str:
    entries = [e | (fields if e["path"] == of else {}) for e in entries_of(plan)]
    return json.dumps({"pages": entries})


def placed(plan: Plan, text: str) -> Plan:
    return apply_tree(plan, PlannedTree("", tuple(read_tree(text, plan).values())))


def test_pages_are_renamed_and_grouped_and_keep_their_slugs(plan: Plan) -> None:
    found = placed(plan, changed(plan, STOCK, title="What is in stock", parent=ORDERS))
    page = found.page(STOCK)
    assert page is not None
    assert (page.title, page.parent) == ("What is in stock", ORDERS)
    assert {p.path for p in found.pages} == {p.path for p in plan.pages}


def test_pages_are_read_in_the_order_given_the_front_page_first(plan: Plan) -> None:
    text = json.dumps({"pages": entries_of(plan)[::-1]})
    found = placed(plan, text)
    paths = [p.path for p in plan.pages]
    assert [p.path for p in found.pages] == [*paths[:2], *paths[:1:-1]]
    assert [p.ordinal for p in found.pages] == list(range(len(paths)))


@pytest.mark.parametrize("title", ["", "<script>alert(1)</script>", "# [a](b) `c`"])
def test_a_title_is_never_markup_nor_empty(title: str, plan: Plan) -> None:
    page = placed(plan, changed(plan, STOCK, title=title)).page(STOCK)
    assert page is not None
    assert page.title
    assert not set("<>[]`#") & set(page.title)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lambda _: "", "no JSON"),
        (lambda _: '{"pages": [1]}', "no JSON"),
        (lambda plan: json.dumps({"pages": entries_of(plan)[1:]}), "exactly once"),
        (lambda plan: json.dumps({"pages": entries_of(plan) * 2}), "exactly once"),
        (lambda plan: changed(plan, STOCK, path="features/new.md"), "exactly once"),
        (lambda plan: changed(plan, STOCK, parent=STOCK), "below itself"),
        (lambda plan: changed(plan, STOCK, parent="testing.md"), "cannot stand"),
        (lambda plan: changed(plan, "testing.md", parent=ORDERS), "cannot stand"),
        (lambda plan: changed(plan, STOCK, title="Testing"), "same title"),
    ],
)
def test_a_tree_that_does_not_hold_is_refused(
    text: Callable[[Plan], str], said: str, plan: Plan
) -> None:
    with pytest.raises(ValueError, match=said):
        read_tree(text(plan), plan)


# -- in a run ------------------------------------------------------------------------


def grouped(prompt: str) -> str:
    pages = json.loads(ScriptedModel().keep(prompt))["pages"]
    for page in pages:
        if page["path"] == STOCK:
            page |= {"title": "What is in stock", "parent": ORDERS}
    return json.dumps({"pages": pages})


def of_trees(model: ScriptedModel) -> int:
    return sum(m[1].content.startswith("Order the pages") for m in model.asked)


def write(
    product: Product, server: ChatServer, **faults: Any
) -> tuple[ScriptedModel, Any]:
    model = ScriptedModel(**faults)
    server.write = model.serve
    return model, generate(product)


def test_the_tree_is_asked_for_once_and_readers_see_it(
    shelf: Product, server: ChatServer
) -> None:
    model, _ = write(shelf, server, tree=grouped)
    assert of_trees(model) == 1
    page = Page.objects.get(path=STOCK)
    assert (page.title, page.parent_path) == ("What is in stock", ORDERS)
    model, report = write(shelf, server)
    assert (model.asked, report["rewritten"]) == ([], [])


@pytest.mark.slow
def test_titles_that_readers_know_stay_when_a_page_comes(
    shelf: Product, server: ChatServer
) -> None:
    write(shelf, server, tree=grouped)
    new = {
        f"shop/mail/{name}.py": f'"""{name} of mail."""\n\n\ndef {name}():\n    pass\n'
        + "# filler\n" * 60
        for name in ("send", "queue", "retry")
    }
    index_source(shelf, "shop", {**SHOP, **new}, "b" * 40)
    model, report = write(shelf, server)
    assert "features/mail.md" in report["added"]
    assert of_trees(model) == 1
    page = Page.objects.get(path=STOCK, version=Version.objects.latest("pk"))
    assert (page.title, page.parent_path) == ("What is in stock", ORDERS)
    assert STOCK in report["reused"]


@pytest.mark.slow
def test_without_a_tree_the_plan_stands_and_the_report_says_why(
    shelf: Product, server: ChatServer
) -> None:
    model, report = write(shelf, server, tree=lambda _: '{"pages": []}')
    assert of_trees(model) == 3
    assert "did not order the pages: Each page must" in report["warnings"][0]
    assert Page.objects.get(path=STOCK).parent_path == "index.md"
    model, _ = write(shelf, server)
    assert of_trees(model) == 0

"""Pages where a product has code, documents and tickets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from devrag.core.hashing import sha256_hex
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.source_kinds import source_kinds
from devrag.wiki.generation.page import compose_page
from devrag.wiki.publishing.claim_kinds import kinds_of_sources
from tests.wiki.mixed import (
    TRACKER,
    Pages,
    analyse_mixed,
    pages_of,
    section,
    survey_mixed,
    ticket,
    wiki_page,
)
from tests.wiki.model_pages import DESIGN, ORDERS, write
from tests.wiki.plans import plan_wiki
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP, analyse

SAID, OPEN = "What the documents say", "Open tickets"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return pages_of(analyse_mixed())


def test_a_topic_says_what_the_code_does_then_documents_then_tickets(
    pages: dict[str, str],
) -> None:
    orders = pages["features/orders.md"]
    places = [orders.index(f"\n## {each}") for each in ("How it works", SAID, OPEN)]
    assert places == sorted(places)
    assert "Customers may change an order until the bill" in section(orders, SAID)
    assert "Customers may change" not in section(orders, "How it works")
    assert "last changed on 2025-06-02 [[E" in section(orders, SAID)


def test_an_open_ticket_stands_with_its_topic_and_a_closed_one_nowhere(
    pages: dict[str, str],
) -> None:
    orders = section(pages["features/orders.md"], OPEN)
    assert "| Bug #3: Basket is emptied [[E" in orders
    assert "| In Progress | 2026-01-03 |" in orders
    assert "Shelf is counted twice" in section(
        pages["features/counting-stock.md"], OPEN
    )
    assert not [path for path, text in pages.items() if "Order was lost" in text]


def test_a_ticket_about_nothing_stands_on_the_front_page_alone(
    pages: dict[str, str],
) -> None:
    front = section(pages["index.md"], OPEN)
    assert "About none of these topics:" in front
    assert "Lamp in the hall" in front.partition("About none")[2]
    assert [path for path, text in pages.items() if "Lamp" in text] == ["index.md"]


def test_properties_and_comments_of_tickets_are_no_documentation(
    pages: dict[str, str],
) -> None:
    text = "\n".join(pages.values())
    assert "Status: In Progress" not in text
    assert "empties the basket" not in text


def test_more_tickets_than_a_page_holds_are_counted() -> None:
    many = {
        f"issues/{n}.md": (ticket(n, f"Basket {n}"), "`place_order` fails.\n")
        for n in range(10, 21)
    }
    shown = section(pages_of(analyse_mixed(many))["features/orders.md"], OPEN)
    assert shown.count("| Bug #") == 8
    assert "Bug #20" in shown
    assert "Bug #10" not in shown
    assert "3 older tickets are open, too." in shown


def test_a_mention_in_code_gives_a_ticket_its_topic() -> None:
    survey, texts = survey_mixed()
    (lamp,) = (f.id for f in survey.files if f.path == "issues/6.md")
    (orders,) = (f.id for f in survey.files if f.path == "shop/orders/service.py")
    told = Analysis(replace(survey, mentions=((orders, lamp),)), texts)
    assert "Lamp in the hall" in section(pages_of(told)["features/orders.md"], OPEN)


def test_vectors_decide_where_words_do_not() -> None:
    places = {"features/orders.md": "shop/orders/service.py"}
    places |= {"features/counting-stock.md": "shop/stock/counting.py"}
    tickets: Pages = {
        f"issues/{n}.md": (ticket(n, "倉庫"), "注文と在庫。\n") for n in range(1, 9)
    }
    survey, texts = survey_mixed({**TRACKER, **tickets})
    near = {"shop/orders/service.py": 0, "shop/stock/counting.py": 1}
    vectors = {}
    for file in survey.files:
        axis = near.get(file.path, 0 if file.path in {"issues/1.md"} else 1)
        if file.path in near or file.path in tickets:
            vectors[file.id] = np.eye(2, dtype=np.float32)[axis]
    found = pages_of(Analysis(replace(survey, vectors=vectors), texts))
    shown = {path: section(found[path], OPEN) for path in places}
    assert "Bug #1: 倉庫" in shown["features/orders.md"]
    assert "Bug #8: 倉庫" not in shown["features/orders.md"]


def test_every_claim_holds_against_the_file_that_it_cites() -> None:
    analysis = analyse_mixed()
    plan = plan_wiki(analysis)
    page = plan.page("features/orders.md")
    assert page is not None
    draft = compose_page(analysis, plan, page, lambda _: None)
    assert not draft.findings
    cited = [c for c in draft.claims if c.path.startswith(("issues/", "wiki/"))]
    assert {c.path for c in cited} == {"issues/3.md", "wiki/Ordering.md"}
    for claim in cited:
        file = analysis.file_at[claim.source, claim.path]
        text = analysis.texts.text(file.id)
        assert claim.content_hash == sha256_hex(text)
        lines = text.split("\n")[claim.start_line - 1 : claim.end_line]
        assert claim.excerpt == "\n".join(lines)


def test_a_comment_on_a_ticket_changes_no_cited_line() -> None:
    def cited(text: str) -> list[str]:
        facts = replace(TRACKER["issues/3.md"][0], changed="2026-04-01T00:00:00Z")
        changed = {**TRACKER, "issues/3.md": (facts, text)}
        analysis = analyse_mixed(changed if text else TRACKER)
        plan = plan_wiki(analysis)
        page = plan.page("features/orders.md")
        assert page is not None
        claims = compose_page(analysis, plan, page, lambda _: None).claims
        return [c.excerpt for c in claims if c.path == "issues/3.md"]

    body = TRACKER["issues/3.md"][1]
    assert cited(f"{body}\n## Comments\n\nStill there.\n") == cited("")


def test_the_front_page_introduces_each_source_without_noise(
    pages: dict[str, str],
) -> None:
    front = pages["index.md"].partition("\n## ")[0]
    assert "### Shop (`shop`)\n\nShop sells books" in front
    assert "Everything that the people in the warehouse need" in front
    assert "It holds 4 pages and 4 tickets; 3 of the tickets are open." in front
    noise = ("sponsor", "Guides", "badge", "build")
    assert not [word for word in noise if word in front]
    assert front.index("written in Python") < front.index("Book shop")


def test_sponsors_and_bars_of_links_are_quoted_nowhere(pages: dict[str, str]) -> None:
    topics = "\n".join(text for path, text in pages.items() if "features/" in path)
    assert "sponsor" not in topics.lower()
    assert "Guides" not in topics


def test_readmes_of_several_sources_of_code_are_without_noise_too() -> None:
    bar = "[Docs](d.md) | [News](n.md) | [Chat](c.md) | [Blog](b.md) | [Jobs](j.md)"
    other = {
        "README.md": f"# Till\n\n{bar}\n\nGold sponsor of the year is Example Corp.\n\n"
        "The till prints bills for customers who come to the shop.\n",
        "till/__init__.py": '"""Print bills."""\n',
    }
    front = pages_of(analyse(SHOP, other))["index.md"]
    assert "The till prints bills" in front
    assert "Docs | News" not in front
    assert "sponsor" not in front


def test_pages_of_code_alone_are_as_they_were() -> None:
    till = {"till.py": '"""Print bills."""\n', "README.md": "# Till\n"}
    for trees in ((SHOP,), (SHOP, till)):
        analysis = analyse(*trees)
        text = "\n".join(pages_of(analysis).values())
        assert SAID not in text
        assert OPEN not in text
        assert not kinds_of_sources(analysis)


def test_a_repository_is_code_with_its_documents_and_a_folder_of_documents_is_not() -> (
    None
):
    papers = {"guide.md": "# Guide\n", "plan.md": "# Plan\n"}
    analysis = analyse(SHOP, papers)
    kinds = source_kinds(analysis.survey.files)
    named = {f"{f.source}/{f.path}": kinds[f.id] for f in analysis.survey.files}
    assert named["shop/docs/guide.md"] == "code"
    assert named["shop-1/plan.md"] == "documents"
    assert kinds_of_sources(analysis) == {"shop": "code", "shop-1": "documents"}


def test_documents_alone_and_a_tracker_alone_have_one_kind_of_pages() -> None:
    assert not analyse({"guide.md": "# Guide\n"}).has_several_kinds
    assert not analyse_mixed(code={}).has_several_kinds


def test_all_of_it_is_said_in_japanese() -> None:
    orders = pages_of(analyse_mixed(), "ja")["features/orders.md"]
    assert "\n## ドキュメントの記述\n" in orders
    assert "\n## 未完了のチケット\n" in orders
    assert "最終更新日 2025-06-02" in orders


@pytest.mark.parametrize("is_designed", [False, True])
def test_a_model_is_given_what_documents_say_and_which_tickets_are_open(
    is_designed: bool,
) -> None:
    model = ScriptedModel()
    design = DESIGN if is_designed else None
    draft = write(model, ORDERS, analysis=analyse_mixed(), design=design)
    asked = "\n".join(each.content for talk in model.asked for each in talk)
    assert "Customers may change an order until the bill" in asked
    assert "Bug #3: Basket is emptied: Since Monday" in asked
    assert "Bug #3: Basket is emptied" in section(draft.markdown, OPEN)


def test_pages_that_only_frame_a_wiki_explain_nothing() -> None:
    menu = "# Menu\n\n" + "Orders and stock. " * 9
    rule = (
        "# Security of orders\n\nWhoever orders has to be signed in as a customer, "
        "whose card the bank has checked before the first order.\n"
    )
    frames: Pages = {
        "wiki/Sidebar.md": (wiki_page("Sidebar"), menu),
        "wiki/Security.md": (wiki_page("Security"), rule),
    }
    found = pages_of(analyse_mixed({**TRACKER, **frames}))
    topics = "\n".join(text for path, text in found.items() if "features/" in path)
    assert "Orders and stock." not in topics
    assert "has to be signed in as a customer" in topics

"""The outline by a model: asked for once, carried through the run, kept, redesigned."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from devrag.products.models import Product
from devrag.wiki.generation.job import WORKFLOW
from devrag.wiki.models import Page, Version
from tests.llm.chat_server import Asked, ChatServer, Reply
from tests.scripted_server import Scripted
from tests.wiki.rows import index_source
from tests.wiki.runs import begin, generate, run_phase
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP

Outline = Callable[[str], str]


def as_one(title: str) -> Outline:
    """Return an outline whose first page has all groups but the last two."""

    def outline(prompt: str) -> str:
        pages = json.loads(ScriptedModel().as_found(prompt))["pages"]
        first, *rest = pages
        for page in rest[:-2]:
            first["code"] += page["code"]
        first["title"] = title
        rest[-1]["parent"] = title
        return json.dumps({"pages": [first, *rest[-2:]]})

    return outline


def write(
    product: Product, server: ChatServer, outline: Outline | None = None, **params: Any
) -> tuple[ScriptedModel, Any]:
    model = ScriptedModel(outline=outline)
    server.write = model.serve
    return model, generate(product, **params)


def topics() -> dict[str, str]:
    """Return the pages on topics that readers see: path → title."""
    pages = Version.objects.latest("pk").pages.filter(kind="feature")
    return dict(pages.values_list("path", "title"))


def test_a_wiki_has_the_pages_that_the_model_designed(
    shelf: Product, server: ChatServer
) -> None:
    model, report = write(shelf, server, as_one("Selling books"))
    assert len(model.outlines()) == 1
    assert report["warnings"] == []
    assert topics()["features/selling-books.md"] == "Selling books"
    page = Page.objects.get(path="features/selling-books.md")
    assert len(page.files) >= 3
    below = Page.objects.filter(parent_path=page.path)
    assert below.count() == 1
    assert "## What Orders keeps" in page.markdown  # the sections that were designed
    assert sum(len(p.files) for p in Page.objects.filter(kind="feature")) == 6


@pytest.mark.slow
def test_all_batches_see_the_pages_that_were_designed(
    shelf: Product, server: ChatServer
) -> None:
    server.write = ScriptedModel(outline=as_one("Selling books")).serve
    job = begin(shelf)
    (plan,) = run_phase(job, 0)
    assert "features/selling-books.md" in plan.result["pages"]
    server.write = ScriptedModel().serve
    for number in range(1, len(WORKFLOW.phases)):
        run_phase(job, number)
    assert set(topics()) < set(plan.result["pages"])


@pytest.mark.slow
def test_the_outline_is_kept_until_somebody_asks_for_another(
    shelf: Product, server: ChatServer
) -> None:
    write(shelf, server, as_one("Selling books"))
    model, report = write(shelf, server, as_one("Something else"))
    assert model.asked == []
    assert report["rewritten"] == []
    model, _ = write(shelf, server, as_one("Something else"), isRedesigned=True)
    assert len(model.outlines()) == 1
    # Readers know the page by its address, which stays.
    assert topics()["features/selling-books.md"] == "Something else"


@pytest.mark.slow
def test_much_new_code_has_the_pages_designed_anew(
    shelf: Product, server: ChatServer
) -> None:
    write(shelf, server)
    new = {
        f"shop/mail/{name}.py": f'"""{name} of mail."""\n\n\ndef {name}():\n    pass\n'
        + "# filler\n" * 60
        for name in ("send", "queue", "retry")
    }
    index_source(shelf, "shop", {**SHOP, **new}, "b" * 40)
    model, _ = write(shelf, server)
    assert len(model.outlines()) == 1


@pytest.mark.slow
def test_a_little_new_code_joins_a_page_without_a_call(
    shelf: Product, server: ChatServer
) -> None:
    write(shelf, server)
    before = topics()
    new = {"shop/orders/undo.py": "def undo(order):\n    return order\n"}
    index_source(shelf, "shop", {**SHOP, **new}, "b" * 40)
    model, _ = write(shelf, server)
    assert model.outlines() == []
    assert topics() == before


@pytest.mark.slow
def test_an_outline_that_does_not_hold_is_asked_for_once_more(
    shelf: Product, server: ChatServer
) -> None:
    answers = ['{"pages": []}']

    def outline(prompt: str) -> str:
        return answers.pop() if answers else ScriptedModel().as_found(prompt)

    model, report = write(shelf, server, outline)
    first, again = model.outlines()
    assert report["warnings"] == []
    assert "no JSON object" in again[-1].content
    assert again[: len(first)] == first


@pytest.mark.slow
def test_what_the_model_does_not_correct_is_reported(
    shelf: Product, server: ChatServer
) -> None:
    def outline(prompt: str) -> str:
        pages = json.loads(ScriptedModel().as_found(prompt))["pages"]
        return json.dumps({"pages": pages[:-1]})

    model, report = write(shelf, server, outline)
    assert len(model.outlines()) == 2
    faults = [w for w in report["warnings"] if "did not correct its outline" in w]
    assert any("code that is on no page: " in fault for fault in faults)


@pytest.mark.slow
def test_without_an_outline_the_topics_that_were_found_stay(
    shelf: Product, server: ChatServer
) -> None:
    model, report = write(shelf, server, lambda _: "none")
    assert len(model.outlines()) == 2
    assert "The model did not design the pages: " in report["warnings"][0]
    assert "features/orders.md" in topics()
    model, _ = write(shelf, server)
    assert model.outlines() == []
    model, _ = write(shelf, server, isAsked=True)
    assert len(model.outlines()) == 1


@pytest.mark.slow
def test_a_redesign_without_an_answer_to_use_keeps_the_present_pages(
    shelf: Product, server: ChatServer
) -> None:
    write(shelf, server, as_one("Selling books"))
    before = topics()
    model, report = write(shelf, server, lambda _: "none", isRedesigned=True)
    assert len(model.outlines()) == 2
    assert topics() == before
    assert report["rewritten"] == []
    page = Page.objects.filter(path="features/selling-books.md").latest("pk")
    assert "## What Orders keeps" in page.markdown


@pytest.mark.slow
def test_a_product_that_no_window_holds_keeps_the_topics_that_were_found(
    shelf: Product, server: ChatServer
) -> None:
    model = ScriptedModel()

    def answer(asked: Asked) -> Reply | Scripted:
        if "Design the outline" in asked.prompt:
            return Scripted(400, {"error": {"message": "prompt is too long"}})
        return model.serve(asked)

    server.write = answer
    report = generate(shelf)
    (warning,) = report["warnings"]
    assert "too long for the model's window" in warning
    assert "features/orders.md" in topics()


@pytest.mark.slow
def test_a_wiki_without_a_model_is_redesigned_too(
    shelf: Product, server: ChatServer, settings: Any
) -> None:
    settings.LLM_PROVIDER = "structural"
    generate(shelf)
    before = topics()
    Page.objects.filter(path="features/orders.md").update(title="Selling")
    kept = Version.objects.latest("number")
    kept.report["topics"]["titles"]["features/orders.md"] = "Selling"
    kept.save()
    generate(shelf)
    assert topics()["features/orders.md"] == "Selling"
    outdated = Page.objects.filter(path="features/orders.md")
    outdated.update(path="features/selling.md")
    generate(shelf, isRedesigned=True)
    assert topics()["features/selling.md"] == "Orders"
    assert sorted(topics().values()) == sorted(before.values())

"""What a run would cost, said before anything is asked of a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from devrag.products.models import Product
from devrag.wiki.generation.estimate import estimate_wiki
from tests.llm.chat_server import ChatServer
from tests.wiki.rows import index_source
from tests.wiki.runs import generate
from tests.wiki.scripted import ScriptedModel
from tests.wiki.shop import SHOP


def in_other_words(prompt: str) -> str:
    """Return sections without a sentence of an earlier run, which needs no check."""
    return ScriptedModel().write(prompt).replace("As to", "As regards")


@pytest.mark.slow
def test_an_estimate_counts_what_a_run_then_asks(
    shelf: Product, server: ChatServer
) -> None:
    found = estimate_wiki(shelf)
    assert server.seen == []
    model = ScriptedModel()
    server.write = model.serve
    pages = generate(shelf)["pages"]
    # The page on configuration is a table, which no model is asked for.
    assert (found.writer, found.pages, found.written) == (
        "openai/gpt-4.1",
        pages,
        pages - 1,
    )
    assert found.calls == pytest.approx(len(model.asked), rel=0.1)
    sent = sum(len(m.content) for asked in model.asked for m in asked) / 3.5
    assert found.input_tokens == pytest.approx(sent, rel=0.2)
    dollars = found.input_tokens * 2e-6 + found.output_tokens * 8e-6
    assert float(found.price or 0) == pytest.approx(dollars, abs=1e-5)


@pytest.mark.slow
def test_pages_that_would_be_kept_cost_nothing(
    shelf: Product, server: ChatServer
) -> None:
    server.write = ScriptedModel().serve
    generate(shelf)
    kept = estimate_wiki(shelf)
    assert (kept.written, kept.calls, kept.price) == (0, 0, 0)
    path = "shop/orders/service.py"
    text = SHOP[path].replace("def ", "def very_", 1)
    index_source(shelf, "shop", {**SHOP, path: text}, "b" * 40)
    found = estimate_wiki(shelf)
    assert 0 < found.written < found.pages
    model = ScriptedModel(faults=[in_other_words])
    server.write = model.serve
    report = generate(shelf)
    assert len(report["rewritten"]) == pytest.approx(found.written, abs=1)
    assert found.calls == pytest.approx(len(model.asked), abs=1)


@pytest.mark.slow
def test_a_model_of_unknown_price_has_none(
    shelf: Product, server: ChatServer, settings: Any
) -> None:
    known = estimate_wiki(shelf)
    settings.LLM_MODEL = "house-model"
    found = estimate_wiki(shelf)
    assert found == replace(known, writer="openai/house-model", price=None)

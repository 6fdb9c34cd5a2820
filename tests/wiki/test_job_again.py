"""Which pages a model is asked for again: those that it failed on, or all on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from devrag.products.models import Product
from devrag.wiki.models import Version
from devrag.wiki.publishing.versions import is_up_to_date
from tests.llm.chat_server import ChatServer
from tests.wiki.runs import generate
from tests.wiki.scripted import ScriptedModel

ORDERS = "features/orders.md"


def write(
    product: Product, server: ChatServer, model: ScriptedModel, **params: Any
) -> Mapping[str, Any]:
    server.write = model.serve
    return generate(product, **params)


@pytest.fixture
def failed(shelf: Product, server: ChatServer) -> Product:
    """A wiki whose page on orders the model could not tell."""

    def fault(prompt: str) -> str:
        is_orders = "Orders (feature)\n" in prompt
        return "{}" if is_orders else ScriptedModel().write(prompt)

    report = write(shelf, server, ScriptedModel(faults=[fault]))
    assert report["unfinished"] == [ORDERS]
    return shelf


def test_a_page_that_the_model_failed_on_is_tried_again_for_who_asks(
    failed: Product, server: ChatServer
) -> None:
    assert not is_up_to_date(failed)
    report = write(failed, server, ScriptedModel(), isAsked=True)
    above = {"index.md", "architecture.md"}  # they are told how the page begins
    assert set(report["rewritten"]) == {ORDERS, *above}
    assert report["why"][ORDERS] == ["the model failed on a section of the page"]
    assert report["unfinished"] == []
    assert is_up_to_date(failed)
    page = Version.objects.latest("pk").pages.get(path=ORDERS)
    assert "holds what is told here" in page.markdown


@pytest.mark.slow
def test_a_run_that_nobody_asked_for_leaves_such_a_page(
    failed: Product, server: ChatServer
) -> None:
    model = ScriptedModel()
    report = write(failed, server, model)
    assert (model.asked, report["rewritten"]) == ([], [])
    assert report["unfinished"] == [ORDERS]


@pytest.mark.slow
@pytest.mark.parametrize("is_model", [True, False])
def test_all_pages_are_written_anew_when_that_is_asked_for(
    is_model: bool, shelf: Product, server: ChatServer, settings: Any
) -> None:
    if not is_model:
        settings.LLM_PROVIDER = "structural"
    first = write(shelf, server, ScriptedModel())
    report = write(shelf, server, ScriptedModel(), isForced=True)
    assert sorted(report["rewritten"]) == sorted(first["added"])
    assert report["why"]["index.md"] == ["all pages were requested again"]

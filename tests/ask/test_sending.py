"""What leaves for a model, over a real connection, and who pays for it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from devrag.ask.language import in_answer_language
from devrag.ask.types import Answer, AskEvent, AskRequest, Draft, Evidence, Finished
from devrag.ask.writing.sending import answer_with_model
from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.spending.models import ModelCall
from tests.ask.passages import ASKED, EVIDENCE, PASSAGES
from tests.llm.chat_server import Asked, ChatServer, Reply, chat_server, use_server
from tests.scripted_server import Scripted
from tests.tiers import mostly_slow

pytestmark = pytest.mark.django_db(transaction=True)
SAID = (
    "`charge` adds the tax to the amount [[E1]]. "
    "The cart calls it with the sum of all prices [[E2]]."
)
REQUEST = AskRequest(ASKED, SYSTEM)


@pytest.fixture(params=mostly_slow(["openai", "anthropic"]))
def server(settings: Any, request: pytest.FixtureRequest) -> Iterator[ChatServer]:
    with chat_server() as server:
        use_server(server, settings, request.param)
        yield server


@pytest.fixture(autouse=True)
def shop(db: None) -> Product:
    return Product.objects.create(name="shop")


def answer(evidence: Evidence = EVIDENCE, language: str = "") -> Answer:
    request = replace(REQUEST, language=language)

    async def read() -> AskEvent:
        made = in_answer_language(request, answer_with_model(request, evidence))
        return [event async for event in made][-1]

    last = asyncio.run(read())
    assert isinstance(last, Finished)
    return last.answer


def test_texts_of_ours_are_in_the_language_of_the_answer(server: ChatServer) -> None:
    server.script = ["[[NONE]]"]
    nothing = "この質問の答えはソースにありません"
    assert answer(language="ja").markdown.startswith(nothing)
    Product.objects.update(is_external_models_allowed=False)
    kept_back = answer(language="ja")
    assert kept_back.markdown.startswith("質問に最も近い箇所")
    assert "not sent" not in kept_back.notes[0]


def test_what_a_model_fails_with_is_in_the_language_of_the_answer(
    server: ChatServer, settings: Any
) -> None:
    settings.ASK_CAP_PER_DAY = 0.0
    (note,) = answer(language="ja").notes
    assert note.startswith("この回答はモデルが書いたものではありません")
    assert "per day" not in note
    assert not re.search(r"[a-z]{3,} [a-z]{3,}", note)


def test_the_product_of_the_passages_pays(server: ChatServer, shop: Product) -> None:
    server.script = [Reply(SAID, input_tokens=900, output_tokens=60)]
    found = answer()
    assert found.markdown.count("cite:") == 2
    assert (found.model, found.input_tokens, found.output_tokens) == (
        "gpt-4.1",
        900,
        60,
    )
    call = ModelCall.objects.get()
    assert (call.product_id, call.purpose, call.input_tokens) == (shop.pk, "ask", 900)


def test_what_a_product_keeps_to_itself_is_not_sent(server: ChatServer) -> None:
    Product.objects.create(name="vault", is_external_models_allowed=False)
    kept = replace(PASSAGES[2], product="vault", text="the vault's words", title="")
    server.script = [SAID]
    found = answer(replace(EVIDENCE, passages=(*PASSAGES[:2], kept)))
    assert "vault" not in server.seen[0].prompt
    (note,) = found.notes
    assert note == (
        "Passages of vault were not sent to the language model, because external "
        "models are not allowed there."
    )


def test_without_anything_to_send_the_passages_are_the_answer(
    server: ChatServer, shop: Product
) -> None:
    Product.objects.update(is_external_models_allowed=False)
    found = answer()
    assert not server.seen
    assert found.is_extractive
    assert "shop" in found.notes[0]


def test_a_product_that_is_gone_is_not_sent(server: ChatServer) -> None:
    Product.objects.all().delete()
    assert answer().is_extractive
    assert not server.seen


@pytest.mark.parametrize("fault", ["cut", "error"])
def test_half_an_answer_keeps_what_was_checked(server: ChatServer, fault: Any) -> None:
    server.script = [Reply(f"{SAID} {SAID} {SAID}", fault=fault)]
    found = answer()
    assert "adds the tax" in found.markdown
    assert not found.is_complete
    assert "cut off" in found.notes[-1]


CHECKED = f"{SAID} A cart is not charged for its items [[E2]]."


def refuse(number: int, *, of: int) -> Callable[[Asked], Reply]:
    def write(asked: Asked) -> Reply:
        assert asked.body["model"] == "checker"
        assert "return charge(sum(price" in asked.prompt
        assert f"{number}| (P2) A cart is not charged" in asked.prompt
        return Reply(f"{number}| E2 charges it\nchecked| {of}")

    return write


def test_a_second_model_refuses_what_words_do_not_see(
    server: ChatServer, settings: Any
) -> None:
    server.script = [CHECKED]
    assert "is not charged" in answer().markdown
    settings.LLM_CHECK_MODEL = "checker"
    server.script = [CHECKED]
    server.write = refuse(3, of=3)
    found = answer()
    assert found.markdown.count("cite:") == 2
    (removed,) = found.removed
    assert removed.sentence.startswith("A cart is not charged")
    assert (found.input_tokens, found.output_tokens) == (200, 40)
    check, asked = ModelCall.objects.order_by("-pk")[:2]
    assert (check.model, check.purpose, check.run) == ("checker", "ask", asked.run)


def test_an_answer_stands_where_the_second_model_fails(
    server: ChatServer, settings: Any
) -> None:
    settings.LLM_CHECK_MODEL = "checker"
    server.script = [SAID, Scripted(500, {"error": {"message": "down"}})]
    found = answer()
    assert found.markdown.count("cite:") == 2
    assert found.is_complete
    assert found.notes[-1].startswith(
        "The second check of the answer was stopped early"
    )


def test_a_cap_leaves_the_passages(server: ChatServer, settings: Any) -> None:
    settings.ASK_CAP_PER_DAY = 0.0
    found = answer()
    assert not server.seen
    assert found.is_extractive
    assert "not written by a model" in found.notes[-1]


def test_a_reader_that_leaves_ends_the_call_and_it_is_counted(
    server: ChatServer,
) -> None:
    server.script = [Reply(SAID * 50, fault="drip")]

    async def leave() -> None:
        async with aclosing(answer_with_model(REQUEST, EVIDENCE)) as events:
            async for event in events:
                if isinstance(event, Draft):
                    return

    asyncio.run(leave())
    assert ModelCall.objects.get().finished_at is not None

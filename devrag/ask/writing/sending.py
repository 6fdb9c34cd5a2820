"""Which passages may leave for a model, and on whose account it is asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from uuid import uuid4

from django.utils.translation import gettext

from devrag.ask.agent.look import choose_reading
from devrag.ask.agent.loop import look_further
from devrag.ask.agent.reach import find_payer
from devrag.ask.extractive import extractive_answer
from devrag.ask.threads import in_thread
from devrag.ask.types import AskEvent, AskRequest, Evidence, Finished
from devrag.ask.writing.writing import write_answer
from devrag.products.models import Product
from devrag.spending.language_model import (
    ask_model_name,
    check_model_name,
    is_check_model_set,
    open_stream,
)
from devrag.spending.models import ASK_PURPOSE


async def answer_with_model(
    request: AskRequest, evidence: Evidence
) -> AsyncGenerator[AskEvent, None]:
    """Yield the answer of the model that settings name, as write_answer() does.

    First the model chooses what is read, or in thorough mode looks further by itself.
    What a product keeps from external models is not sent; without anything to send the
    passages are the answer.
    """
    sent = await in_thread(choose_sendable, evidence)
    if sent.product_id is None and request.mode == "thorough":
        sent = replace(sent, product_id=await in_thread(find_payer, request))
    if sent.product_id is None:
        yield Finished(extractive_answer(evidence, sent.notes))
        return
    open_model = partial(
        open_stream, product_id=sent.product_id, run=uuid4(), purpose=ASK_PURPOSE
    )
    chat = open_model(model=ask_model_name())
    checker = None
    if is_check_model_set():
        checker = open_model(model=check_model_name())
    chosen = sent.evidence
    look = look_further if request.mode == "thorough" else choose_reading
    async with aclosing(look(request, chosen, chat)) as steps:
        async for step in steps:
            if isinstance(step, Evidence):
                chosen = step
            else:
                yield step
    async with aclosing(write_answer(request, chosen, chat, checker)) as events:
        async for event in events:
            yield event


@dataclass(frozen=True, slots=True)
class Sendable:
    """What may be sent. product_id: who pays, None where nothing may be sent."""

    evidence: Evidence
    product_id: int | None
    notes: tuple[str, ...] = ()


def choose_sendable(evidence: Evidence) -> Sendable:
    """Return the passages of products that allow external models.

    The product of the most useful passage pays.
    """
    names = {each.product for each in evidence.passages}
    allowed = dict(
        Product.objects.filter(
            name__in=names, is_external_models_allowed=True
        ).values_list("name", "pk")
    )
    kept = tuple(each for each in evidence.passages if each.product in allowed)
    kept_back = ", ".join(sorted(names - allowed.keys()))
    text = gettext(
        "Passages of %(products)s were not sent to the language model, because "
        "external models are not allowed there."
    )
    notes = (text % {"products": kept_back},) if kept_back else ()
    return Sendable(
        replace(evidence, passages=kept, notes=(*notes, *evidence.notes)),
        allowed[kept[0].product] if kept else None,
        notes,
    )

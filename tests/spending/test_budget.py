"""Caps hold: beside each other, after deaths, in each of their two scopes."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from devrag.core.errors import PermissionDenied
from devrag.llm.chat import Usage
from devrag.llm.prices import Price
from devrag.products.models import Product
from devrag.spending.budget import (
    CapReached,
    reserve_call,
    settle_call,
    settle_lost_calls,
)
from devrag.spending.models import ASK_PURPOSE, EMBEDDING_PURPOSE, ModelCall
from devrag.spending.totals import (
    add_up,
    calls_of_month,
    calls_of_run,
    day_begin,
    month_begin,
)
from tests.jobs.test_real_worker import worker_environment

pytestmark = pytest.mark.django_db(transaction=True)
DOLLAR_A_TOKEN = Price.of("1000000", "1000000", "1000000")


@pytest.fixture(autouse=True)
def caps(settings: Any) -> None:
    settings.LLM_CAP_PER_RUN, settings.LLM_CAP_PER_MONTH = 10.0, 100.0


@pytest.fixture
def run() -> UUID:
    return uuid4()


def new_call(product: Product, run: UUID, most: int = 1) -> ModelCall:
    return ModelCall(
        product=product,
        run=run,
        purpose="page",
        provider="openai",
        model="gpt-4.1",
        reserved_cost=Decimal(most),
    )


def reserve(product: Product, run: UUID, most: int = 1) -> ModelCall:
    call = new_call(product, run, most)
    reserve_call(call=call)
    return call


def spend(product: Product, run: UUID, used: int, most: int | None = None) -> ModelCall:
    """Reserve a call and settle it at what it used, in dollars."""
    call = reserve(product, run, most or used)
    settle_call(call=call, usage=Usage(used, 0), price=DOLLAR_A_TOKEN)
    return call


def test_settling_gives_back_what_was_not_used(product: Product, run: UUID) -> None:
    spend(product, run, used=2, most=9)
    reserve(product, run, 8)
    total = add_up(calls_of_run(run))
    assert (total.cost, total.reserved, total.calls) == (2, 8, 2)


def test_a_call_that_could_go_beyond_is_not_made(product: Product, run: UUID) -> None:
    spend(product, run, used=8)
    with pytest.raises(CapReached) as caught:
        reserve(product, run, 3)
    assert caught.value.permanent
    for said in ("$10.00", "this run", "$8.00 spent", "$3.00", "LLM_CAP_PER_RUN"):
        assert said in caught.value.message
    assert ModelCall.objects.count() == 1
    reserve(product, run, 2)  # a smaller one still fits


def test_reservations_that_may_be_given_back_are_worth_waiting_for(
    product: Product, run: UUID
) -> None:
    reserve(product, run, 8)
    with pytest.raises(CapReached, match=r"\$8\.00 reserved") as caught:
        reserve(product, run, 3)
    assert not caught.value.permanent


def test_the_month_of_a_product_is_capped_over_its_runs(
    product: Product, settings: Any
) -> None:
    settings.LLM_CAP_PER_MONTH = 15.0
    spend(product, uuid4(), used=10)
    with pytest.raises(CapReached, match=r"'shop' in .*LLM_CAP_PER_MONTH"):
        reserve(product, uuid4(), 6)
    other = Product.objects.create(name="other")
    reserve(other, uuid4(), 6)
    ModelCall.objects.filter(product=product).update(
        created_at=month_begin() - timedelta(seconds=1)
    )
    reserve(product, uuid4(), 6)


def answer(product: Product, used: int) -> None:
    """Reserve and settle a call that answers a question."""
    call = new_call(product, uuid4(), used)
    call.purpose = ASK_PURPOSE
    reserve_call(call=call)
    settle_call(call=call, usage=Usage(used, 0), price=DOLLAR_A_TOKEN)


def test_answers_of_a_day_have_a_cap_of_their_own(
    product: Product, settings: Any
) -> None:
    settings.ASK_CAP_PER_DAY = 5.0
    spend(product, uuid4(), used=8)  # a wiki's
    answer(product, 4)
    with pytest.raises(
        CapReached, match=r"daily limit .*about 'shop' would be exceeded.*tomorrow"
    ):
        answer(product, 2)
    spend(product, uuid4(), used=8)
    answer(Product.objects.create(name="other"), 2)
    ModelCall.objects.update(created_at=day_begin() - timedelta(seconds=1))
    answer(product, 2)


def test_one_answer_may_cost_what_a_run_may(product: Product, settings: Any) -> None:
    settings.ASK_CAP_PER_DAY = 50.0
    with pytest.raises(
        CapReached, match=r"per answer would be exceeded.*LLM_CAP_PER_RUN"
    ):
        answer(product, 11)


def test_answers_count_in_the_month_of_their_product(
    product: Product, settings: Any
) -> None:
    settings.ASK_CAP_PER_DAY, settings.LLM_CAP_PER_MONTH = 50.0, 10.0
    answer(product, 4)
    with pytest.raises(CapReached, match="LLM_CAP_PER_MONTH"):
        spend(product, uuid4(), used=8)


def test_answers_are_no_part_of_a_wikis_run(product: Product, run: UUID) -> None:
    spend(product, run, used=3)
    answer(product, 2)
    assert add_up(calls_of_run(run)).cost == 3


def test_embeddings_are_another_account(product: Product, run: UUID) -> None:
    ModelCall.objects.create(
        product=product,
        run=run,
        purpose=EMBEDDING_PURPOSE,
        cost=Decimal(500),
        finished_at=timezone.now(),
    )
    reserve(product, run, 10)
    assert add_up(calls_of_month(product.pk)).calls == 1


def test_what_costs_nothing_is_not_capped(product: Product, settings: Any) -> None:
    settings.LLM_CAP_PER_RUN = 0.0
    run = uuid4()
    call = reserve(product, run, 0)
    settle_call(call=call, usage=Usage(5, 6), price=None)
    total = add_up(calls_of_run(run))
    assert (total.cost, total.unpriced, total.output_tokens) == (0, 1, 6)


def test_a_product_that_keeps_its_texts_sends_none(product: Product) -> None:
    call = new_call(product, uuid4())
    Product.objects.update(is_external_models_allowed=False)
    with pytest.raises(PermissionDenied, match="'shop' does not allow external models"):
        reserve_call(call=call)
    assert not ModelCall.objects.exists()


def test_a_reservation_is_not_made_where_nobody_would_see_it(
    product: Product, run: UUID
) -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        reserve(product, run)


# -- many workers ------------------------------------------------------------------


def test_workers_at_once_stay_within_the_cap(product: Product, run: UUID) -> None:
    """Sixteen threads with connections of their own ask for 1 to 3 of 10 dollars."""
    gate = threading.Barrier(16)

    def work(number: int) -> int:
        most = 1 + number % 3
        try:
            gate.wait(30)
            reserve(product, run, most)
        except CapReached:
            return 0
        else:
            return most
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        reserved = sum(pool.map(work, range(16)))
    assert reserved == add_up(calls_of_run(run)).reserved
    assert 8 <= reserved <= 10


def test_workers_that_settle_meanwhile_stay_within_the_cap(
    product: Product, run: UUID, settings: Any
) -> None:
    settings.LLM_CAP_PER_RUN = settings.LLM_CAP_PER_MONTH = 20.0
    seen: list[Decimal] = []

    def work(_number: int) -> int:
        made = 0
        try:
            while True:
                spend(product, run, used=1, most=4)
                made += 1
                total = add_up(calls_of_run(run))
                seen.append(total.cost + total.reserved)
        except CapReached:
            return made
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        made = sum(pool.map(work, range(6)))
    assert max(seen) <= 20
    assert made == add_up(calls_of_run(run)).cost
    assert 6 <= made <= 20


# -- dead workers ------------------------------------------------------------------

_RESERVE_AND_DIE = """
import os, sys, uuid, django
django.setup()
from decimal import Decimal
from devrag.spending.budget import reserve_call
from devrag.spending.models import ModelCall
reserve_call(call=ModelCall(product_id=int(sys.argv[1]), run=uuid.UUID(sys.argv[2]),
    purpose="page", provider="openai", model="gpt-4.1", reserved_cost=Decimal(4)))
os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
def test_what_a_dead_worker_reserved_counts_as_spent(
    product: Product, run: UUID, settings: Any
) -> None:
    alive = reserve(product, run, 3)
    command = [sys.executable, "-c", _RESERVE_AND_DIE, str(product.pk), str(run)]
    done = subprocess.run(command, env=worker_environment(settings), check=False)
    assert done.returncode == -9
    assert add_up(calls_of_run(run)).reserved == 7
    assert settle_lost_calls() == 1
    total = add_up(calls_of_run(run))
    assert (total.cost, total.reserved) == (4, 3)
    settle_call(call=alive, usage=Usage(1, 0), price=DOLLAR_A_TOKEN)
    assert settle_lost_calls() == 0
    reserve(product, run, 5)  # the run goes on with the rest


def test_a_worker_elsewhere_is_given_an_hour(product: Product, run: UUID) -> None:
    call = reserve(product, run)
    ModelCall.objects.update(worker="elsewhere/x:1:1")
    assert settle_lost_calls() == 0
    ModelCall.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert settle_lost_calls() == 1
    call.refresh_from_db()
    assert call.cost == call.reserved_cost

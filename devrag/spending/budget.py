"""Caps on what language models cost: reserved before each call, settled after it.

What is settled and what is reserved never exceed a cap together, however many workers
ask at a time: who reserves holds the product's lock while it adds up. A reservation is
the most that a call can cost, so that settling only ever gives something back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

import structlog
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from devrag.core.errors import Conflict
from devrag.core.locks import lock_until_commit
from devrag.core.process_identity import is_gone, worker_name
from devrag.core.text import dollars
from devrag.core.texts import gettext
from devrag.llm.chat import Usage
from devrag.llm.prices import Price, cost_of
from devrag.products.external_models import check_external_models
from devrag.products.models import Product
from devrag.spending.measuring import record_call
from devrag.spending.model_settings import cap_of
from devrag.spending.models import ASK_PURPOSE, CONFLICTS_PURPOSE, ModelCall
from devrag.spending.totals import (
    add_up,
    answers_of_day,
    calls_of_month,
    calls_of_run,
    comparisons_of_month,
)

log = structlog.get_logger("devrag.jobs")
# Longer than LLM_TIMEOUT lets a call take: for workers that nobody here can see.
_LOST = timedelta(hours=1)


class CapReached(Conflict):
    """The next call could cost more than a cap leaves.

    permanent: False when only calls at work stand in the way, which may cost less.
    """

    code = "cap_reached"


@dataclass(frozen=True, slots=True)
class _Cap:
    """message: what to say when it is reached, with places for figures."""

    message: str
    what: str
    setting: str
    calls: QuerySet[ModelCall]

    def check(self, most: Decimal) -> None:
        cap = Decimal(str(cap_of(self.setting)))
        spend = add_up(self.calls)
        if spend.cost + spend.reserved + most <= cap:
            return
        said = {
            "cap": dollars(cap),
            "what": self.what,
            "spent": dollars(spend.cost),
            "reserved": dollars(spend.reserved),
            "next": dollars(most),
            "setting": self.setting,
        }
        is_permanent = spend.cost + most > cap
        raise CapReached(self.message % said, permanent=is_permanent)


def reserve_call(*, call: ModelCall) -> None:
    """Store a call with the most that it can cost, before it is made.

    Raises CapReached, or PermissionDenied where the product's texts must not leave.
    Commits by itself: a reservation that others do not see holds nothing.
    """
    with transaction.atomic(durable=True):
        lock_until_commit(f"spend:{call.product_id}")
        # Asked anew before each call: it may have been forbidden while the run goes on.
        product = Product.objects.filter(pk=call.product_id).first()
        check_external_models(
            product,
            f"{call.provider}/{call.model}",
            instead=gettext("Questions about it are answered with passages only.")
            if call.purpose == ASK_PURPOSE
            else gettext("LLM_PROVIDER=structural generates its wiki without a model."),
        )
        if call.reserved_cost:
            for cap in _caps(call, product.name if product else ""):
                cap.check(call.reserved_cost)
        call.worker = worker_name()
        call.save(force_insert=True)


def _caps(call: ModelCall, name: str) -> Iterator[_Cap]:
    """Yield the caps that a call must keep."""
    of_run = ("LLM_CAP_PER_RUN", calls_of_run(call.run))
    of_month = ("LLM_CAP_PER_MONTH", calls_of_month(call.product_id))
    if call.purpose != ASK_PURPOSE:
        yield from _caps_of_job(call, name)
        return
    yield _Cap(
        gettext(
            "The limit of %(cap)s per answer would be exceeded: %(spent)s spent, and "
            "the next call could cost %(next)s. Narrow the question down, or raise "
            "%(setting)s."
        ),
        name,
        *of_run,
    )
    yield _Cap(
        gettext(
            "The daily limit of %(cap)s for answers about '%(what)s' would be "
            "exceeded: %(spent)s spent, %(reserved)s reserved for calls in progress, "
            "and the next call could cost %(next)s. Try again tomorrow, or raise "
            "%(setting)s."
        ),
        name,
        "ASK_CAP_PER_DAY",
        answers_of_day(call.product_id),
    )
    yield _Cap(
        gettext(
            "The monthly limit of %(cap)s for language models of '%(what)s' would be "
            "exceeded: %(spent)s spent, %(reserved)s reserved for calls in progress, "
            "and the next call could cost %(next)s. Raise %(setting)s."
        ),
        name,
        *of_month,
    )


def _caps_of_job(call: ModelCall, name: str) -> Iterator[_Cap]:
    text = gettext(
        "The limit of %(cap)s for %(what)s would be exceeded: %(spent)s spent, "
        "%(reserved)s reserved for calls in progress, and the next call could cost "
        "%(next)s. Raise %(setting)s and run the job again; what was written so far "
        "is kept."
    )
    named = {"product": name, "month": f"{timezone.localtime():%Y-%m}"}
    yield _Cap(text, gettext("this run"), "LLM_CAP_PER_RUN", calls_of_run(call.run))
    month = gettext("'%(product)s' in %(month)s") % named
    calls = calls_of_month(call.product_id)
    yield _Cap(text, month, "LLM_CAP_PER_MONTH", calls)
    if call.purpose == CONFLICTS_PURPOSE:
        what = gettext(
            "comparing the documents of '%(product)s' with its code in %(month)s"
        )
        calls = comparisons_of_month(call.product_id)
        yield _Cap(text, what % named, "CONFLICTS_CAP_PER_MONTH", calls)


def settle_call(
    *,
    call: ModelCall,
    usage: Usage | None,
    price: Price | None,
    has_failed: bool = False,
) -> None:
    """Count what a call used in place of its reservation.

    usage: None when nobody knows; it then counts as all that was reserved.
    has_failed: it gave no whole answer.
    """
    if usage is None:
        cost: Decimal | None = call.reserved_cost
        usage = Usage()
    else:
        cost = None if price is None else cost_of(usage, price)
    if cost is not None and cost > call.reserved_cost:
        log.warning("a call cost more than was reserved", call=call.pk, cost=str(cost))
    ModelCall.objects.filter(pk=call.pk).update(
        cost=cost,
        input_tokens=usage.input_tokens,
        cached_input_tokens=usage.cached_input_tokens,
        output_tokens=usage.output_tokens,
        finished_at=timezone.now(),
    )
    record_call(call, usage, cost, has_failed=has_failed)


def settle_lost_calls() -> int:
    """Settle the calls of dead workers at what was reserved; return how many.

    The provider may have billed all of it, and a cap that counts less holds nothing.
    It is one call's worth a death: the run goes on with what is left.
    """
    opened = ModelCall.objects.filter(finished_at=None)
    old = timezone.now() - _LOST
    lost = [
        call.pk
        for call in opened.only("worker", "created_at")
        if call.created_at < old or is_gone(call.worker)
    ]
    settled = ModelCall.objects.filter(pk__in=lost, finished_at=None)
    return settled.update(cost=F("reserved_cost"), finished_at=timezone.now())

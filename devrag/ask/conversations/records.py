"""What the database knows of an answer that is being written: begun, ended, abandoned.

A process that answers is heard of every few seconds. One that died leaves a running
turn; it stops counting after ABANDONED and housekeeping ends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.ask.conversations.owners import Owner
from devrag.ask.limits import check_counts
from devrag.ask.models import Citation, Conversation, Turn
from devrag.ask.types import Answer, Passage
from devrag.core.errors import Conflict, NotFound
from devrag.core.locks import lock_until_commit
from devrag.core.text import clean_text
from devrag.products.models import Product
from devrag.sources.models import Source

ABANDONED = timedelta(seconds=30)
# A question that no page came to get the answer of.
_FORGOTTEN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ended:
    """What is kept of a turn that ended. citations: of its numbers, from 1.

    notes: of one without a whole answer, which has its own.
    """

    state: Turn.State
    markdown: str = ""
    citations: Sequence[Passage] = ()
    evidence: Sequence[Passage] = ()
    error: str = ""
    notes: Sequence[str] = ()
    answer: Answer | None = None


def begin_turn(turn_id: int) -> None:
    """Claim a waiting turn. Raises TooManyRunning, Conflict when it was begun before.

    NotFound when it was deleted.
    """
    with transaction.atomic():
        lock_until_commit("ask: begin a turn")
        turn = Turn.objects.select_related("conversation").filter(pk=turn_id).first()
        if turn is None:
            raise deleted()
        if turn.state != Turn.State.WAITING:
            raise Conflict(gettext("This question has already been asked."))
        conversation = turn.conversation
        check_running(Owner(conversation.owner_id, conversation.owner_key))
        turn.state, turn.seen_at = Turn.State.RUNNING, timezone.now()
        turn.save(update_fields=["state", "seen_at"])


def check_running(owner: Owner) -> None:
    """Raise TooManyRunning where another answer of an owner would not be begun now.

    Counts those of all processes. Queries: 2.
    """
    running = Turn.objects.filter(
        state=Turn.State.RUNNING, seen_at__gt=timezone.now() - ABANDONED
    )
    own = running.filter(
        conversation__owner_id=owner.user_id, conversation__owner_key=owner.key
    )
    check_counts(own=own.count(), total=running.count())


def withdraw_turn(turn: Turn) -> None:
    """Delete a question that was never begun, and a conversation of it alone."""
    conversations = Conversation.objects.filter(pk=turn.conversation_id)
    with transaction.atomic():
        list(conversations.select_for_update())  # no question is added meanwhile
        Turn.objects.filter(pk=turn.pk, state=Turn.State.WAITING).delete()
        conversations.filter(turns=None).delete()


def is_wanted(turn_id: int) -> bool:
    """Note that its process lives; return whether the answer is still wanted.

    It is not when it was stopped elsewhere, or its conversation or product deleted.
    """
    rows = Turn.objects.filter(pk=turn_id, state=Turn.State.RUNNING)
    rows = rows.filter(
        Q(conversation__product=None) | Q(conversation__product__is_deleting=False)
    )
    return bool(rows.update(seen_at=timezone.now()))


def end_turn(turn_id: int, ended: Ended) -> bool:
    """Keep an answer, or what there is of it; return whether the turn still stands.

    One that was stopped elsewhere stays stopped and gets what came until then.
    """
    answer = ended.answer
    with transaction.atomic():
        rows = Turn.objects.select_for_update().filter(
            pk=turn_id, state__in=[Turn.State.RUNNING, Turn.State.STOPPED]
        )
        turn = rows.first()
        if turn is None:
            return False
        if turn.state == Turn.State.RUNNING:
            turn.state = ended.state
        turn.finished_at = timezone.now()
        turn.markdown = clean_text(ended.markdown)
        turn.error = clean_text(ended.error)
        turn.notes = [clean_text(note) for note in ended.notes]
        if answer is not None:
            turn.outcome = answer.outcome
            turn.diagram = clean_text(answer.diagram)
            turn.notes = [clean_text(note) for note in answer.notes]
            turn.removed = [
                {"sentence": clean_text(r.sentence), "reason": clean_text(r.reason)}
                for r in answer.removed
            ]
            turn.model = answer.model[:120]
            turn.input_tokens = answer.input_tokens
            turn.output_tokens = answer.output_tokens
        turn.save()
        Citation.objects.bulk_create(_citations(turn, ended.citations, ended.evidence))
    return True


def _citations(
    turn: Turn, cited: Sequence[Passage], read: Iterable[Passage]
) -> Iterator[Citation]:
    """Yield rows of what is cited, then of what else was read.

    A passage that is cited under two numbers has a row for each of them.
    """
    known = set(cited)
    others = dict.fromkeys(each for each in read if each not in known)
    numbered = [*enumerate(cited, start=1), *((0, each) for each in others)]
    passages = [passage for _, passage in numbered]
    # Those that are being deleted are gone for whoever reads on.
    names = {passage.product for passage in passages}
    found = Product.objects.filter(name__in=names).select_for_update(no_key=True)
    products = {product.name: product for product in found}
    sources = dict(
        Source.objects.filter(name__in={each.source for each in passages}).values_list(
            "name", "pk"
        )
    )
    for ordinal, (number, passage) in enumerate(numbered, start=1):
        if passage.product not in products:
            continue
        yield Citation(
            turn=turn,
            ordinal=ordinal,
            number=number,
            product=products[passage.product],
            source_name=passage.source,
            source_id=sources.get(passage.source),
            path=passage.path,
            start_line=passage.start_line,
            end_line=passage.end_line,
            version_identifier=passage.version_identifier,
            content_hash=passage.content_hash,
            kind=passage.kind,
            language=passage.language,
            title=passage.title,
            why=passage.why,
            symbol_uuid=passage.symbol_uuid,
            excerpt=clean_text(passage.text),
            document=asdict(passage.document) if passage.document else None,
        )


def stop_turn(turn: Turn) -> None:
    """Ask for the end of an answer from elsewhere; its process notices in seconds."""
    rows = Turn.objects.filter(
        pk=turn.pk, state__in=[Turn.State.WAITING, Turn.State.RUNNING]
    )
    rows.update(state=Turn.State.STOPPED, finished_at=timezone.now())


def abandoned_turns() -> QuerySet[Turn]:
    """Return turns that no process answers any more, or ever did."""
    now = timezone.now()
    is_lost = Q(state=Turn.State.RUNNING, seen_at__lte=now - ABANDONED)
    is_forgotten = Q(state=Turn.State.WAITING, created_at__lte=now - _FORGOTTEN)
    return Turn.objects.filter(is_lost | is_forgotten)


def end_abandoned_turns() -> int:
    """Stop them; return how many. A restart of the server leaves some."""
    return abandoned_turns().update(
        state=Turn.State.STOPPED, finished_at=timezone.now()
    )


def deleted() -> NotFound:
    """Return the failure of an answer whose question is gone."""
    return NotFound(
        gettext("The conversation was deleted before the answer was complete.")
    )

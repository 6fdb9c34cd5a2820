"""Which conversations there are, who may read them, and what a follow-up knows."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.ask.conversations.owners import Owner
from devrag.ask.conversations.reading import ReadableTurn, restrict_turns
from devrag.ask.models import Conversation, Turn
from devrag.ask.types import Exchange
from devrag.core.errors import NotFound
from devrag.core.principal import Principal, Role
from devrag.products.models import Product

# What a follow-up can refer to is what was said last; the rest would only be read.
_EXCHANGES, _ANSWER_CHARS = 6, 4_000
LISTED = 50
# Of a browser session or token, which nobody can come back with for ever. Unanswered
# questions are listed as long.
_KEPT_WITHOUT_USER = timedelta(days=90)
MOST_WITHOUT_USER = 10_000


def own_conversations(owner: Owner, principal: Principal) -> QuerySet[Conversation]:
    """Return the owner's conversations about what they may see, the latest first."""
    if owner.user_id is not None:
        rows = Conversation.objects.filter(owner_id=owner.user_id)
    elif owner.key:
        rows = Conversation.objects.filter(owner=None, owner_key=owner.key)
    else:
        return Conversation.objects.none()
    visible = Product.objects.visible_to(principal)
    rows = rows.filter(product=None) | rows.filter(product__in=visible)
    return rows.select_related("product").order_by("-updated_at", "-pk")


def old_conversations() -> QuerySet[Conversation]:
    """Return conversations of no user that are kept no longer. Queries: 1.

    Those in which nothing was asked for 90 days, and all but the newest 10,000.
    """
    rows = Conversation.objects.filter(owner=None)
    is_old = Q(updated_at__lt=timezone.now() - _KEPT_WITHOUT_USER)
    newest = rows.order_by("-updated_at").values_list("updated_at", flat=True)
    for asked_at in newest[MOST_WITHOUT_USER : MOST_WITHOUT_USER + 1]:
        is_old |= Q(updated_at__lte=asked_at)
    return rows.filter(is_old)


def get_own_conversation(
    uuid: UUID, *, owner: Owner, principal: Principal
) -> Conversation:
    """Return a conversation that its owner may change. Raises NotFound."""
    found = own_conversations(owner, principal).filter(uuid=uuid).first()
    if found is None:
        raise _missing()
    return found


def get_conversation(
    uuid: UUID, *, owner: Owner, principal: Principal, share_key: str = ""
) -> Conversation:
    """Return a conversation that is the caller's, or shared with them by its link.

    Raises NotFound, also when its product may not be seen (any more).
    """
    rows = Conversation.objects.select_related("product").filter(uuid=uuid)
    found = rows.first()
    if found is None or not _may_read(found, owner, principal, share_key):
        raise _missing()
    return found


def _may_read(
    found: Conversation, owner: Owner, principal: Principal, share_key: str
) -> bool:
    is_shared = bool(share_key) and found.share_key == share_key
    if not (owner.owns(found) or is_shared):
        return False
    if found.product_id is None:
        return principal.role >= Role.VIEWER and principal.may("read")
    visible = Product.objects.visible_to(principal)
    return visible.filter(pk=found.product_id).exists()


def _missing() -> NotFound:
    return NotFound(
        gettext(
            "Conversation not found, or not shared with you. Ask its owner for a link."
        )
    )


def get_turn(conversation: Conversation, ordinal: int) -> Turn:
    """Return a turn by its position. Raises NotFound."""
    turn = conversation.turns.filter(ordinal=ordinal).first()
    if turn is None:
        raise NotFound(gettext("This question was deleted."))
    return turn


def history_before(turn: Turn, principal: Principal) -> tuple[Exchange, ...]:
    """Return what was asked and answered before, the oldest first. Queries: ≤ 6.

    Without what the asker may not see any more. What a model may be sent of it goes
    without answers from products that allow no external models.
    """
    rows = Turn.objects.filter(
        conversation=turn.conversation_id, ordinal__lt=turn.ordinal
    ).exclude(markdown="")
    latest = rows.order_by("-ordinal").select_related("conversation")[:_EXCHANGES]
    earlier = list(latest)[::-1]
    is_sendable = _are_uncited_sendable(turn.conversation, principal)
    known = restrict_turns(earlier, principal)
    sendable = restrict_turns(earlier, principal, is_for_model=True)
    return tuple(
        _exchange(own, sent.markdown if sent.evidence or is_sendable else "")
        for own, sent in zip(known, sendable, strict=True)
    )


def _exchange(readable: ReadableTurn, sendable: str) -> Exchange:
    cited = (each.path for each in readable.evidence if each.number)
    return Exchange(
        question=readable.turn.question,
        answer=readable.markdown[:_ANSWER_CHARS],
        paths=tuple(dict.fromkeys(cited)),
        sendable=sendable[:_ANSWER_CHARS],
    )


def _are_uncited_sendable(conversation: Conversation, principal: Principal) -> bool:
    """Return whether a model may read answers that cite nothing.

    They may name anything in their scope, as one that asks back for a definition does:
    all products of it have to allow external models.
    """
    products = Product.objects.visible_to(principal)
    if conversation.products:
        products = products.filter(name__in=conversation.products)
    return not products.filter(is_external_models_allowed=False).exists()

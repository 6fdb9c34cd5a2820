"""Change conversations: ask, rename, delete, share, rate."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext

from devrag.ask.conversations.owners import Owner
from devrag.ask.models import Conversation, Turn
from devrag.ask.service import check_question
from devrag.ask.types import AskRequest, Scope
from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.principal import Principal
from devrag.core.text import clean_text
from devrag.products.models import Product
from devrag.products.services import get_maintained_product, get_visible_product
from devrag.sources.selectors import get_visible_source

_TITLE_CHARS, LONGEST_REMARK = 200, 2_000
# A longer thread costs more to read than to begin anew, for people and models.
_MAX_TURNS = 100


def add_turn(
    *, owner: Owner, request: AskRequest, conversation: Conversation | None = None
) -> Turn:
    """Keep a question, in a new conversation or in the given one, to be answered.

    `run_turn` answers it. A follow-up keeps the scope of its conversation, not that of
    the request. Raises InvalidInput, NotFound, Conflict.
    """
    check_question(request.question)
    question = clean_text(request.question.strip())
    with transaction.atomic():
        if conversation is None:
            conversation, lines = _begin(owner, request, question)
            ordinal = 1
        else:
            ordinal, lines = _next_of(conversation)
        start, end = lines or (None, None)
        return Turn.objects.create(
            conversation=conversation,
            ordinal=ordinal,
            question=question,
            mode=request.mode,
            start_line=start,
            end_line=end,
            language=request.language,
        )


def _begin(
    owner: Owner, request: AskRequest, question: str
) -> tuple[Conversation, tuple[int, int] | None]:
    if not owner.is_known:
        raise InvalidInput(
            gettext("A conversation needs an owner. Sign in, or allow cookies.")
        )
    scope = request.scope
    products = [get_visible_product(n, request.principal) for n in scope.products]
    if scope.source:
        source = get_visible_source(request.principal, name=scope.source)
        products = products or [source.product]
    conversation = Conversation.objects.create(
        owner_id=owner.user_id,
        owner_key=owner.key,
        title=title_of(question),
        product=products[0] if len(products) == 1 else None,
        products=[product.name for product in products],
        source=scope.source,
        path=scope.path,
    )
    return conversation, scope.lines


def _next_of(conversation: Conversation) -> tuple[int, tuple[int, int] | None]:
    """Return the position of the next question, and the lines that it is about."""
    # Two questions at the same time get a position each.
    Conversation.objects.select_for_update().get(pk=conversation.pk)
    conversation.save(update_fields=["updated_at"])
    last = conversation.turns.aggregate(last=Max("ordinal"))["last"] or 0
    if last >= _MAX_TURNS:
        raise Conflict(
            gettext(
                "This conversation has reached the limit of %(most)s questions. Start "
                "a new one to continue."
            )
            % {"most": _MAX_TURNS}
        )
    first = conversation.turns.order_by("ordinal").first()
    if first is None or first.start_line is None or first.end_line is None:
        return last + 1, None
    return last + 1, (first.start_line, first.end_line)


def title_of(question: str) -> str:
    """Return the first line of a question as a title."""
    line = " ".join(question.strip().split("\n", 1)[0].split())
    return line if len(line) <= _TITLE_CHARS else f"{line[: _TITLE_CHARS - 1]}…"


def scope_of(turn: Turn) -> Scope:
    """Return where a turn looks."""
    conversation = turn.conversation
    has_lines = turn.start_line is not None and turn.end_line is not None
    return Scope(
        products=tuple(conversation.products),
        source=conversation.source,
        path=conversation.path,
        lines=(turn.start_line or 1, turn.end_line or 1) if has_lines else None,
    )


def rename_conversation(conversation: Conversation, title: str) -> None:
    """Give a conversation another title. Raises InvalidInput for an empty one."""
    cleaned = " ".join(clean_text(title).split())
    if not cleaned:
        raise InvalidInput(gettext("The title is empty."))
    if len(cleaned) > _TITLE_CHARS:
        raise InvalidInput(
            gettext(
                "Titles can have at most %(most)s characters; this one has %(has)s."
            )
            % {"most": _TITLE_CHARS, "has": len(cleaned)}
        )
    # Not updated_at: the list is in the order of the questions.
    Conversation.objects.filter(pk=conversation.pk).update(title=cleaned)


def delete_conversation(conversation: Conversation) -> None:
    """Delete a conversation; an answer that is being written ends."""
    conversation.delete()


def share_conversation(conversation: Conversation) -> str:
    """Return the key of its link; the same one while it is shared."""
    if not conversation.share_key:
        key = secrets.token_urlsafe(32)
        rows = Conversation.objects.filter(pk=conversation.pk, share_key=None)
        rows.update(share_key=key)
        conversation.refresh_from_db(fields=["share_key"])
    return conversation.share_key or ""


def unshare_conversation(conversation: Conversation) -> None:
    """End sharing; the link leads nowhere from now on."""
    Conversation.objects.filter(pk=conversation.pk).update(share_key=None)


def rate_turn(turn: Turn, *, rating: int, remark: str = "") -> None:
    """Keep what a reader thinks of an answer: 1, -1, or 0 to take it back."""
    if rating not in {-1, 0, 1}:
        raise InvalidInput(gettext("A rating must be 1, 0 or -1."))
    text = clean_text(remark).strip()
    if len(text) > LONGEST_REMARK:
        raise InvalidInput(
            gettext(
                "Comments can have at most %(most)s characters; this one has %(has)s."
            )
            % {"most": f"{LONGEST_REMARK:,}", "has": f"{len(text):,}"}
        )
    rows = Turn.objects.filter(pk=turn.pk)
    rows.update(rating=rating, remark=text if rating else "", resolved_at=None)


@transaction.atomic
def resolve_rating(*, principal: Principal, product: Product, turn_id: int) -> None:
    """Settle a bad rating by hand, as a maintainer. Raises NotFound."""
    get_maintained_product(product.name, principal)
    rows = Turn.objects.filter(conversation__product=product, pk=turn_id, rating=-1)
    if not rows.update(resolved_at=timezone.now()):
        raise NotFound(gettext("Rating not found. It may have been withdrawn."))
    found = {"answer": turn_id}
    record_event(
        "feedback.resolved", principal=principal, product=product, details=found
    )

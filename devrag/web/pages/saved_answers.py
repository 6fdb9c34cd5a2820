"""Answers that are pages of the wiki: which may become one, and where one came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from devrag.ask.api import Owner, ReadableTurn, is_savable, refuse_page
from devrag.ask.models import Conversation
from devrag.core.page_urls import wiki_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.web.pages.wiki_claims import SourceLine
from devrag.wiki.api import ClaimFreshness, may_write, prefix_of, readable_wikis
from devrag.wiki.models import Page, SavedAnswer

# What became of the lines that a saved answer cites: some are gone, or all.
CHANGED, GONE = "changed", "gone"
_IN_ADDRESS = 2_000


@dataclass(frozen=True, slots=True)
class Saving:
    """What somebody who may edit the wiki can do with an answer: one of the three.

    form_url: to save it. page_url, title: of the page that it is already. refusal: why
    it cannot become one.
    """

    form_url: str = ""
    page_url: str = ""
    title: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class SavedView:
    """Where a page of the kind note comes from.

    conversation_url: "" for readers who may not see it. ask_url: a box with the same
    question. evidence: `changed` or `gone`, "" where all of it stands.
    """

    page_id: int
    question: str
    author: str
    saved_at: datetime
    model: str
    conversation_url: str
    ask_url: str
    evidence: str


def list_savings(
    turns: Sequence[ReadableTurn], principal: Principal, key: str = ""
) -> Mapping[int, Saving]:
    """Return what the reader may do with each answer, by the key of its turn.

    Empty for readers who may not edit the wiki. Queries: 2, 3 with saved answers.
    """
    savable = [each for each in turns if is_savable(each.turn)]
    if not savable:
        return {}
    conversation = savable[0].turn.conversation
    if not _may_save(conversation, principal):
        return {}
    pages = _saved_pages(conversation)
    return {
        each.turn.pk: pages.get(each.turn.ordinal) or _saving(each, key)
        for each in savable
    }


def _saved_pages(conversation: Conversation) -> dict[int, Saving]:
    """Return the pages of a conversation's answers, by the position of the answer."""
    saved = SavedAnswer.objects.filter(conversation=conversation.uuid)
    rows = list(saved.select_related("page__version__wiki"))
    product = conversation.product
    if product is None or not rows:
        return {}
    wikis = readable_wikis(product)
    found = {}
    for row in rows:
        wiki = row.page.version.wiki
        prefix = prefix_of(wiki, wikis) if wiki in wikis else ""
        url = wiki_url(product.name, prefix + row.page.path)
        found[row.turn] = Saving(page_url=url, title=row.page.title)
    return found


def _may_save(conversation: Conversation, principal: Principal) -> bool:
    """Return whether somebody may edit the wiki, any where several were asked."""
    if conversation.product is None:
        return Product.objects.maintained_by(principal).exists()
    return may_write(principal, conversation.product)


def _saving(readable: ReadableTurn, key: str) -> Saving:
    turn = readable.turn
    if reason := refuse_page(readable):
        return Saving(refusal=reason)
    url = reverse("web:turn_page", args=[turn.conversation.uuid, turn.ordinal])
    return Saving(form_url=f"{url}?{urlencode({'key': key})}" if key else url)


def see_saved_answer(
    product: Product, page: Page, sources: Sequence[SourceLine], owner: Owner
) -> SavedView | None:
    """Return where a page comes from, None for one that a run wrote. Queries: 0 or 2.

    sources: what it cites. owner: who reads.
    """
    if page.kind != Page.NOTE:
        return None
    saved = SavedAnswer.objects.select_related("author").get(page=page)
    ask_url = reverse("web:ask", args=[product.name])
    return SavedView(
        page_id=page.pk,
        question=saved.question,
        author=saved.author.get_username() if saved.author else "",
        saved_at=saved.saved_at,
        model=saved.model,
        conversation_url=_conversation_url(saved, owner),
        ask_url=f"{ask_url}?{urlencode({'question': saved.question[:_IN_ADDRESS]})}",
        evidence=_evidence(sources),
    )


def _conversation_url(saved: SavedAnswer, owner: Owner) -> str:
    found = Conversation.objects.filter(uuid=saved.conversation).first()
    if found is None or not owner.owns(found):
        return ""
    url = reverse("web:conversation", args=[found.uuid])
    return f"{url}#dr-turn-{saved.turn}"


def _evidence(sources: Sequence[SourceLine]) -> str:
    stale = [each for each in sources if each.state == ClaimFreshness.STALE]
    if not stale:
        return ""
    return GONE if len(stale) == len(sources) else CHANGED

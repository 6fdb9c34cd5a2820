"""A conversation as a page: answers with their chips, and the lines beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import Resolver404, get_resolver, reverse
from django.utils.translation import gettext

from devrag.ask.api import (
    Candidate,
    Choice,
    Owner,
    ReadableTurn,
    choices_of,
    citation_url,
    has_choices,
    label_of,
    original_url,
    own_conversations,
    readable_turn,
    readable_turns,
    split_nearest,
)
from devrag.ask.models import Citation as CitedRow
from devrag.ask.models import Conversation, Turn
from devrag.ask.types import Passage
from devrag.core.highlight import highlight_lines
from devrag.core.markdown import Citation, CitationResolver, render_markdown
from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.search.api import is_japanese
from devrag.sources.api import DocumentFacts, text_of_document
from devrag.web.pages.code import Line, number_lines
from devrag.web.pages.saved_answers import Saving, list_savings
from devrag.web.pages.wiki_claims import row_label

_LISTED = 30
# Citations of one place in a text; more of them may need a line of their own.
_FEW_CHIPS = re.compile(
    r"(?<!\) )(?:\[\d+\]\(cite:\d+\) ){1,3}\[\d+\]\(cite:\d+\)(?! \[\d)"
)
# Beyond it a card is read in the file.
_MOST_LINES = 80
# Cards that stand open to the eye, so that the next question stays near.
_CARDS = 6
# Colouring the lines of one answer takes some 10 ms.
_TURNS_WITH_LINES = 5
# That one window gets at once of what others asked.
_LATER_TURNS = 20


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """Lines that an answer leans on. number: as it cites them, 0 where it does not.

    title: of the definition or section; why: what the lines show. more: lines that
    are not shown. document: of a page or ticket; original_url: where it is, "" when it
    is gone; html: its text for reading instead of lines, may be marked safe.
    """

    id: str
    number: int
    label: str
    url: str
    place: str
    title: str
    why: str
    lines: tuple[Line, ...]
    more: int
    document: DocumentFacts | None = None
    original_url: str = ""
    html: str = ""


@dataclass(frozen=True, slots=True)
class OfferedDefinition:
    """One of several definitions that may be meant. place: its file and line."""

    choice: Choice
    place: str


@dataclass(frozen=True, slots=True)
class TurnView:
    """A question and its answer. html, diagram: sanitised, may be marked safe.

    is_own: the reader may go on, rate and stop. key: of the link by which others read.
    choices: what an ambiguous question may mean, for who may go on.
    saving: what they may do with the answer, None who may not edit the wiki.
    nearest: passages as HTML that are closest to a question without an answer.
    """

    turn: Turn
    html: str
    diagram: str
    language: str
    evidence: tuple[EvidenceCard, ...]
    hidden: int
    is_own: bool
    key: str = ""
    choices: tuple[OfferedDefinition, ...] = ()
    notes: Sequence[str] = ()
    removed: Sequence[Mapping[str, str]] = ()
    saving: Saving | None = None
    nearest: str = ""

    @property
    def query(self) -> str:
        """What addresses end in, so that readers of the link may see them."""
        return _query(self.key)

    @property
    def is_title(self) -> bool:
        """Whether the title of the page says it already."""
        turn = self.turn
        return turn.ordinal == 1 and turn.question == turn.conversation.title

    @property
    def anchor(self) -> str:
        return f"dr-turn-{self.turn.ordinal}"

    @property
    def asks_which(self) -> bool:
        """Whether the answer lists definitions of which one is meant."""
        return self.turn.outcome == "ambiguous" and has_choices(self.turn.markdown)

    @property
    def has_choices_of_both_ends(self) -> bool:
        return len({each.choice.end for each in self.choices}) > 1

    @property
    def cited(self) -> list[EvidenceCard]:
        return [card for card in self.evidence if card.number]

    @property
    def first_cited(self) -> list[EvidenceCard]:
        return self.cited[:_CARDS]

    @property
    def later_cited(self) -> list[EvidenceCard]:
        """What is cited besides."""
        return self.cited[_CARDS:]

    @property
    def others(self) -> list[EvidenceCard]:
        return [card for card in self.evidence if not card.number]

    @property
    def is_open(self) -> bool:
        return self.turn.state in {Turn.State.WAITING, Turn.State.RUNNING}


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """A thread. share_url: where others read it, "" while it is not shared."""

    conversation: Conversation
    turns: tuple[TurnView, ...]
    is_own: bool
    share_url: str
    key: str

    @property
    def query(self) -> str:
        """What addresses end in, so that readers of the link may see them."""
        return _query(self.key)

    @property
    def scope(self) -> str:
        """The source, file or folder that it is about, "" for everything."""
        asked = self.conversation
        return "/".join(each for each in (asked.source, asked.path) if each)


def conversation_url(conversation: Conversation, key: str = "") -> str:
    """Return the address of a thread, for readers of its link with the key."""
    url = reverse("web:conversation", args=[conversation.uuid])
    return url + _query(key)


def _query(key: str) -> str:
    return f"?key={quote(key)}" if key else ""


def get_conversation_page(
    conversation: Conversation, owner: Owner, principal: Principal, key: str = ""
) -> ConversationPage:
    """Return a thread as its reader may see it. Queries: 6."""
    is_own = owner.owns(conversation)
    turns = readable_turns(conversation, principal)
    savings = list_savings(turns, principal, key)
    first = len(turns) - _TURNS_WITH_LINES
    shared = conversation.share_key or ""
    return ConversationPage(
        conversation=conversation,
        turns=tuple(
            show_turn(
                each,
                is_own=is_own,
                key=key,
                has_lines=place >= first,
                saving=savings.get(each.turn.pk),
            )
            for place, each in enumerate(turns)
        ),
        is_own=is_own,
        share_url=conversation_url(conversation, shared) if is_own and shared else "",
        key=key,
    )


def get_later_turns(
    conversation: Conversation, after: int, principal: Principal, key: str = ""
) -> tuple[TurnView, ...]:
    """Return the begun turns of a thread after a position, the first of them.

    key: of the link by which others read it, "" for its owner. Queries: 1, and 3 for
    each turn.
    """
    rows = conversation.turns.filter(ordinal__gt=max(0, after))
    begun = rows.exclude(state=Turn.State.WAITING).order_by("ordinal")
    return tuple(
        get_turn_view(each, principal, is_own=not key, key=key)
        for each in begun.select_related("conversation")[:_LATER_TURNS]
    )


def get_turn_view(
    turn: Turn, principal: Principal, *, is_own: bool, key: str = ""
) -> TurnView:
    """Return one turn as its reader may see it. Queries: 5."""
    readable = readable_turn(turn, principal)
    saving = list_savings([readable], principal, key).get(turn.pk)
    return show_turn(readable, is_own=is_own, key=key, saving=saving)


def show_turn(
    readable: ReadableTurn,
    *,
    is_own: bool,
    key: str = "",
    has_lines: bool = True,
    saving: Saving | None = None,
) -> TurnView:
    """Return a turn with its answer and diagram as HTML.

    has_lines: cards show the lines themselves, not only where they are. saving: as a
    page, of a reader who may edit the wiki.
    """
    turn = readable.turn
    conversation = turn.conversation
    rows = readable.evidence
    resolve = _cite_rows(conversation, readable, key)
    diagram = f"```mermaid\n{readable.diagram.strip()}\n```"
    said, nearest = split_nearest(readable.markdown)
    return TurnView(
        turn=turn,
        html=render_answer(said, resolve),
        nearest=render_answer(nearest, resolve) if nearest else "",
        diagram=render_markdown(diagram).html if readable.diagram else "",
        language="ja" if is_japanese(readable.markdown) else "en",
        evidence=tuple(
            _card_of_row(readable, row, has_lines=has_lines) for row in _in_order(rows)
        ),
        hidden=readable.hidden,
        is_own=is_own,
        key=key,
        choices=_choices(readable) if is_own else (),
        notes=readable.notes,
        removed=readable.removed,
        saving=saving,
    )


def _choices(readable: ReadableTurn) -> tuple[OfferedDefinition, ...]:
    turn = readable.turn
    if turn.mode != "trace" or not has_choices(turn.markdown):
        return ()
    rows = [each for each in _in_order(readable.evidence) if each.number]
    offered = [Candidate(row.source_name, row.path, row.title) for row in rows]
    # Of one end after the other, as the answer lists them.
    places = dict(zip(offered, rows, strict=True))
    return tuple(
        OfferedDefinition(
            each, f"{each.candidate.path}:{places[each.candidate].start_line}"
        )
        for each in choices_of(turn.question, offered)
    )


def render_answer(markdown: str, resolve: CitationResolver) -> str:
    """Return an answer as sanitised HTML with chips, a few of which share a line."""
    rendered = render_markdown(
        _FEW_CHIPS.sub(lambda chips: chips[0].replace(" ", "\u00a0"), markdown),
        resolve_link=_wiki_link,
        resolve_citation=resolve,
        row_label=row_label(),
    )
    return rendered.html


def _wiki_link(href: str) -> str | None:
    """Return the address of a wiki page as it is, None for other relative links."""
    try:
        match = get_resolver().resolve(href.partition("#")[0])
    except Resolver404:
        return None
    return href if match.view_name in {"web:wiki", "web:wiki_index"} else None


def cite_passages(passages: Sequence[Passage]) -> CitationResolver:
    """Resolve `cite:2` to the second passage, of an answer that is not kept yet."""
    by_number = {str(n): each for n, each in enumerate(passages, start=1)}

    def resolve(number: str) -> Citation | None:
        passage = by_number.get(number)
        if passage is None:
            return None
        original = passage.document.url if passage.document else ""
        return Citation(original or _passage_url(passage), _passage_label(passage))

    return resolve


def _cite_rows(
    conversation: Conversation, readable: ReadableTurn, key: str
) -> CitationResolver:
    """Resolve `cite:2` to its lines, of a page or ticket to the original."""
    by_number = {str(number): row for number, row in readable.citations.items()}

    def resolve(number: str) -> Citation | None:
        row = by_number.get(number)
        if row is None:
            return None
        preview = reverse("web:ask_citation", args=[conversation.uuid, row.pk])
        url = original_url(row, readable.gone) or citation_url(row)
        return Citation(url, _label_of_row(row), preview + _query(key))

    return resolve


def _in_order(rows: Iterable[CitedRow]) -> list[CitedRow]:
    """Return what is cited by its number, then what else was read."""
    return sorted(rows, key=lambda row: (not row.number, row.number, row.ordinal))


def _label_of_row(row: CitedRow) -> str:
    return _document_label(row.facts) or label_of(row)


def _document_label(facts: DocumentFacts | None) -> str:
    """Return where a page or ticket lies and its title, '' of other files."""
    return " › ".join((*facts.place, facts.title)) if facts else ""


def _card_of_row(
    readable: ReadableTurn, row: CitedRow, *, has_lines: bool = True
) -> EvidenceCard:
    return _card(
        id=f"dr-evidence-{readable.turn.ordinal}-{row.ordinal}",
        number=row.number,
        label=_label_of_row(row),
        url=citation_url(row),
        place=_place(row.source_name, row.version_identifier),
        title=row.title,
        why=row.why,
        text=row.excerpt if has_lines else "",
        language=row.language,
        start=row.start_line,
        document=row.facts,
        original_url=original_url(row, readable.gone),
    )


def card_of_passage(turn: Turn, ordinal: int, passage: Passage) -> EvidenceCard:
    """Return the card of a passage that was just found."""
    return _card(
        id=f"dr-found-{turn.ordinal}-{ordinal}",
        number=0,
        label=_passage_label(passage),
        url=_passage_url(passage),
        place=_place(passage.source, passage.version_identifier),
        title=passage.title,
        why=passage.why,
        text=passage.text,
        language=passage.language,
        start=passage.start_line,
        document=passage.document,
        original_url=passage.document.url if passage.document else "",
    )


def _card(
    *,
    text: str,
    language: str,
    start: int,
    document: DocumentFacts | None,
    **named: Any,
) -> EvidenceCard:
    if text and document and document.kind != "attachment":
        return EvidenceCard(
            lines=(), more=0, document=document, html=_document_html(text), **named
        )
    lines = number_lines(highlight_lines(text, language), start) if text else ()
    more = max(0, len(lines) - _MOST_LINES)
    return EvidenceCard(
        lines=lines[:_MOST_LINES], more=more, document=document, **named
    )


def _document_html(text: str) -> str:
    """Return the text of a page or ticket; links between its files lead nowhere."""
    body = text_of_document(text)
    return render_markdown(body, resolve_link=lambda _: None, drops_html=True).html


def _place(source: str, version: str) -> str:
    return f"{source} @ {version[:10]}"


def _passage_label(passage: Passage) -> str:
    if passage.document:
        return _document_label(passage.document)
    if passage.end_line <= passage.start_line:
        return f"{passage.path}:{passage.start_line}"
    return f"{passage.path}:{passage.start_line}–{passage.end_line}"


def _passage_url(passage: Passage) -> str:
    return file_url(
        passage.product,
        passage.source,
        passage.version_identifier,
        passage.path,
        passage.start_line,
        passage.end_line,
    )


def get_citation_card(
    conversation: Conversation, citation_id: int, principal: Principal
) -> EvidenceCard | None:
    """Return the lines of a citation, None where the reader may not see them."""
    rows = CitedRow.objects.filter(turn__conversation=conversation, pk=citation_id)
    row = rows.select_related("turn").first()
    if row is None:
        return None
    readable = readable_turn(row.turn, principal)
    found = next((each for each in readable.evidence if each.pk == row.pk), None)
    return _card_of_row(readable, found) if found else None


@dataclass(frozen=True, slots=True)
class ListedConversation:
    title: str
    url: str
    product: str
    updated_at: Any


def list_conversations(
    owner: Owner, principal: Principal, product_id: int | None = None
) -> list[ListedConversation]:
    """Return one's own conversations, the latest first. Queries: 1."""
    rows = own_conversations(owner, principal)
    if product_id is not None:
        rows = rows.filter(product=product_id)
    return [
        ListedConversation(
            title=each.title,
            url=conversation_url(each),
            product=str(each.product) if each.product else gettext("All products"),
            updated_at=each.updated_at,
        )
        for each in rows[:_LISTED]
    ]

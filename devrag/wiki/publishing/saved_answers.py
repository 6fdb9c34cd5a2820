"""Answers of Ask that people saved: pages of the kind note.

They stand beside the pages that runs write, in whichever version readers see. No run
changes or drops one; its claims turn stale as those of any page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import Conflict, InvalidInput, NotFound
from devrag.core.hashing import sha256_hex
from devrag.core.principal import Principal
from devrag.core.text import (
    clean_text,
    drop_invisible,
    escape_markdown,
    normalise_newlines,
    slugify_ascii,
)
from devrag.products.models import Product
from devrag.sources.models import File
from devrag.wiki.evidence.citations import ClaimDraft
from devrag.wiki.evidence.location import NormalisedLines, may_have_twins
from devrag.wiki.models import Claim, Page, SavedAnswer, Version, Wiki
from devrag.wiki.publishing.history import check_may_write
from devrag.wiki.publishing.search_index import index_shown_version
from devrag.wiki.publishing.versions import claim_row, readable_wikis

LONGEST_TITLE = 200
_FOLDER, _LONGEST_SLUG = "notes", 60
# Behind every page that a run writes.
_FIRST_ORDINAL = 1_000_000


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """An answer as it becomes a page. markdown: without a title, `[2](cite:2)` cites.

    language: of the answer. conversation, turn: where it was given. model: "" for none.
    """

    title: str
    summary: str
    markdown: str
    language: str
    claims: Sequence[ClaimDraft]
    question: str
    conversation: UUID
    turn: int
    model: str = ""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page of an answer. is_new: False where the answer was saved before."""

    page: Page
    is_new: bool = True


@transaction.atomic
def save_answer_page(
    *, principal: Principal, product: Product, answer: AnswerPage
) -> SavedPage:
    """Add an answer to the wiki that readers see, in its language if there is one.

    An answer that was saved before keeps its page. Raises PermissionDenied, Conflict
    without a wiki, InvalidInput for a bad title.
    """
    check_may_write(principal, product)
    title = _checked(answer.title)
    version = _lock(_wiki_for(product, answer.language).pk)
    known = find_saved_answer(answer.conversation, answer.turn)
    if known is not None:
        return SavedPage(known.page, is_new=False)
    page = Page.objects.create(
        version=version,
        path=_free_path(version, title),
        ordinal=_next_ordinal(version),
        kind=Page.NOTE,
        title=title,
        summary=answer.summary,
        markdown=_with_title(title, answer.markdown),
        fingerprint=sha256_hex(answer.markdown),
        files=sorted({f"{each.source}/{each.path}" for each in answer.claims}),
    )
    claims = _in_context(product, answer.claims)
    Claim.objects.bulk_create(claim_row(each, page) for each in claims)
    SavedAnswer.objects.create(
        page=page,
        question=answer.question,
        conversation=answer.conversation,
        turn=answer.turn,
        model=answer.model,
        author_id=principal.user_id,
    )
    index_shown_version(version)
    _record("wiki.answer_saved", principal, product, page)
    return SavedPage(page)


def _record(action: str, principal: Principal, product: Product, page: Page) -> None:
    """Record it by the page's id: its address is made of the question."""
    details = {"page": page.pk}
    record_event(action, principal=principal, product=product, details=details)


@transaction.atomic
def rename_saved_answer(
    *, principal: Principal, product: Product, page_id: int, title: str
) -> Page:
    """Give a saved answer another title; its address stays.

    Raises PermissionDenied, NotFound, InvalidInput.
    """
    check_may_write(principal, product)
    cleaned = _checked(title)
    page = _find(product, page_id)
    _, _, text = page.markdown.partition("\n\n")
    page.title, page.markdown = cleaned, _with_title(cleaned, text)
    page.save(update_fields=["title", "markdown"])
    index_shown_version(page.version)
    _record("wiki.answer_renamed", principal, product, page)
    return page


@transaction.atomic
def delete_saved_answer(
    *, principal: Principal, product: Product, page_id: int
) -> Version:
    """Delete the page of a saved answer; only a person does, never a run.

    Returns the version that it was in. Raises PermissionDenied, NotFound.
    """
    check_may_write(principal, product)
    page = _find(product, page_id)
    _record("wiki.answer_removed", principal, product, page)
    page.delete()
    index_shown_version(page.version)
    return page.version


def find_saved_answer(conversation: UUID, turn: int) -> SavedAnswer | None:
    """Return the page that an answer was saved as, None for none. Queries: 1."""
    rows = SavedAnswer.objects.filter(conversation=conversation, turn=turn)
    return rows.select_related("page__version__wiki__product").first()


def _wiki_for(product: Product, language: str) -> Wiki:
    """Return the wiki that readers see in a language, else their first one."""
    wikis = readable_wikis(product)
    if not wikis:
        raise Conflict(
            gettext(
                "'%(name)s' has no wiki yet. Generate the wiki first, then save the "
                "answer."
            )
            % {"name": product.name}
        )
    return next((each for each in wikis if each.language == language), wikis[0])


def _lock(wiki_id: int) -> Version:
    """Return the version that readers see; runs that publish wait until the end."""
    wiki = Wiki.objects.select_for_update().get(pk=wiki_id)
    assert wiki.current is not None  # noqa: S101 - only such wikis are readable
    return wiki.current


def _find(product: Product, page_id: int) -> Page:
    """Return a note, its wiki locked. Raises NotFound."""
    notes = Page.objects.filter(kind=Page.NOTE, version__wiki__product=product)
    wikis = notes.filter(pk=page_id).values_list("version__wiki", flat=True)
    if wiki_id := wikis.first():
        _lock(wiki_id)
    page = notes.select_related("version__wiki").filter(pk=page_id).first()
    if page is None:
        raise NotFound(gettext("Saved answer not found. It may have been deleted."))
    return page


def _checked(title: str) -> str:
    cleaned = " ".join(drop_invisible(clean_text(title)).split())
    if not cleaned:
        raise InvalidInput(gettext("The title is empty."))
    if len(cleaned) > LONGEST_TITLE:
        raise InvalidInput(
            gettext(
                "Titles can have at most %(most)s characters; this one has %(has)s."
            )
            % {"most": LONGEST_TITLE, "has": len(cleaned)}
        )
    return cleaned


def _with_title(title: str, text: str) -> str:
    return f"# {escape_markdown(title)}\n\n{text.strip()}\n"


def _free_path(version: Version, title: str) -> str:
    """Return an address that no note has, made of the title's Latin letters."""
    slug = slugify_ascii(title, fallback="note")[:_LONGEST_SLUG].strip("-")
    taken = set(version.pages.values_list("path", flat=True))
    path, number = f"{_FOLDER}/{slug}.md", 1
    while path in taken:
        number += 1
        path = f"{_FOLDER}/{slug}-{number}.md"
    return path


def _next_ordinal(version: Version) -> int:
    last = version.pages.filter(kind=Page.NOTE).aggregate(last=Max("ordinal"))["last"]
    return _FIRST_ORDINAL if last is None else last + 1


def _in_context(product: Product, claims: Iterable[ClaimDraft]) -> Iterator[ClaimDraft]:
    """Yield the claims, those on short excerpts with the lines around a twin."""
    for claim in claims:
        if not may_have_twins(claim.excerpt):
            yield claim
            continue
        files = File.objects.filter(
            source__product=product,
            source__name=claim.source,
            path=claim.path,
            content_hash=claim.content_hash,
        )
        text = files.values_list("text", flat=True).first() or ""
        lines = NormalisedLines(normalise_newlines(text))
        yield replace(claim, context=lines.context(claim.excerpt, claim.start_line))

""" "This is wrong": what readers doubt in a wiki, kept for the next generation.

A remark is about a paragraph as it stood. It is settled when that paragraph is no
longer on its page, or when a maintainer says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from devrag.audit.api import record_event
from devrag.core.errors import InvalidInput, NotFound
from devrag.core.markdown import source_blocks
from devrag.core.principal import Principal
from devrag.core.text import clean_text
from devrag.products.models import Product
from devrag.wiki.evidence.citations import CITATION
from devrag.wiki.models import Feedback, Page, Version, Wiki
from devrag.wiki.publishing.history import check_may_write

LONGEST_REMARK = 2_000
_LONGEST_PARAGRAPH = 5_000
_QUOTED = 400


def bare_paragraph(source: str) -> str:
    """Return a block's Markdown without citations, which are numbered anew."""
    return " ".join(CITATION.sub("", source).split())[:_LONGEST_PARAGRAPH]


def paragraph_of(page: Page, block: int) -> str:
    """Return the Markdown of a page's block by its place."""
    blocks = source_blocks(page.markdown)
    if not 0 <= block < len(blocks):
        raise NotFound(gettext("The page does not contain this paragraph."))
    return blocks[block]


@transaction.atomic
def add_feedback(
    *, principal: Principal, page: Page, block: int, remark: str = ""
) -> Feedback:
    """Keep what a reader says of a paragraph; said again, it replaces the former."""
    said = clean_text(remark).strip()
    if len(said) > LONGEST_REMARK:
        raise InvalidInput(
            gettext(
                "Comments can have at most %(most)s characters; this one has %(has)s."
            )
            % {"most": f"{LONGEST_REMARK:,}", "has": f"{len(said):,}"}
        )
    found, _ = Feedback.objects.update_or_create(
        wiki_id=page.version.wiki_id,
        page_path=page.path,
        paragraph=bare_paragraph(paragraph_of(page, block)),
        author_id=principal.user_id,
        resolved_at=None,
        defaults={"remark": said, "version": page.version.number},
    )
    product = page.version.wiki.product
    record_event(
        "feedback.added", principal=principal, product=product, target=page.path
    )
    return found


def open_feedback(wikis: Iterable[Wiki]) -> QuerySet[Feedback]:
    """Return what is not settled, by page, oldest first."""
    found = Feedback.objects.filter(wiki__in=list(wikis), resolved_at=None)
    return found.select_related("author", "wiki").order_by("page_path", "pk")


@transaction.atomic
def resolve_feedback(
    *, principal: Principal, product: Product, feedback_id: int
) -> Feedback:
    """Settle a remark by hand."""
    check_may_write(principal, product)
    found = Feedback.objects.filter(wiki__product=product, pk=feedback_id).first()
    if found is None:
        raise NotFound(gettext("Report not found. It may have been deleted."))
    found.resolved_at = found.resolved_at or timezone.now()
    found.save(update_fields=["resolved_at"])
    record_event(
        "feedback.resolved",
        principal=principal,
        product=product,
        target=found.page_path,
    )
    return found


def settle_feedback(version: Version) -> int:
    """Settle remarks on paragraphs that a version does not have; return how many."""
    said = list(Feedback.objects.filter(wiki=version.wiki_id, resolved_at=None))
    paths = {each.page_path for each in said}
    pages = version.pages.filter(path__in=paths).values_list("path", "markdown")
    stands = {
        (path, bare_paragraph(block))
        for path, markdown in pages
        for block in source_blocks(markdown)
    }
    gone = [s.pk for s in said if (s.page_path, s.paragraph) not in stands]
    return Feedback.objects.filter(pk__in=gone).update(resolved_at=timezone.now())


def doubts_for_writer(product: Product) -> Mapping[str, list[str]]:
    """Return page path → what its writer is told of readers' doubts."""
    found: dict[str, list[str]] = {}
    rows = Feedback.objects.filter(wiki__product=product, resolved_at=None)
    for row in rows.order_by("pk"):
        said = f" They say: {row.remark}" if row.remark else ""
        found.setdefault(row.page_path, []).append(
            "A reader doubts this paragraph; say only what the evidence bears: "
            f"«{row.paragraph[:_QUOTED]}»{said}"
        )
    return found

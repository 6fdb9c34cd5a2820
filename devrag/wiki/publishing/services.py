"""Publishes a version of a wiki in one transaction, then exports its files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from devrag.audit.api import record_event
from devrag.core.errors import Conflict
from devrag.core.principal import PUBLISHER
from devrag.core.texts import gettext
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.wiki.analysis.topics.outline import PLANNER
from devrag.wiki.checking.validators import Finding, check_pages
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.evidence.citations import after_punctuation
from devrag.wiki.models import Claim, Page, Version, Wiki
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.publishing.export import export_pages
from devrag.wiki.publishing.feedback import settle_feedback
from devrag.wiki.publishing.formats import exported_files, files_of
from devrag.wiki.publishing.history import is_held
from devrag.wiki.publishing.search_index import index_shown_version
from devrag.wiki.publishing.versions import (
    carry_saved_answers,
    claim_row,
    pages_before,
)
from devrag.wiki.reuse.report import changes_of, support_of
from devrag.wiki.reuse.versions import is_unchanged
from devrag.wiki.writing.author import WRITER, WRITER_VERSION

KEPT_VERSIONS = 20
_FINDINGS_KEPT = 200


@dataclass(frozen=True, slots=True)
class Publication:
    """What a run brings to publish. run: its job; the same run publishes once.

    is_asked: somebody asked for it, so that readers see it even if the wiki is held.
    is_forced: a version is wanted even if it is the same as the one before.
    settings: digest of the product's settings (`versions.settings_digest`). pace: how
    long its pages took, for the time left of the next run. design: of the pages by a
    model. topics: what the next run finds the topics again by.
    """

    run: UUID
    planned: Sequence[str]
    drafts: Sequence[DraftedPage]
    sources: Mapping[str, Any]
    coverage: Mapping[str, Any]
    warnings: Sequence[str] = ()
    steering: str = ""
    settings: str = ""
    design: Mapping[str, Any] | None = None
    topics: Mapping[str, Any] = field(default_factory=dict)
    cause: str = ""
    duration_seconds: float = 0.0
    language: str = "en"
    writer: str = WRITER
    prompt_version: int = WRITER_VERSION
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    pace: Mapping[str, float | None] | None = None
    is_asked: bool = False
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Published:
    """What a run led to. is_new: False when the newest version has the same pages."""

    version: Version
    is_new: bool = True


@transaction.atomic
def publish_version(*, product: Product, publication: Publication) -> Published:
    """Create the next version and make it current; a repeated run gets its version.

    When the newest version has the same pages already, none is created.
    While the wiki is held (`history`), only a run that was asked for becomes current.
    Raises Conflict when pages are missing that should be there.
    """
    wiki, _ = Wiki.objects.select_for_update().get_or_create(
        product=product, language=publication.language
    )
    done = wiki.versions.filter(report__run=str(publication.run)).first()
    if done is not None:
        return Published(done)
    drafts = {draft.path: draft for draft in publication.drafts}
    refuse_losses(publication.planned, drafts)
    refuse_limited(product, publication.sources)
    pages, findings = check_pages(
        {path: drafts[path].markdown for path in publication.planned},
        publication.planned,
    )
    front = [p for p in (INDEX, ARCHITECTURE) if p in publication.planned]
    refuse_losses(front, pages)
    kept = [drafts[path] for path in publication.planned if path in pages]
    rows = [_page_row(draft, pages[draft.path]) for draft in kept]
    claims = [
        claim_row(claim, page)
        for page, draft in zip(rows, kept, strict=True)
        for claim in draft.claims
    ]
    is_shown = publication.is_asked or not is_held(wiki)
    same = _same_version(wiki, publication, rows, claims, is_shown=is_shown)
    if same is not None:
        same.report["settings"] = publication.settings  # they led to the same
        same.save(update_fields=["report"])
        return Published(same, is_new=False)
    version = _create_version(wiki, publication, kept, findings)
    for page in rows:
        page.version = version
    Page.objects.bulk_create(rows)
    Claim.objects.bulk_create(claims, batch_size=2000)
    if is_shown:
        wiki.current = version
        wiki.save(update_fields=["current"])
        carry_saved_answers(version)
        index_shown_version(version)
        settle_feedback(version)
    _delete_old_versions(wiki)
    found = {"version": version.number, "language": wiki.language, "shown": is_shown}
    record_event("wiki.published", product=product, details=found)
    return Published(version)


def _same_version(
    wiki: Wiki,
    publication: Publication,
    pages: list[Page],
    claims: list[Claim],
    *,
    is_shown: bool,
) -> Version | None:
    """Return the newest version if a run brings nothing else, None if it is to publish.

    is_shown: readers are to see the result, so that it has to be current, too.
    """
    newest = wiki.versions.order_by("-number").first()
    is_current = newest is not None and newest.pk == wiki.current_id
    if newest is None or publication.is_forced or (is_shown and not is_current):
        return None
    about = {
        "sources": publication.sources,
        "writer": publication.writer,
        "prompt_version": publication.prompt_version,
        "coverage": publication.coverage,
        "report.steering": publication.steering,
        "report.design": publication.design,
    }
    is_same = is_unchanged(newest, about=about, pages=pages, claims=claims)
    return newest if is_same else None


def refuse_limited(product: Product, sources: Iterable[str]) -> None:
    """Raise Conflict where a source is limited to some members since the run began."""
    rows = Source.objects.filter(product=product, name__in=list(sources))
    allowed = rows.within_limits(PUBLISHER)
    names = rows.exclude(pk__in=allowed.values("pk")).values_list("name", flat=True)
    if limited := sorted(names):
        raise Conflict(
            gettext(
                "Access to %(sources)s was restricted during this run, so "
                "its pages are not published. Generate the wiki again."
            )
            % {"sources": ", ".join(limited)}
        )


def refuse_losses(planned: Sequence[str], pages: Mapping[str, Any]) -> None:
    """Raise Conflict naming the planned pages that were not written."""
    missing = [path for path in planned if path not in pages]
    if missing:
        raise Conflict(
            gettext(
                "The new version is missing pages (%(pages)s), so the "
                "current version stays published. Generate the wiki again; "
                "if this happens again, see the job's log."
            )
            % {"pages": ", ".join([*missing[:5], *(["…"] if len(missing) > 5 else [])])}
        )


def _create_version(
    wiki: Wiki,
    publication: Publication,
    kept: Sequence[DraftedPage],
    findings: Sequence[Finding],
) -> Version:
    last = wiki.versions.aggregate(last=Max("number"))["last"] or 0
    every = [*(f for draft in kept for f in draft.findings), *findings]
    return Version.objects.create(
        wiki=wiki,
        number=last + 1,
        sources=dict(publication.sources),
        writer=publication.writer,
        prompt_version=publication.prompt_version,
        input_tokens=publication.input_tokens,
        output_tokens=publication.output_tokens,
        cost=publication.cost,
        duration_seconds=publication.duration_seconds,
        cause=publication.cause,
        report={
            "run": str(publication.run),
            **changes_of(pages_before(wiki), kept),
            "claims": sum(len(draft.claims) for draft in kept),
            "diagrams": sum(d.markdown.count("```mermaid") for d in kept),
            "evidenceLeftOut": sum(
                draft.evidence_left_out + len(draft.evidence_cut) for draft in kept
            ),
            "support": support_of(kept),
            "unfinished": [draft.path for draft in kept if draft.is_unfinished],
            "warnings": list(publication.warnings),
            "steering": publication.steering,
            "planner": PLANNER,
            "settings": publication.settings,
            "pace": publication.pace,
            "design": publication.design,
            "topics": publication.topics,
            "cut": [asdict(finding) for finding in every[:_FINDINGS_KEPT]],
        },
        coverage=dict(publication.coverage),
    )


def _page_row(draft: DraftedPage, markdown: str) -> Page:
    return Page(
        path=draft.path,
        parent_path=draft.parent,
        ordinal=draft.ordinal,
        kind=draft.kind,
        title=draft.title[:200],
        summary=draft.summary,
        markdown=after_punctuation(markdown),
        fingerprint=draft.fingerprint,
        files=list(draft.files),
        sections=list(draft.sections),
        inputs=draft.inputs,
        record=asdict(draft.record) if draft.record else {},
    )


def _delete_old_versions(wiki: Wiki) -> None:
    """Keep the newest versions and the pinned ones."""
    recent = wiki.versions.order_by("-number").values_list("pk", flat=True)
    kept = [*recent[:KEPT_VERSIONS], wiki.current_id]
    wiki.versions.filter(is_pinned=False).exclude(pk__in=kept).delete()


@transaction.atomic
def export_version(*, version: Version, root: Path) -> Path:
    """Write what readers see of the product's wiki to `root/<product>`, as a whole.

    Whoever ends last writes what is current then: exports of a product wait for
    another, in whatever language.
    """
    wikis = Wiki.objects.filter(product_id=version.wiki.product_id).order_by("pk")
    list(wikis.select_for_update())
    product = Product.objects.get(pk=version.wiki.product_id)
    files = exported_files(product) or files_of(version, "md")
    return export_pages(root, product.name, files)

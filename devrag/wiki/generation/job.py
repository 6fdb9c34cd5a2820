"""The wiki job: plan once, one batch per page, publish. A crash costs one page.

Pages are written in waves, so that those above others are written from finished ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from devrag.core.deletion import delete_in_portions
from devrag.core.errors import Conflict
from devrag.core.texts import gettext
from devrag.jobs.batch_run import BatchRun
from devrag.jobs.models import Batch, Job
from devrag.jobs.workflow import BatchPlan, Phase, Result, Workflow, plan_once
from devrag.llm.errors import ChatInvalidArgument
from devrag.products.models import Product
from devrag.products.wiki_problems import wiki_setting_problems
from devrag.spending.language_model import model_window
from devrag.spending.models import ModelCall
from devrag.spending.totals import add_up, calls_of_run
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.selectors import (
    DatabaseTexts,
    current_versions,
)
from devrag.wiki.analysis.topics.outline import Outline
from devrag.wiki.checking.mermaid import shared_parser
from devrag.wiki.drafts.page import DraftedPage
from devrag.wiki.generation.designing import DesignedWiki, design_wiki, kept_design
from devrag.wiki.generation.material import ModelWriter
from devrag.wiki.generation.page import compose_page
from devrag.wiki.generation.prepare import (
    design_before,
    found_topics,
    outline_before,
    plan_in,
    survey_and_plan,
)
from devrag.wiki.generation.prepared_run import PreparedRun, prepared_run
from devrag.wiki.generation.time_left import measure_pace, page_times, seconds_left
from devrag.wiki.generation.translation import translate_page
from devrag.wiki.generation.vectors import lacking_vectors, seconds_to_wait
from devrag.wiki.generation.writers import child_of, open_writer
from devrag.wiki.models import Page, Version
from devrag.wiki.models import PageDraft as PageDraftRow
from devrag.wiki.planning.levels import WAVE_NAMES, waves_of
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.publishing.claim_kinds import KEY as SOURCE_KINDS_KEY
from devrag.wiki.publishing.claim_kinds import kinds_of_sources
from devrag.wiki.publishing.services import Publication, export_version, publish_version
from devrag.wiki.publishing.versions import (
    current_version,
    known_files,
    published_page,
    settings_digest,
)
from devrag.wiki.reuse.pages import as_kept, keep_published, reason_to_write, reuse_page
from devrag.wiki.reuse.report import changes_of_none
from devrag.wiki.writing.author import Author, author_of
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.children import ChildPage
from devrag.wiki.writing.outline.types import PageDesign

_PATHS_LISTED = 50
_FAULTS_LISTED = 20


def _of_run(job: Job, language: str = "") -> tuple[Analysis, Plan, DatabaseTexts]:
    prepared = prepared_run(job)
    return survey_and_plan(
        job.params["productID"],
        prepared.versions,
        prepared.outline,
        language or prepared.language,
    )


def run_plan(run: BatchRun) -> Result:
    """Pin the sources' versions and plan the pages."""
    product_id = run.job.params["productID"]
    versions = tuple(current_versions(product_id))
    if not versions:
        raise Conflict(
            gettext(
                "The product has no indexed source yet. Index a source "
                "first, then generate the wiki."
            )
        )
    product = Product.objects.get(pk=product_id)
    author = author_of(product)
    current = current_version(product, author.language)
    is_redesigned = bool(run.job.params.get("isRedesigned"))
    outline = outline_before(current)
    if outline is not None and is_redesigned:
        outline = replace(outline, is_outdated=True)
    analysis, plan, _ = survey_and_plan(product_id, versions, outline, author.language)
    warnings = [*wiki_setting_problems(product.wiki_settings), *plan.warnings]
    design = None
    if author.is_model:
        designed = _designed(run, product, current, analysis, outline)
        outline, design = designed.outline, designed.design
        analysis, plan = designed.analysis, plan_in(designed.analysis, author.language)
        warnings += _design_warnings(designed)
    for warning in warnings:
        run.log(warning, level="warning")
    if author.is_model and (lacking := lacking_vectors(product)):
        run.log(lacking)
    prepared = PreparedRun(
        author=author,
        levels=tuple(map(tuple, waves_of(plan, is_ordered=author.is_model))),
        versions=versions,
        pages=tuple(page.path for page in plan.pages),
        coverage={
            language: _coverage(analysis, plan_in(analysis, language))
            for language in (author.language, *author.others)
        },
        warnings=tuple(warnings),
        steering=plan.steering,
        settings=settings_digest(product),
        previous=current.pk if current is not None else None,
        outline=outline,
        design=design,
        topics=found_topics(analysis, plan),
    )
    return prepared.as_json()


def _designed(
    run: BatchRun,
    product: Product,
    current: Version | None,
    analysis: Analysis,
    outline: Outline | None,
) -> DesignedWiki:
    """Return which pages the model's wiki has: as before, or as it designs them now."""
    before = design_before(current)
    kept = kept_design(
        analysis,
        before,
        is_redesigned=bool(run.job.params.get("isRedesigned")),
        is_asked=bool(run.job.params.get("isAsked")),
    )
    if kept is not None:
        return DesignedWiki(analysis, outline, kept)
    writer = _open(run, product, {}, author_of(product).language)
    asking = Asking(writer.chat, writer.before)
    known = outline_before(current)
    window = model_window()
    found = design_wiki(analysis, known, before, writer.brief, window, asking)
    with suppress(ChatInvalidArgument):  # the design names it as its problem
        asking.check()
    return found


def _design_warnings(designed: DesignedWiki) -> list[str]:
    problem = designed.design.problem
    failed = [f"The model did not design the pages: {problem}."] if problem else []
    faults = designed.faults[:_FAULTS_LISTED]
    return failed + [f"The model did not correct its outline: {f}." for f in faults]


def _coverage(analysis: Analysis, plan: Plan) -> dict[str, Any]:
    covered = {file for page in plan.pages for file in page.files}
    left = sum(len(group.paths) for group in plan.left_out)
    return {
        "files": len(covered) + left,
        "covered": len(covered),
        "leftOut": [
            {
                "reason": group.reason,
                "count": len(group.paths),
                "paths": list(group.paths[:_PATHS_LISTED]),
            }
            for group in plan.left_out
        ],
        **({SOURCE_KINDS_KEY: kinds} if (kinds := kinds_of_sources(analysis)) else {}),
    }


def plan_wave(wave: int) -> Callable[[Job], Iterable[BatchPlan]]:
    """Return how to plan one batch per page of a wave."""

    def plan(job: Job) -> Iterable[BatchPlan]:
        paths = prepared_run(job).levels[wave]
        return (BatchPlan({"path": path}, note=path) for path in paths)

    return plan


def plan_others(job: Job) -> Iterable[BatchPlan]:
    """Plan one batch per page and further language."""
    prepared = prepared_run(job)
    return (
        BatchPlan({"path": path, "language": language}, note=f"{language}/{path}")
        for language in prepared.author.others
        for path in prepared.pages
    )


def run_write(run: BatchRun) -> Result:
    """Write and check one page; its draft is stored with the batch."""
    analysis, plan, texts = _of_run(run.job, run.payload.get("language", ""))
    path = run.payload["path"]
    page = plan.page(path)
    if page is None:
        raise Conflict(
            gettext(
                "The plan of this run has no page %(path)s. Generate the wiki again."
            )
            % {"path": path}
        )
    texts.load(page.files)
    draft = _draft(run, analysis, plan, page)
    _log(run, draft)
    with run.fenced():
        PageDraftRow.objects.update_or_create(
            run=run.job.pk,
            path=path,
            language=plan.language,
            defaults={"content": draft.as_json()},
        )
    return {
        "claims": len(draft.claims),
        "cut": len(draft.findings),
        "isReused": draft.is_reused,
    }


def _draft(
    run: BatchRun, analysis: Analysis, plan: Plan, page: PlannedPage
) -> DraftedPage:
    """Write the page, or keep what readers see where it says the same already."""
    product = Product.objects.get(pk=run.job.params["productID"])
    error_in = shared_parser(settings.MERMAID_PATH).error_in
    writer = _writer(run, product, plan.language)
    before = published_page(product.pk, page.path, plan.language)
    if writer and plan.language != prepared_run(run.job).language:
        return _translated(run, writer, page, before)
    why = reason_to_write(run.job.params, before)
    keep = None if why else partial(reuse_page, before, page, analysis)
    former = as_kept(run.job.params, before)
    written = compose_page(analysis, plan, page, error_in, writer, keep, former)
    if writer is None and not why:
        return keep_published(before, written, page, analysis)
    return replace(written, why=why)


def _translated(
    run: BatchRun, writer: ModelWriter, page: PlannedPage, before: DraftedPage | None
) -> DraftedPage:
    """Tell the page again from how the run has written it in the main language."""
    params, language = run.job.params, prepared_run(run.job).language
    rows = PageDraftRow.objects.filter(run=run.job.pk, language=language)
    told = DraftedPage.from_json(rows.get(path=page.path).content)
    published = published_page(params["productID"], page.path, language)
    former, is_asked = as_kept(params, published), bool(params.get("isAsked"))
    return translate_page(writer, page, told, before, former, is_asked=is_asked)


def _writer(run: BatchRun, product: Product, language: str) -> ModelWriter | None:
    """Return the run's model, told of the pages that earlier waves finished."""
    prepared = prepared_run(run.job)
    if not prepared.is_by_model:
        return None
    is_main = language == prepared.language
    levels = prepared.levels[: run.batch.phase - 1] if is_main else ()
    before = [path for paths in levels for path in paths]
    rows = PageDraftRow.objects.filter(run=run.job.pk, path__in=before)
    drafts = [DraftedPage.from_json(row.content) for row in rows]
    children = {draft.path: child_of(draft) for draft in drafts}
    designs = prepared.design.pages if prepared.design else {}
    return _open(run, product, children, language, designs)


def _open(
    run: BatchRun,
    product: Product,
    children: Mapping[str, ChildPage],
    language: str,
    designs: Mapping[str, PageDesign] | None = None,
) -> ModelWriter:
    known = known_files(current_version(product, language))
    return open_writer(
        product,
        run=run.job.pk,
        children=children,
        language=language,
        known=known,
        # Also where a cancelled run stops paying.
        before=partial(run.progress, 0, note=run.batch.note),
        designs=designs,
    )


def _log(run: BatchRun, draft: DraftedPage) -> None:
    for finding in draft.findings:
        run.log(
            f"{draft.path}: cut ({finding.gate}): {finding.reason}",
            level="warning",
            text=finding.text,
        )
    if draft.claims_checked:
        run.log(
            gettext(
                "%(path)s: %(number)s of %(all)s sentences were not supported by the "
                "lines that they cite."
            )
            % {
                "path": draft.path,
                "number": draft.claims_unsupported,
                "all": draft.claims_checked,
            }
        )
    if draft.evidence_cut:
        run.log(
            gettext("%(path)s: %(number)s places of evidence did not fit.")
            % {"path": draft.path, "number": len(draft.evidence_cut)},
            places=draft.evidence_cut[:_PATHS_LISTED],
        )


def run_publish(run: BatchRun) -> Result:
    """Publish the drafts as the next version, then export its files."""
    job = run.job
    product = Product.objects.get(pk=job.params["productID"])
    author = prepared_run(job).author
    told = [_publication(job, author, author.language, calls_of_run(job.pk))]
    no_calls = ModelCall.objects.none()
    told += [_publication(job, author, other, no_calls) for other in author.others]
    with run.fenced():  # a cancelled run publishes nothing
        found = [publish_version(product=product, publication=p) for p in told]
    for publication, published in zip(told, found, strict=True):
        if not published.is_new:
            run.log(_unchanged_text(published.version, publication, len(told) > 1))
    export_version(version=found[0].version, root=settings.WIKI_OUTPUT_DIR)
    PageDraftRow.objects.filter(run=job.pk).delete()
    return {"versionID": found[0].version.pk, "isNew": found[0].is_new}


def _unchanged_text(
    version: Version, publication: Publication, has_languages: bool
) -> str:
    if not has_languages:
        text = gettext("Nothing changed since version %(number)s; no new version.")
        return text % {"number": version.number}
    text = gettext(
        "Nothing changed since version %(number)s (%(language)s); no new version."
    )
    return text % {"number": version.number, "language": publication.language}


def _publication(
    job: Job, author: Author, language: str, calls: QuerySet[ModelCall]
) -> Publication:
    """Return what the run brings in a language; its whole cost is the main one's."""
    prepared = prepared_run(job)
    rows = PageDraftRow.objects.filter(run=job.pk, language=language)
    started = job.started_at or timezone.now()
    spend = add_up(calls)
    pace = measure_pace(page_times(job), timezone.now())
    return Publication(
        run=job.pk,
        planned=prepared.pages,
        drafts=[DraftedPage.from_json(row.content) for row in rows],
        sources={
            each.source: {"ref": each.ref_name, "commit": each.commit}
            for each in prepared.versions
        },
        coverage=prepared.coverage[language],
        warnings=prepared.warnings,
        steering=prepared.steering,
        settings=prepared.settings,
        topics=prepared.topics,
        design=prepared.design.as_json() if prepared.design else None,
        cause=job.params.get("cause", ""),
        is_asked=job.params.get("isAsked", False),
        is_forced=job.params.get("isForced", False),
        duration_seconds=(timezone.now() - started).total_seconds(),
        language=language,
        writer=author.name,
        prompt_version=author.version,
        input_tokens=spend.input_tokens,
        output_tokens=spend.output_tokens,
        cost=spend.cost,
        pace=pace.as_json() if pace else None,
    )


def finish_wiki(job: Job) -> Result:
    """Report the version: pages by what happened to them, claims, what was cut.

    isNew: False when the newest version has the same pages; then it is that version.
    """
    batch = Batch.objects.get(job=job, phase=len(WORKFLOW.phases) - 1)
    version = Version.objects.get(pk=batch.result["versionID"])
    is_new = batch.result.get("isNew", True)
    for_later = {"run", "pace", "topics"}
    report = {k: value for k, value in version.report.items() if k not in for_later}
    written = Page.objects.filter(version=version).written()
    if not is_new:
        report |= changes_of_none(written.values_list("path", flat=True))
    return {
        "version": version.number,
        "isNew": is_new,
        "isCurrent": version.pk == version.wiki.current_id,
        "pages": written.count(),
        "coverage": version.coverage,
        **report,
    }


def delete_drafts(run: UUID) -> None:
    """Delete the drafts of a run that published nothing."""
    delete_in_portions(PageDraftRow.objects.filter(run=run))


WORKFLOW = Workflow(
    phases=(
        # Not atomic: it may ask a model, whose calls commit.
        Phase(
            "plan", "wiki", plan_once, run_plan, is_atomic=False, wait=seconds_to_wait
        ),
        *(
            Phase(
                name, "wiki", plan_wave(wave), run_write, is_atomic=False, unit="pages"
            )
            for wave, name in enumerate(WAVE_NAMES)
        ),
        Phase(
            "write other languages",
            "wiki",
            plan_others,
            run_write,
            is_atomic=False,
            unit="pages",
        ),
        Phase("publish", "wiki", plan_once, run_publish, is_atomic=False),
    ),
    finish=finish_wiki,
    seconds_left=seconds_left,
    delete_leftovers=delete_drafts,
)

"""Writes one page and takes it through the gates: pure, from analysis to draft."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.topics.outline import section_key
from devrag.wiki.checking.validators import Gates, check_page
from devrag.wiki.drafts.page import DraftedPage, Inputs
from devrag.wiki.drafts.record import UNTOLD
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.evidence.citations import (
    CITATION,
    ClaimDraft,
    before_punctuation,
    render_citations,
)
from devrag.wiki.evidence.joined_citations import join_citations
from devrag.wiki.evidence.location import NormalisedLines, may_have_twins
from devrag.wiki.evidence.page_evidence import EvidenceBook, problem_with
from devrag.wiki.generation.material import Material, ModelWriter, gather_material
from devrag.wiki.generation.model_page import write_model_page
from devrag.wiki.planning.page_kind import ARCHITECTURE
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.reuse.fingerprint import (
    given_fingerprint,
    inputs_of,
    reading_fingerprint,
)
from devrag.wiki.wording import WORDINGS
from devrag.wiki.writing.author import WRITER, WRITER_VERSION
from devrag.wiki.writing.model.citation_spans import CitationSpans
from devrag.wiki.writing.model.page_writer import Proof
from devrag.wiki.writing.model.support import MOST_TOKENS
from devrag.wiki.writing.model.supported import SupportJudge, sentences_known
from devrag.wiki.writing.model.whole_places import WholePlaces
from devrag.wiki.writing.structural.architecture import plain_diagram
from devrag.wiki.writing.structural.pages import summarise_page, write_page

_LONGEST_SUMMARY = 400


class Keep(Protocol):
    """Returns the published page where a new one would tell nothing else."""

    def __call__(self, *, fingerprint: str, inputs: Inputs) -> DraftedPage | None: ...


def compose_page(
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
    diagram_error: Callable[[str], str | None],
    writer: ModelWriter | None = None,
    keep: Keep | None = None,
    published: DraftedPage | None = None,
) -> DraftedPage:
    """Write a page, check it, and number its citations.

    writer: tells the facts in a model's words; without one they speak for themselves.
    keep: asked before the model is; a page that it returns costs no call. published:
    the page that readers see, whose sections stay where nothing changed for them.
    """
    text, book = write_page(analysis, plan, page)
    if writer is None:
        text = join_citations(text, book)
        gates = gates_of(analysis, plan, page, book, diagram_error)
        text = WORDINGS[plan.language].finish_page(text)
        return _told_by_facts(analysis, plan, page, text, book, gates)
    material = gather_material(writer, analysis, plan, page, (text, book), published)
    kept = keep_whole(material, page, keep)
    if kept is not None:
        return replace(kept, evidence_left_out=book.left_out)
    gates = gates_of(analysis, plan, page, book, diagram_error)
    spans = CitationSpans(book, WholePlaces(analysis).all_in)
    known = sentences_known([text, *_as_written(published)])
    proof = Proof(gates, spans, known, _judge(writer))
    told = write_model_page(writer, plan, page, material, proof)
    # Citations were set to their lines: the book holds more than it did.
    gates = gates_of(analysis, plan, page, book, diagram_error)
    draft = _checked(analysis, page, told.markdown, book, gates)
    summary = told.summary or _structural_summary(analysis, plan, page)
    return replace(
        draft,
        summary=summary[:_LONGEST_SUMMARY],
        fingerprint=given_fingerprint(page, told.record.digest),
        inputs=material.inputs,
        findings=(*told.findings, *draft.findings),
        evidence_cut=told.cut,
        is_unfinished=any(finding.gate == UNTOLD for finding in told.findings),
        record=told.record.unparted() if draft.findings else told.record,
        claims_checked=told.checked,
        claims_unsupported=told.unsupported,
        sections_asked=told.asked,
        sections_kept=told.kept,
    )


def _judge(writer: ModelWriter) -> SupportJudge | None:
    """Return who judges support, within the token budget of the writer's requests."""
    if writer.checker is None:
        return None
    budget = writer.budget
    most_tokens = MOST_TOKENS if budget.is_whole_page else budget.evidence
    return SupportJudge(writer.checker, writer.before, most_tokens)


def _as_written(published: DraftedPage | None) -> list[str]:
    """Return a published page as its writer had it, before its citations were set."""
    if published is None:
        return []
    return [CITATION.sub("", before_punctuation(published.markdown))]


def keep_whole(
    material: Material, page: PlannedPage, keep: Keep | None
) -> DraftedPage | None:
    """Return the published page where the model would be given nothing else."""
    if keep is None or material.former is None:
        return None
    record = material.record
    fingerprint = given_fingerprint(page, record.digest)
    kept = keep(fingerprint=fingerprint, inputs=material.inputs)
    return replace(kept, record=record) if kept else None


def _told_by_facts(
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
    text: str,
    book: EvidenceBook,
    gates: Gates,
) -> DraftedPage:
    draft = _checked(analysis, page, text, book, gates)
    return replace(
        draft,
        summary=_structural_summary(analysis, plan, page),
        fingerprint=reading_fingerprint(
            page,
            draft.markdown,
            draft.claims,
            writer=WRITER,
            writer_version=WRITER_VERSION,
            language=plan.language,
        ),
        inputs=inputs_of(analysis, page, draft.claims),
    )


def _structural_summary(analysis: Analysis, plan: Plan, page: PlannedPage) -> str:
    return plain(summarise_page(analysis, plan, page))[:_LONGEST_SUMMARY]


def _checked(
    analysis: Analysis, page: PlannedPage, text: str, book: EvidenceBook, gates: Gates
) -> DraftedPage:
    """Return the text that passes the gates as a draft, unsummarised as yet."""
    checked, findings = check_page(text, gates)
    if page.path == ARCHITECTURE and "```mermaid" not in checked:
        checked = f"{checked.rstrip()}\n\n{plain_diagram(analysis)}\n"
    markdown, claims = render_citations(checked, book.items)
    files = [analysis.files[file] for file in page.files]
    return DraftedPage(
        path=page.path,
        kind=page.kind,
        title=page.title,
        parent=page.parent,
        ordinal=page.ordinal,
        files=tuple(f"{file.source}/{file.path}" for file in files),
        sections=_sections(analysis, page),
        summary="",
        markdown=markdown,
        fingerprint="",
        claims=tuple(_in_context(analysis, claims)),
        findings=tuple(findings),
        evidence_left_out=book.left_out,
    )


def _sections(analysis: Analysis, page: PlannedPage) -> tuple[str, ...]:
    if page.topic is None:
        return ()
    sections = analysis.topics[page.topic].sections
    return tuple(section_key(analysis.files, section) for section in sections)


def _in_context(
    analysis: Analysis, claims: Iterable[ClaimDraft]
) -> Iterator[ClaimDraft]:
    """Yield the claims, those on short excerpts with the lines around a twin."""
    read: dict[int, NormalisedLines] = {}
    for claim in claims:
        if not may_have_twins(claim.excerpt):
            yield claim
            continue
        file = analysis.file_at[claim.source, claim.path]
        if file.id not in read:
            read[file.id] = NormalisedLines(analysis.texts.text(file.id))
        around = read[file.id].context(claim.excerpt, claim.start_line)
        yield replace(claim, context=around)


def gates_of(
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
    book: EvidenceBook,
    diagram_error: Callable[[str], str | None],
) -> Gates:
    """Return what a page is checked against: its evidence, held against the files."""
    items = {item.id: item for item in book.items}
    broken = {
        item.id: reason
        for item in book.items
        if (reason := _problem(analysis, item.file, item.id, items))
    }
    return Gates(
        page=page.path,
        pages=frozenset(p.path for p in plan.pages),
        names=analysis.names,
        items=items,
        broken_items=broken,
        diagram_error=diagram_error,
    )


def _problem(analysis: Analysis, file: int, key: str, items: Any) -> str:
    text = analysis.texts.text(file)
    return problem_with(items[key], analysis.files.get(file), text)

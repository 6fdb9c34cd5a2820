"""Writes any planned page from facts alone; markers stand where evidence is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.evidence.book import EvidenceBook
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.structural.architecture import write_architecture
from devrag.wiki.writing.structural.build import write_build
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.documentation import write_documentation
from devrag.wiki.writing.structural.feature import write_feature
from devrag.wiki.writing.structural.glossary import write_glossary
from devrag.wiki.writing.structural.index_page import write_index
from devrag.wiki.writing.structural.interface_pages import (
    write_configuration,
    write_data_model,
    write_interfaces,
)
from devrag.wiki.writing.structural.operations import write_operations
from devrag.wiki.writing.structural.summaries import part_summary, topic_summary
from devrag.wiki.writing.structural.testing import write_testing

WRITERS: Mapping[str, Callable[[PageContext], list[str]]] = {
    "index": write_index,
    "architecture": write_architecture,
    "feature": write_feature,
    "interfaces": write_interfaces,
    "data-model": write_data_model,
    "configuration": write_configuration,
    "build": write_build,
    "testing": write_testing,
    "operations": write_operations,
    "documentation": write_documentation,
    "glossary": write_glossary,
}


def write_page(
    analysis: Analysis, plan: Plan, page: PlannedPage
) -> tuple[str, EvidenceBook]:
    """Return the page's Markdown with evidence markers, and the evidence."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book)
    blocks = WRITERS[page.kind](ctx)
    return "\n\n".join(block for block in blocks if block) + "\n", book


def summarise_page(analysis: Analysis, plan: Plan, page: PlannedPage) -> str:
    """Return one sentence on the page, with markers."""
    book = EvidenceBook(analysis.files, analysis.texts)
    ctx = PageContext(analysis, plan, page, book)
    if page.part is not None:
        return part_summary(ctx, page.part)
    return topic_summary(ctx, page)

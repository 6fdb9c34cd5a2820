"""What a model's page is made of, gathered before any call: facts and evidence.

Its fingerprint says whether the model would be told anything new: an equal one needs
no call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.llm.chat import ChatModel
from devrag.wiki.analysis import Analysis
from devrag.wiki.citations import render_citations
from devrag.wiki.evidence import EvidenceBook
from devrag.wiki.fingerprint import (
    Inputs,
    evidence_fingerprint,
    inputs_of,
    reading_fingerprint,
)
from devrag.wiki.model.brief import Brief
from devrag.wiki.model.children import Child, child_facts, children_of
from devrag.wiki.model.dossier import Dossier, Find, make_dossier
from devrag.wiki.model.queries import pseudo_queries
from devrag.wiki.model.sections import FactSection, split_sections
from devrag.wiki.plan import Plan, PlannedPage
from devrag.wiki.prompts import prompt_version


def do_nothing() -> None:
    """Most callers need not hear of each call."""


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """Who writes and what helps it.

    find: asks the index. children: finished pages by path. notes: what people wrote
    beside a page, by its path. before: called ahead of each call.
    """

    chat: ChatModel
    brief: Brief
    find: Find
    children: Mapping[str, Child] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    before: Callable[[], None] = do_nothing

    @property
    def name(self) -> str:
        return f"{self.chat.provider}/{self.chat.model}"

    @property
    def version(self) -> int:
        return prompt_version()


@dataclass(frozen=True, slots=True)
class Material:
    """A page's facts by section and its evidence; inputs: the files they come from."""

    sections: tuple[FactSection, ...]
    dossier: Dossier
    fingerprint: str
    inputs: Inputs


def gather_material(
    writer: ModelWriter,
    analysis: Analysis,
    plan: Plan,
    page: PlannedPage,
    facts: tuple[str, EvidenceBook],
) -> Material:
    """Return all that the model will be told of; nothing is asked of it here.

    facts: structural text and its evidence, to which more is added.
    """
    text, book = facts
    told = _facts_fingerprint(page, text, book)
    lead, *rest = split_sections(text)
    children = children_of(plan, page, writer.children)
    lead = child_facts(lead, page, analysis, book, children)
    dossier = make_dossier(analysis, book, pseudo_queries(analysis, page), writer.find)
    context = [
        told,
        writer.brief.message().content,  # wishes, glossary, reader
        *writer.notes.get(page.path, ()),
        *(child.fingerprint for child in children.values()),
    ]
    return Material(
        sections=(lead, *rest),
        dossier=dossier,
        fingerprint=evidence_fingerprint(
            page,
            book.items,
            writer=writer.name,
            prompt_version=writer.version,
            language=writer.brief.language,
            context=context,
        ),
        inputs=inputs_of(analysis, page, book.items),
    )


def _facts_fingerprint(page: PlannedPage, text: str, book: EvidenceBook) -> str:
    """Fingerprint the facts: some of them cite nothing, such as what is not there."""
    markdown, claims = render_citations(text, book.items)
    return reading_fingerprint(page, markdown, claims, writer="facts", writer_version=1)

"""What the model would be given, as keys: equal ones need no call.

Neither the numbers of evidence count nor its lines, nor the order of facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.core.hashing import sha256_hex
from devrag.wiki.citations import render_citations
from devrag.wiki.fingerprint import evidence_digest, telling_digest
from devrag.wiki.model.dossier import Dossier
from devrag.wiki.model.outline import SectionPlan
from devrag.wiki.model.record import Given, Record, SectionRecord
from devrag.wiki.model.section import chosen_evidence, given_facts
from devrag.wiki.model.sections import FactSection


def outline_key(made_by: Iterable[str], facts: Iterable[FactSection]) -> str:
    """Return the key of a page's order: which facts there are, not what they say.

    made_by: the page, the writer and what settings tell it.
    """
    return _hash([*made_by, *(section.title for section in facts)])


def record_of(
    key: str, order: Iterable[SectionPlan], dossier: Dossier, context: Sequence[str]
) -> Record:
    """Return an order as it is kept with the page, before any section is asked for.

    context: what all sections are told beside facts and evidence.
    """
    held = {item.id: item for item in dossier.book.items}
    return Record(
        key,
        tuple(
            SectionRecord(
                title=plan.title,
                about=plan.about,
                covers=tuple(facts.id for facts in plan.facts),
                given=tuple(Given.of(held[key]) for key in plan.evidence),
                key=_section_key(plan, dossier, context),
            )
            for plan in order
        ),
    )


def _section_key(plan: SectionPlan, dossier: Dossier, context: Sequence[str]) -> str:
    items = chosen_evidence(dossier, plan)
    facts = telling_digest(*render_citations(given_facts(plan, items), items))
    evidence = sorted(evidence_digest(item) for item in items)
    return _hash([*context, plan.title, plan.about, facts, *evidence])


def _hash(parts: Iterable[str]) -> str:
    return sha256_hex("\x1f".join(parts))

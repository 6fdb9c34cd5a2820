"""What the model would be given, as keys: equal ones need no call.

Neither the numbers of evidence count nor its lines, nor the order of facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.core.hashing import sha256_hex
from devrag.wiki.drafts.record import Given, Record, SectionRecord
from devrag.wiki.writing.model.chosen_evidence import evidence_of
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.page_request import given_facts
from devrag.wiki.writing.model.parts import parts_of
from devrag.wiki.writing.model.section_plan import SectionPlan


def sections_key(made_by: Iterable[str], plans: Iterable[SectionPlan]) -> str:
    """Return the key of a page's sections: which there are, not what they are given.

    made_by: the page, the writer and what settings tell it.
    """
    return _hash([*made_by, *(f"{p.title}\x1e{p.about}" for p in plans)])


def record_of(
    key: str,
    plans: Iterable[SectionPlan],
    context: ModelPageContext,
    shared: Sequence[str],
) -> Record:
    """Return the sections as they are kept with the page, before any is asked for.

    shared: what all sections are told beside facts and evidence.
    """
    book = context.book.items
    sections = []
    for plan in plans:
        items = evidence_of(context, plan)
        facts = given_facts(context, plan)
        around = _hash([*shared, plan.title, plan.about])
        parts = sorted(part.digest for part in parts_of(facts, items, book))
        section = SectionRecord(
            title=plan.title,
            about=plan.about,
            given=tuple(Given.of(i, context.names.get(i.id, "")) for i in items),
            key=_hash([around, *parts]),
            around=around,
            parts=tuple(parts),
        )
        sections.append(section)
    return Record(key, tuple(sections), tuple(sorted(context.spellings)))


def _hash(parts: Iterable[str]) -> str:
    return sha256_hex("\x1f".join(parts))

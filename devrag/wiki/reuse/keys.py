"""What the model would be given, as keys: equal ones need no call.

Neither the numbers of evidence count nor its lines, nor the order of facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from devrag.core.hashing import sha256_hex
from devrag.wiki.drafts.record import Given, Record, SectionRecord
from devrag.wiki.evidence.digests import telling_digest
from devrag.wiki.evidence.page_evidence import MARKER
from devrag.wiki.reuse.fingerprint import line_counts
from devrag.wiki.writing.model.outline import SectionPlan
from devrag.wiki.writing.model.page_context import ModelPageContext
from devrag.wiki.writing.model.parts import parts_of
from devrag.wiki.writing.model.section import chosen_evidence, given_facts
from devrag.wiki.writing.model.sections import FactSection


def outline_key(made_by: Iterable[str], facts: Iterable[FactSection]) -> str:
    """Return the key of a page's order: which facts there are, not what they say.

    made_by: the page, the writer and what settings tell it.
    """
    return _hash([*made_by, *(section.title for section in facts)])


def record_of(
    key: str,
    order: Iterable[SectionPlan],
    page_context: ModelPageContext,
    context: Sequence[str],
) -> Record:
    """Return an order as it is kept with the page, before any section is asked for.

    context: what all sections are told beside facts and evidence.
    """
    held = {item.id: item for item in page_context.book.items}
    sections = []
    for plan in order:
        items = chosen_evidence(page_context, plan)
        facts = given_facts(page_context, plan, items)
        around = _hash([*context, plan.title, plan.about])
        parts = sorted(part.digest for part in parts_of(facts, items))
        section = SectionRecord(
            title=plan.title,
            about=plan.about,
            covers=tuple(facts.id for facts in plan.facts),
            given=tuple(Given.of(held[key]) for key in plan.evidence),
            key=_hash([around, *parts]),
            around=around,
            parts=tuple(parts),
            sizes=tuple(line_counts(facts)),
            rest=_rest(plan, facts),
        )
        sections.append(section)
    return Record(key, tuple(sections), tuple(sorted(page_context.spellings)))


def _rest(plan: SectionPlan, given: str) -> str:
    """Return a digest of the facts that are shown and not given, '' for none.

    The page has them as they are, so they call for another page but for no call.
    """
    every = "\n\n".join(facts.markdown for facts in plan.facts)
    left = every.split("\n")[len(given.split("\n")) :]
    return telling_digest(MARKER.sub("", "\n".join(left)), ()) if left else ""


def _hash(parts: Iterable[str]) -> str:
    return sha256_hex("\x1f".join(parts))

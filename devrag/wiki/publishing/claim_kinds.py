"""Of which kind of source what a page cites is: code, documents or tickets."""

from __future__ import annotations

from collections.abc import Sequence

from devrag.sources.models import Document
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.source_kinds import DOCUMENTS, SOURCE_KINDS, TICKETS
from devrag.wiki.models import Claim, Version

# In the coverage of a version: source → kind of its files that are no page or ticket.
KEY = "sourceKinds"


def kinds_of_sources(analysis: Analysis) -> dict[str, str]:
    """Return source → kind, {} for a product of one kind."""
    found: dict[str, str] = {}
    for file in analysis.survey.files if analysis.has_several_kinds else ():
        kind = analysis.source_kinds[file.id]
        both = (kind, found.get(file.source, kind))
        found[file.source] = min(both, key=SOURCE_KINDS.index)
    return found


def kinds_of_claims(
    version: Version, product_id: int, claims: Sequence[Claim]
) -> dict[int, str]:
    """Return number of a claim → kind, {} in a product of one kind. Queries: 1, else 0.

    A file that is gone counts as its source does.
    """
    of_sources = version.coverage.get(KEY) or {}
    if not of_sources:
        return {}
    rows = Document.objects.filter(
        file__source__product=product_id, file__path__in={c.path for c in claims}
    ).values_list("file__source__name", "file__path", "kind")
    documents = {(source, path): kind for source, path, kind in rows}
    found = {}
    for claim in claims:
        kind = documents.get((claim.source_name, claim.path))
        other = of_sources.get(claim.source_name, "")
        named = TICKETS if kind == Document.Kind.TICKET else DOCUMENTS
        found[claim.ordinal] = named if kind else other
    return found

"""What ties the sources of one product together, each tie with both its places.

A tie that could mean two things is left out: a missing one costs a sentence, a wrong
one the reader's trust.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from devrag.wiki.analysis.contracts.http import http_contracts
from devrag.wiki.analysis.contracts.packages import package_contracts
from devrag.wiki.analysis.contracts.queues import queue_contracts
from devrag.wiki.analysis.contracts.tables import table_contracts
from devrag.wiki.analysis.contracts.types import Contract, Ground
from devrag.wiki.analysis.survey import Survey, Texts

_FINDERS: tuple[Callable[[Ground], list[Contract]], ...] = (
    http_contracts,
    queue_contracts,
    package_contracts,
    table_contracts,
)


def contracts_of(
    survey: Survey, texts: Texts, hidden: Collection[int]
) -> list[Contract]:
    """Return the ties between sources. hidden: files whose uses do not count."""
    if len({file.source for file in survey.files}) < 2:
        return []
    ground = Ground(survey, texts, frozenset(hidden))
    return [contract for find in _FINDERS for contract in find(ground)]

"""Bring what an older parser made up to date, after an upgrade."""

from __future__ import annotations

from devrag.core.principal import SYSTEM
from devrag.flows.index import request_index
from devrag.jobs.models import Job
from devrag.parsing.types import FACTS_VERSION
from devrag.sources.models import GitRef, Source


def index_outdated() -> list[Job]:
    """Ask for a run of each source whose current ref holds another facts version.

    The old facts stay visible until the new ones are activated.
    """
    refs = GitRef.objects.filter(is_current=True).exclude(facts_version=FACTS_VERSION)
    outdated = Source.objects.filter(pk__in=refs.values("source"))
    return [request_index(principal=SYSTEM, source=source) for source in outdated]

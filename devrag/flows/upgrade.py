"""Bring what an older parser made up to date, after an upgrade."""

from __future__ import annotations

from devrag.core.principal import SYSTEM
from devrag.flows.index import request_index
from devrag.jobs.models import Job
from devrag.parsing.types import FACTS_VERSION
from devrag.sources.models import Source


def index_outdated() -> list[Job]:
    """Ask for a run of each source whose current ref holds another facts version.

    The old facts stay visible until the new ones are activated.
    """
    outdated = Source.objects.filter(refs__is_current=True).exclude(
        refs__is_current=True, refs__facts_version=FACTS_VERSION
    )
    return [request_index(principal=SYSTEM, source=source) for source in outdated]

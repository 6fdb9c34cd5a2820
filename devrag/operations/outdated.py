"""Bring up to date what an older parser or other chunk sizes made, at a start."""

from __future__ import annotations

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM
from devrag.jobs.models import Job
from devrag.sources.api import source_chunking
from devrag.sources.models import GitRef
from devrag.use_cases.api import request_index


def index_outdated() -> list[Job]:
    """Ask for a run of each source whose current ref holds another facts version.

    The old facts stay visible until the new ones are activated.
    """
    refs = GitRef.objects.filter(is_current=True, source__is_deleting=False)
    return [
        request_index(principal=SYSTEM, source=ref.source)
        for ref in refs.select_related("source__product").order_by("source__name")
        if _is_outdated(ref)
    ]


def _is_outdated(ref: GitRef) -> bool:
    try:
        return ref.facts_version != source_chunking(ref.source).facts_version()
    except InvalidInput:
        return True  # its run tells what contradicts

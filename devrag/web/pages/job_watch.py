"""A person's own open jobs, so that any page can say when one of them ends."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.page_urls import job_url, product_url, wiki_url
from devrag.core.principal import Principal
from devrag.jobs.models import OPEN_STATES, Job, JobState
from devrag.jobs.selectors import list_jobs
from devrag.web.pages.jobs import describe_job, poll_seconds
from devrag.web.pages.wiki_difference import find_difference

# Vectors fill in by themselves; nobody waits for them.
_KINDS = ("index", "wiki", "delete")
_MOST = 20
_OVER = (JobState.COMPLETED, JobState.FAILED)


@dataclass(frozen=True, slots=True)
class Ended:
    """What to tell of jobs that ended, and where a link beside it leads.

    kind: success, error or info. is_difference: it leads to what a wiki job changed.
    """

    message: str
    kind: str
    url: str
    is_difference: bool = False

    @property
    def label(self) -> str:
        """What the link says."""
        return gettext("Show changes") if self.is_difference else gettext("Open")


@dataclass(frozen=True, slots=True)
class Watch:
    """jobs: what is still open, to be asked for again after so many seconds."""

    jobs: Sequence[str]
    seconds: int
    ended: Ended | None


def list_watched(principal: Principal) -> list[str]:
    """Return the ids of the caller's own open jobs. Queries: 1, 0 for strangers."""
    if principal.user_id is None:
        return []
    return [str(job.pk) for job in _own_open(principal)]


def watch_jobs(principal: Principal, known: Iterable[uuid.UUID]) -> Watch:
    """Return which of the known jobs ended, and what is open now. Queries: 2."""
    opened = _own_open(principal)
    seen = list_jobs(principal).filter(pk__in=list(known)[:_MOST])
    over = [job for job in seen if _is_over(job)]
    return Watch(
        jobs=[str(job.pk) for job in opened],
        seconds=poll_seconds((job.created_at for job in opened), fastest=5),
        ended=_tell(over) if over else None,
    )


def tell_end(job: Job) -> Ended | None:
    """Return what to tell of one job that ended, None of one that was cancelled."""
    return _tell([job]) if _is_over(job) else None


def _is_over(job: Job) -> bool:
    return job.state in _OVER or job.superseded_by_id is not None


def _own_open(principal: Principal) -> list[Job]:
    own = list_jobs(principal).filter(requested_by=principal.name, kind__in=_KINDS)
    return list(own.filter(state__in=OPEN_STATES)[:_MOST])


def _tell(over: Sequence[Job]) -> Ended:
    failed = [job for job in over if job.state == JobState.FAILED]
    done = [job for job in over if job.state == JobState.COMPLETED]
    job = (failed or done or over)[0]
    changed = find_difference(job)
    if failed:
        text, kind, url = gettext("%(job)s: failed"), "error", job_url(job.pk)
    elif done:
        text, kind, url = gettext("%(job)s: done"), "success", changed or _result(job)
        if job.kind == "wiki" and job.report.get("isNew") is False:
            text = gettext("%(job)s: nothing changed")
    else:
        text = gettext("%(job)s: replaced by a newer request")
        kind, url = "info", job_url(job.superseded_by_id)
    return Ended(text % {"job": describe_job(job)}, kind, url, bool(changed))


def _result(job: Job) -> str:
    if job.product is None or job.kind == "delete":
        return job_url(job.pk)
    return (wiki_url if job.kind == "wiki" else product_url)(job.product.name)

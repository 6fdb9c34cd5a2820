"""Read jobs, within what the caller may see."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import BigIntegerField, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext

from devrag.core.errors import MissingScope, NotFound, PermissionDenied
from devrag.core.principal import ANONYMOUS, Principal
from devrag.jobs.models import Job, JobState
from devrag.products.limits import hidden_limits
from devrag.products.models import Product
from devrag.products.services import may_maintain

# The scope that a token needs to cancel or retry a job of a kind; else "index".
_SCOPES = {"wiki": "wiki", "delete": "admin"}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Where a pending job stands. behind: the running job of its lane, if there is one.

    ahead: how many jobs start before it.
    """

    ahead: int
    behind: UUID | None


def list_jobs(principal: Principal) -> QuerySet[Job]:
    """Return jobs of products the caller may read, and the caller's own without one."""
    visible = Product.objects.visible_to(principal)
    mine = Q(product__in=visible)
    if principal.is_admin and principal.product_ids is None:
        mine |= Q(product=None)
    elif principal != ANONYMOUS:
        mine |= Q(product=None, requested_by=principal.name)
    return within_limits(Job.objects.filter(mine), principal).select_related("product")


def within_limits(jobs: QuerySet[Job], principal: Principal) -> QuerySet[Job]:
    """Leave out jobs about sources that are limited to others.

    For jobs of products that the principal may read.
    """
    hidden = hidden_limits(principal).values("source_id")
    source = Cast(KeyTextTransform("sourceID", "params"), BigIntegerField())
    known = jobs.alias(_source=source)
    return known.filter(Q(_source=None) | ~Q(_source__in=hidden))


def get_visible_job(job_id: UUID, principal: Principal) -> Job:
    """Return a job; NotFound when it does not exist, expired or is not visible."""
    job = list_jobs(principal).filter(pk=job_id).first()
    if job is None:
        raise NotFound(
            gettext("Job %(job)s not found. Finished jobs are deleted after a day.")
            % {"job": job_id}
        )
    return job


def get_changeable_job(job_id: UUID, principal: Principal) -> Job:
    """Return a job that the caller may cancel and retry.

    Raises NotFound as `get_visible_job` does, PermissionDenied when the caller does not
    maintain its product, and MissingScope when a token lacks the scope of its kind.
    """
    job = get_visible_job(job_id, principal)
    if not may_maintain(principal, job.product):
        raise PermissionDenied(
            gettext(
                "You can view this job but not change it. Ask a maintainer of its "
                "product."
            )
        )
    scope = _SCOPES.get(job.kind, "index")
    if not principal.may(scope):
        raise MissingScope(
            f"Jobs of the kind '{job.kind}' require a token with the scope '{scope}'.",
            scope,
        )
    return job


def get_waiting(job: Job) -> Waiting | None:
    """Return what a job waits for, None when it does not. Queries: 0 to 2."""
    if job.state != JobState.PENDING:
        return None
    running = Job.objects.filter(state=JobState.RUNNING).exclude(pk=job.pk)
    behind = running.filter(lane=job.lane).values_list("pk", flat=True).first()
    if behind is not None:
        return Waiting(ahead=1, behind=behind)
    earlier = Job.objects.filter(
        state=JobState.PENDING, created_at__lt=job.created_at
    ).exclude(lane__in=running.values("lane"))
    return Waiting(ahead=earlier.count(), behind=None)


def find_job(prefix: str, principal: Principal) -> Job:
    """Return the job whose id begins so; NotFound when it is none or several."""
    found = list(list_jobs(principal).filter(pk__startswith=prefix)[:2])
    if len(found) != 1:
        what = "Several job IDs begin" if found else "No job ID begins"
        raise NotFound(
            f"{what} with '{prefix}'. Run `devrag jobs list` to see all jobs."
        )
    return found[0]

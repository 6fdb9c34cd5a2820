"""Read jobs, within what the caller may see."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.products.models import Product


def list_jobs(principal: Principal) -> QuerySet[Job]:
    """Return jobs of products the caller may read, and the caller's own without one."""
    visible = Product.objects.visible_to(principal)
    mine = Q(product__in=visible)
    if principal.is_admin and principal.product_ids is None:
        mine |= Q(product=None)
    elif principal.user_id is not None:
        mine |= Q(product=None, requested_by=principal.name)
    return Job.objects.filter(mine).select_related("product")


def get_visible_job(job_id: UUID, principal: Principal) -> Job:
    """Return a job; NotFound when it does not exist, expired or is not visible."""
    job = list_jobs(principal).filter(pk=job_id).first()
    if job is None:
        raise NotFound(f"There is no job {job_id}; finished jobs go after a day.")
    return job

"""Read jobs, within what the caller may see."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from devrag.core.errors import NotFound
from devrag.core.principal import Principal
from devrag.jobs.models import Job
from devrag.products.models import Product


def list_jobs(principal: Principal) -> QuerySet[Job]:
    """Return jobs of the products the caller may read, newest first."""
    visible = Product.objects.visible_to(principal)
    return Job.objects.filter(product__in=visible).select_related("product")


def get_visible_job(job_id: UUID, principal: Principal) -> Job:
    """Return a job; NotFound when it does not exist, expired or is not visible."""
    job = list_jobs(principal).filter(pk=job_id).first()
    if job is None:
        raise NotFound(f"There is no job {job_id}; finished jobs go after a day.")
    return job

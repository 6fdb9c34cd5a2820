"""The first repository of an instance, from its address to its wiki, on one page."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext

from devrag.core.errors import NotFound
from devrag.core.page_urls import job_url, product_url, wiki_url
from devrag.core.principal import Principal
from devrag.jobs.api import describe_error
from devrag.jobs.models import Job, JobState
from devrag.jobs.selectors import list_jobs
from devrag.products.models import Product
from devrag.products.services import may_maintain
from devrag.sources.models import Source
from devrag.use_cases.api import is_wiki_possible
from devrag.web.pages.jobs import JobPage, LogLine, get_job_page, poll_seconds
from devrag.wiki.models import Wiki

_LOG_LINES = 5


@dataclass(frozen=True, slots=True)
class FirstRun:
    """Where it stands. index, wiki: the jobs at work; location: what was added."""

    job: Job
    location: str
    index: JobPage
    wiki: JobPage | None
    is_searchable: bool
    has_wiki: bool

    @property
    def problem(self) -> str:
        """Why it does not go on, empty while it does."""
        at_fault = self.wiki if self.wiki and not self.has_wiki else self.index
        return describe_error(at_fault.job)

    @property
    def is_wiki_wanted(self) -> bool:
        """Return whether a wiki follows the index."""
        return bool(self.job.params.get("generateWiki", True))

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will change by itself."""
        ends = self.index if self.wiki is None else self.wiki
        return self.has_wiki or not ends.job.is_open

    @property
    def poll_seconds(self) -> int:
        return poll_seconds((self.job.created_at,), fastest=1)

    @property
    def product_url(self) -> str:
        return product_url(self.job.product.name) if self.job.product else ""

    @property
    def wiki_url(self) -> str:
        return wiki_url(self.job.product.name) if self.job.product else ""

    @property
    def job_url(self) -> str:
        return job_url(self.job.pk)

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The last lines of the job that is at work."""
        return (self.wiki or self.index).events[-_LOG_LINES:]


def get_first_run(principal: Principal, job_id: uuid.UUID) -> FirstRun:
    """Return the state of a first index job. Queries: up to 13."""
    index = get_job_page(principal, job_id)
    if index.job.kind != "index":
        raise NotFound(gettext("%(job_id)s is not an index job.") % {"job_id": job_id})
    product = index.job.product
    wiki_job = product and Job.objects.filter(product=product, kind="wiki").first()
    source = Source.objects.filter(pk=index.job.params.get("sourceID")).first()
    return FirstRun(
        job=index.job,
        location=source.location if source else index.job.source_name,
        index=index,
        wiki=get_job_page(principal, wiki_job.pk) if wiki_job else None,
        is_searchable=product is not None and is_wiki_possible(product),
        has_wiki=Wiki.objects.filter(product=product, current__isnull=False).exists()
        if product
        else False,
    )


def find_first_run(
    principal: Principal, product: Product, *, has_wiki: bool
) -> FirstRun | None:
    """Return the first run of the only product while it is under way or failed."""
    if has_wiki or not may_maintain(principal, product):
        return None
    jobs = list_jobs(principal).filter(product=product)
    job = jobs.filter(kind="index", params__isProductNew=True).first()
    if job is None:
        return None
    run = get_first_run(principal, job.pk)
    return run if not run.is_over or run.problem else None


def find_failed_start(principal: Principal) -> str:
    """Return why the caller's last repository could not be added, while none is there.

    A first index that cannot be takes its product back; its job remains to say why.
    """
    own = list_jobs(principal).filter(product=None, requested_by=principal.name)
    job = own.filter(kind="index").first()
    return describe_error(job) if job and job.state == JobState.FAILED else ""

"""The version of a wiki that is being written: where its finished pages are read."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.page_urls import draft_wiki_url
from devrag.jobs.models import Job
from devrag.products.models import Product
from devrag.products.wiki_settings import languages_of
from devrag.web.pages.jobs import poll_seconds
from devrag.wiki.api import DraftVersion, get_draft_version


@dataclass(frozen=True, slots=True)
class OpenDrafts:
    """What a run has finished. poll_seconds: after how many to look for more."""

    version: DraftVersion
    poll_seconds: int

    def urls(self, product: str, folder: str = "") -> dict[str, str]:
        """Return address → URL of the finished pages. folder: before addresses."""
        language = self.version.language
        return {
            folder + page.path: draft_wiki_url(product, language, page.path)
            for page in self.version.pages
        }


def find_drafts(product: Product, job: Job | None, language: str) -> OpenDrafts | None:
    """Return what the job that writes the wiki has finished, None without a job.

    Queries: 2.
    """
    if job is None:
        return None
    version = get_draft_version(product, job.pk, language)
    return OpenDrafts(version, poll_seconds([job.created_at], fastest=2))


def find_first_drafts(product: Product, job: Job | None) -> OpenDrafts | None:
    """Return the same of a wiki without a version, in its main language."""
    return find_drafts(product, job, languages_of(product.wiki_settings)[0])

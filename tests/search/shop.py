"""The shop, indexed as a user's would be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from devrag.jobs.models import Job
from devrag.search.lexical.follower import catch_up
from tests.conftest import SHOP, Repository, run_job
from tests.indexing.test_index import index


def embed_all() -> list[Job]:
    """Run the open embedding jobs to their end; return them, oldest first."""
    jobs = Job.objects.filter(kind="embed", state="pending").order_by("created_at")
    return [run_job(job) for job in list(jobs)]


def index_shop(
    folder: Path,
    more_files: Mapping[str, str | bytes | None] | None = None,
    *,
    has_vectors: bool = False,
) -> Repository:
    """Make the shop's repository, with more files, and make it searchable."""
    shop = Repository(folder / "shop")
    shop.commit({**SHOP, **(more_files or {})}, "Open the shop")
    index(shop)
    catch_up(Path(settings.LEXICAL_DIR))
    if has_vectors:
        embed_all()
    return shop

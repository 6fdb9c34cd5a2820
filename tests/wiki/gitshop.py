"""The shop as a real repository: commit, index, write, as a user's runs do."""

from __future__ import annotations

from typing import Any

from devrag.core.principal import SYSTEM
from devrag.products.models import Product
from devrag.sources.models import Source
from devrag.use_cases.add_repository import add_repository
from devrag.use_cases.index import request_index
from devrag.use_cases.wiki import request_wiki
from tests.conftest import Repository, run_job
from tests.wiki.shop import SHOP


class GitShop:
    """A product whose wiki follows a git repository.

    first: the report of its first version.
    """

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.repository.commit(dict(SHOP))
        location = str(repository.path)
        run_job(
            add_repository(
                principal=SYSTEM,
                location=location,
                is_local_user=True,
                is_wiki_wanted=False,
            )
        )
        self.first = self.write()

    @property
    def product(self) -> Product:
        return Product.objects.get()

    def index(
        self, files: dict[str, str | bytes | None], *, is_wiki_wanted: bool = True
    ) -> Any:
        """Commit these files (None removes) and index; return the run's report."""
        self.repository.commit(files)
        source = Source.objects.get()
        job = request_index(
            principal=SYSTEM, source=source, is_wiki_wanted=is_wiki_wanted
        )
        return run_job(job).report

    def write(self, files: dict[str, str | bytes | None] | None = None) -> Any:
        """Commit these files (None removes), index, write; return the run's report."""
        if files is not None:
            self.index(files, is_wiki_wanted=False)
        job = run_job(request_wiki(principal=SYSTEM, product=self.product))
        assert job.error == ""
        return job.report

"""What was masked in a product's files, as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator

from devrag.core.page_urls import file_url
from devrag.core.principal import Principal
from devrag.products.models import Product
from devrag.sources.models import SecretDismissal, SecretFinding
from devrag.sources.selectors import CURRENT_VERSION
from devrag.use_cases.api import (
    SECRET_STATES,
    SecretFilter,
    count_secrets,
    dismissals_of,
    list_secrets,
    unlisted_sources,
)

PAGE_SIZE = 100
_SHORT = 8


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A finding. version: the commit in which it was read first, shortened."""

    id: int
    rule: str
    source: str
    path: str
    line: int
    url: str
    first_seen_at: datetime
    version: str
    dismissal: SecretDismissal | None


@dataclass(frozen=True, slots=True)
class SecretsPage:
    """Findings of a filter. rules, sources: to choose from, each with its number.

    unlisted: sources that were read before findings were listed.
    """

    rows: tuple[SecretRow, ...]
    cut: Page[SecretFinding]
    rules: list[tuple[str, int]]
    sources: list[str]
    wanted: SecretFilter
    unlisted: list[str]

    @property
    def is_filtered(self) -> bool:
        """Return whether another choice may show more."""
        return bool(self.wanted.rule or self.wanted.source)


def get_secrets_page(
    product: Product, principal: Principal, wanted: SecretFilter, number: str
) -> SecretsPage:
    """Return a page of findings; an unknown state counts as open. Queries: 7."""
    if wanted.state not in SECRET_STATES:
        wanted = SecretFilter(wanted.rule, wanted.source)
    rows = list_secrets(principal, product, wanted)
    cut = Paginator(rows, PAGE_SIZE).get_page(number)
    every = list_secrets(principal, product, SecretFilter(state=wanted.state))
    of_source = list_secrets(
        principal, product, SecretFilter(source=wanted.source, state=wanted.state)
    )
    names = every.order_by("file__source__name").values_list("file__source__name")
    return SecretsPage(
        rows=_see(product, list(cut.object_list)),
        cut=cut,
        rules=count_secrets(of_source),
        sources=[name for (name,) in names.distinct()],
        wanted=wanted,
        unlisted=unlisted_sources(principal, product),
    )


def _see(product: Product, found: list[SecretFinding]) -> tuple[SecretRow, ...]:
    dismissed = dismissals_of(found)
    return tuple(
        SecretRow(
            id=row.pk,
            rule=row.rule,
            source=row.file.source.name,
            path=row.file.path,
            line=row.line,
            url=file_url(
                product.name,
                row.file.source.name,
                CURRENT_VERSION,
                row.file.path,
                row.line,
            ),
            first_seen_at=row.first_seen_at,
            version=row.first_version[:_SHORT],
            dismissal=dismissed.get((row.file.source_id, row.key)),
        )
        for row in found
    )

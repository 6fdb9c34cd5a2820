"""Whether a run led to the pages of the newest version: then it publishes none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model

from devrag.wiki.models import Claim, Page, Version

_PAGE_FIELDS = tuple(
    field.attname
    for field in Page._meta.concrete_fields
    if field.attname not in {"id", "version_id"}
)
_CLAIM_FIELDS = tuple(
    field.attname
    for field in Claim._meta.concrete_fields
    if field.attname not in {"id", "page_id"}
)


def is_unchanged(
    version: Version,
    *,
    about: Mapping[str, Any],
    pages: Iterable[Page],
    claims: Iterable[Claim],
) -> bool:
    """Return whether a version has these pages with these claims already.

    about: what the version itself must have, by field; a field of its report by
    `report.NAME`. pages, claims: unsaved rows; a claim knows its page. Queries: 2.
    """
    if any(
        _plain(_part(version, name)) != _plain(each) for name, each in about.items()
    ):
        return False
    written = Page.objects.filter(version=version).written()
    stored_pages = {_row(page, _PAGE_FIELDS) for page in written}
    if stored_pages != {_row(page, _PAGE_FIELDS) for page in pages}:
        return False
    stored_claims = Claim.objects.filter(page__in=written).with_page()
    return set(map(_claim, stored_claims)) == set(map(_claim, claims))


def _part(version: Version, name: str) -> Any:
    field, _, key = name.partition(".")
    value = getattr(version, field)
    return value.get(key) if key else value


def _claim(claim: Claim) -> str:
    return f"{claim.page.path} {_row(claim, _CLAIM_FIELDS)}"


def _row(row: Model, names: Iterable[str]) -> str:
    return _plain([getattr(row, name) for name in names])


def _plain(value: Any) -> str:
    """Return a value as the database would give it back: tuples are lists there."""
    return json.dumps(value, sort_keys=True)

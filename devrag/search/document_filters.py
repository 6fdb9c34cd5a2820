"""What a query asks of pages and tickets: kind, status, author, dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from django.utils.translation import gettext

from devrag.core.errors import InvalidInput
from devrag.search.types import DOCUMENT_KINDS, SearchQuery
from devrag.sources.api import author_term, kind_term, status_term

_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


def wanted_terms(query: SearchQuery) -> list[str]:
    """Return the terms that a document must have."""
    found = [kind_term(query.kind)] if query.kind in DOCUMENT_KINDS else []
    found += [status_term(query.status)] if query.status.strip() else []
    found += [author_term(query.author)] if query.author.strip() else []
    return found


def changed_days(query: SearchQuery) -> tuple[date | None, date | None]:
    """Return the first day of change that passes and the first that does not."""
    after = read_day(query.after) if query.after else None
    before = read_day(query.before) if query.before else None
    return after, before


def changed_times(query: SearchQuery) -> dict[str, datetime]:
    """Return bounds of the time of change, as lookups of a date and time field."""
    after, before = changed_days(query)
    bounds = {"gte": after, "lt": before}
    return {
        name: datetime.combine(day, time(), UTC) for name, day in bounds.items() if day
    }


def has_document_filter(query: SearchQuery) -> bool:
    """Return whether only pages and tickets can pass."""
    return bool(wanted_terms(query) or query.after or query.before)


def check_documents(query: SearchQuery) -> None:
    """Raise InvalidInput for dates that are none, or leave nothing between them."""
    days = [*_checked(query, "after"), *_checked(query, "before")]
    if len(days) > 1 and days[0] >= days[1]:
        raise InvalidInput(
            gettext(
                "after:%(after)s is not earlier than before:%(before)s, so no result "
                "can match."
            )
            % {"after": query.after, "before": query.before}
        )


def _checked(query: SearchQuery, name: str) -> Iterator[date]:
    written = getattr(query, name)
    if not written:
        return
    found = read_day(written)
    if found is None:
        raise InvalidInput(
            gettext(
                "%(name)s is '%(value)s'. Use a date such as 2026-01-31, 2026-01 or "
                "2026."
            )
            % {"name": name, "value": written[:80]}
        )
    yield found


def read_day(written: str) -> date | None:
    """Return the first day of a date, month or year in ISO 8601; None for others.

    >>> read_day("2026-02")
    datetime.date(2026, 2, 1)
    """
    match = _DATE.fullmatch(written.strip()) if written.isascii() else None
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None

"""Test a connection: what a source would read, before anything is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from devrag.core.errors import SourceError
from devrag.core.principal import Principal
from devrag.products.services import get_maintained_product
from devrag.sources.api import (
    ServerAccess,
    access_of,
    checked_settings,
    open_connector,
    preview,
)
from devrag.sources.connectors.types import NO_CREDENTIALS, Credentials
from devrag.sources.models import Source
from devrag.sources.services import (
    connector_context,
    https_credentials,
    location_key,
    selection_of,
)
from devrag.use_cases.add_repository import (
    checked_kind,
    find_target,
    known_credentials,
    without_login,
)
from devrag.use_cases.locations import UnderstoodLocation

# Somebody waits: a server that needs longer is not well enough to be read from.
_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Connection:
    """What a place would give as a source.

    title: of the space, project or repository, '' where it has none. counts: what of
    ('pages') and how many, None where the place does not tell. notes: what is left out.
    source_name: what the source would be called.
    """

    source_type: str
    location: str
    source_name: str
    title: str = ""
    counts: tuple[tuple[str, int | None], ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return its fields under the keys of every entry point."""
        return {
            "sourceType": self.source_type,
            "sourceURL": self.location,
            "sourceName": self.source_name,
            "title": self.title,
            "counts": [{"name": name, "count": count} for name, count in self.counts],
            "notes": list(self.notes),
        }


def check_connection(
    *,
    principal: Principal,
    location: str,
    product_name: str | None = None,
    source_type: str | None = None,
    credentials: Credentials = NO_CREDENTIALS,
    settings: Mapping[str, Any] | None = None,
    is_local_user: bool = False,
) -> Connection:
    """Ask a place what it would give, with the checks of adding it. Stores nothing.

    Raises what adding it would raise: for an address, a product, a token.
    """
    if not is_local_user:
        location, credentials = without_login(location, credentials)
    kind = checked_kind(source_type)
    target = find_target(principal, location, product_name, is_local_user, kind)
    place = target.place
    used = credentials if credentials.secret else known_credentials(principal, target)
    chosen = checked_settings(settings or {})
    return ask_place(place, used, target.access, chosen)


def check_source(*, principal: Principal, source: Source) -> Connection:
    """Ask a source that is there, with the credentials that are kept for it.

    Raises PermissionDenied for who may not change it, and what the place answers.
    """
    get_maintained_product(source.product.name, principal)
    place = UnderstoodLocation(source.source_type, source.location, source.name)
    return ask_place(
        place, https_credentials(source), access_of(source), source.metadata
    )


def ask_place(
    place: UnderstoodLocation,
    credentials: Credentials,
    access: ServerAccess,
    settings: Mapping[str, Any],
) -> Connection:
    """Ask a checked place what it would give, for as long as somebody waits."""
    context = replace(
        connector_context(access, credentials),
        selection=selection_of(settings),
        checkpoint=_deadline(place.location),
    )
    metadata = {**settings, location_key(place.location): place.location}
    with closing(open_connector(place.source_type, metadata, context)) as connector:
        found = preview(connector)
    return Connection(
        place.source_type,
        place.location,
        place.name,
        found.title,
        found.counts,
        found.notes,
    )


def _deadline(location: str) -> Callable[[], None]:
    ends = time.monotonic() + _PATIENCE_SECONDS

    def check() -> None:
        if time.monotonic() > ends:
            raise SourceError(
                gettext(
                    "%(location)s did not respond within %(seconds)s seconds. Check "
                    "that it is running and reachable from this server, then try "
                    "again."
                )
                % {"location": location, "seconds": round(_PATIENCE_SECONDS)},
                permanent=False,
            )

    return check

"""The token that is kept for a source: try another one, keep it, or remove it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.utils.translation import gettext

from devrag.core.errors import ConfigurationError, InvalidInput
from devrag.core.principal import Principal
from devrag.sources.api import access_of, store_credentials
from devrag.sources.connectors.types import NO_CREDENTIALS, Credentials
from devrag.sources.models import Source
from devrag.sources.selectors import check_may_change
from devrag.sources.services import https_credentials
from devrag.use_cases.connection import Connection, ask_place
from devrag.use_cases.locations import UnderstoodLocation


def takes_token(source: Source) -> bool:
    """Return whether a source is read from a host that may ask for a token."""
    return urlsplit(source.location).scheme in {"http", "https"}


def has_token(source: Source) -> bool:
    """Return whether a token is kept, one that no key opens any more included."""
    try:
        return bool(https_credentials(source).secret)
    except ConfigurationError:
        return True


def check_token(
    *, principal: Principal, source: Source, credentials: Credentials
) -> Connection:
    """Ask a source's place with another token; store nothing.

    Raises PermissionDenied for who may not change it, and what the place answers.
    """
    check_may_change(principal, source)
    _check_given(source, credentials)
    place = UnderstoodLocation(source.source_type, source.location, source.name)
    return ask_place(place, credentials, access_of(source), source.metadata)


def replace_token(
    *, principal: Principal, source: Source, credentials: Credentials
) -> Connection:
    """Keep another token for a source, if its place accepts it."""
    found = check_token(principal=principal, source=source, credentials=credentials)
    _store(source, credentials)
    return found


def remove_token(*, principal: Principal, source: Source) -> None:
    """Forget the token; the next run reads what everybody may see."""
    check_may_change(principal, source)
    _store(source, NO_CREDENTIALS)


def _store(source: Source, credentials: Credentials) -> None:
    changes = {"username": credentials.username, "token": credentials.secret}
    store_credentials(source=source, changes=changes)


def _check_given(source: Source, credentials: Credentials) -> None:
    if not takes_token(source):
        raise InvalidInput(
            gettext("'%(source)s' is not read over HTTP, so it does not use a token.")
            % {"source": source.name}
        )
    if not credentials.secret:
        raise InvalidInput(gettext("Enter the new token."))

"""What may be added from the browser, said beside the form before it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.core.principal import Principal
from devrag.sources.api import UploadLimits, allowed_roots
from devrag.sources.services import address_rules, upload_limits


@dataclass(frozen=True, slots=True)
class AllowedLocations:
    """schemes: of git URLs. roots: folders of the server, none for who is unknown.

    upload: how much may be uploaded, None where nothing may be.
    """

    schemes: tuple[str, ...]
    is_public_only: bool
    roots: tuple[str, ...]
    upload: UploadLimits | None = None


def get_allowed_locations(principal: Principal) -> AllowedLocations:
    """Return what a caller may add. Queries: 1 at most, none for administrators."""
    rules = address_rules()
    schemes = ("https://", *(("http://",) if rules.allow_http else ()), "ssh://")
    roots = allowed_roots(principal) if principal.user_id is not None else ()
    upload = get_allowed_upload()
    return AllowedLocations(schemes, rules.public_only, tuple(map(str, roots)), upload)


def get_allowed_upload() -> UploadLimits | None:
    """Return how much may be uploaded, None where uploads are turned off."""
    limits = upload_limits()
    return limits if limits.max_bytes else None

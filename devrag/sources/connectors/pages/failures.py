"""What a refusal of an API means, said with the way out."""

from __future__ import annotations

import json

from devrag.core.errors import NotFound, PermissionDenied, SourceError
from devrag.core.texts import gettext


class AnswerTooLarge(SourceError):
    """More bytes came than are read."""


class NotAllowed(PermissionDenied):
    """The token is valid, but what was asked for is not shown to it."""


class Gone(NotFound):
    """What the server had there is gone."""


class Moved(SourceError):
    """It is at another address now."""


class NotAccepted(SourceError):
    """The server takes the request for a wrong one: of an id of another kind, say."""


def check_status(status: int, url: str, body: bytes) -> None:
    """Raise what a refusal means."""
    values = {"url": shown(url), "why": _reason(body)}
    if status == 401:
        raise PermissionDenied(
            gettext(
                "%(url)s rejected the token%(why)s. It may have expired. Replace the "
                "token of the source."
            )
            % values
        )
    if status == 403:
        raise NotAllowed(
            gettext(
                "The token has no read access to %(url)s%(why)s. Grant its user read "
                "access, or use another token."
            )
            % values
        )
    if status in {404, 410}:
        raise (Gone if status == 410 else NotFound)(
            gettext(
                "Nothing found at %(url)s%(why)s. Check the URL and the name. Some "
                "servers also answer like this if the token has no access."
            )
            % values
        )
    if 300 <= status < 400:
        raise Moved(
            gettext(
                "%(url)s redirects to another URL. Use the URL that the browser shows "
                "in the end."
            )
            % values
        )
    if status >= 400:
        kind = NotAccepted if status == 400 else SourceError
        raise kind(
            gettext("%(url)s rejected the request with status %(status)s%(why)s.")
            % {**values, "status": status},
            permanent=status < 500,
        )


def _reason(body: bytes) -> str:
    """Return what the server says of a refusal, short; '' where it says nothing."""
    try:
        found = json.loads(body)
    except ValueError:
        return ""
    for key in ("message", "error", "detail", "errors"):
        said = found.get(key) if isinstance(found, dict) else None
        if said:
            words = " ".join(str(said).split())
            return f" ({words[:200]})"
    return ""


def unreachable(url: str, cause: str) -> SourceError:
    return SourceError(
        gettext(
            "Cannot read %(url)s at the moment: %(cause)s. What was read so far is "
            "kept, and the next run continues from there."
        )
        % {"url": shown(url), "cause": cause},
        permanent=False,
    )


def used_up(seconds: float) -> SourceError:
    """Return what is raised where a server's allowance comes back too late."""
    return SourceError(
        gettext(
            "The server's request limit is used up for another %(minutes)s minutes. "
            "The next run continues from here."
        )
        % {"minutes": round(seconds / 60)},
        permanent=False,
    )


def shown(url: str) -> str:
    """Return an address for a message, without query: it may hold a signature."""
    return url.partition("?")[0][:300]

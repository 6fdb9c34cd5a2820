"""What the pages of failures say: what happened, and what one can do. No database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from django.utils.translation import gettext, gettext_noop

_LONGEST_QUERY = 80


@dataclass(frozen=True, slots=True)
class ErrorText:
    """steps: what to do, the most likely first."""

    title: str
    message: str
    steps: tuple[str, ...] = ()


_AGAIN = gettext_noop("Wait a moment, then reload this page.")
_DOCTOR = gettext_noop(
    "If it keeps happening, ask an administrator to look in the "
    "server log at the time below and to run `devrag doctor`."
)
_TEXTS = {
    400: ErrorText(
        gettext_noop("Bad request"),
        gettext_noop("The address or the form contains an invalid value."),
        (
            gettext_noop("Go back and try again."),
            gettext_noop("If you followed a link, check that it is complete."),
        ),
    ),
    403: ErrorText(
        gettext_noop("You do not have permission"),
        gettext_noop("Your account does not have access to this."),
        (
            gettext_noop("Sign in with another account."),
            gettext_noop("Ask a maintainer of the product or an administrator."),
        ),
    ),
    404: ErrorText(
        gettext_noop("Page not found"),
        gettext_noop(
            "This page does not exist, or your account does not have access to it."
        ),
        (
            gettext_noop("Check the address. It is case-sensitive."),
            gettext_noop("The file or page may have moved. Search for its name."),
            gettext_noop("If it is private, sign in with an account that has access."),
        ),
    ),
    409: ErrorText(
        gettext_noop("Not possible right now"),
        gettext_noop("This action is not possible in the current state."),
        (gettext_noop("Go back, reload the page and try again."),),
    ),
    413: ErrorText(
        gettext_noop("Request too large"),
        gettext_noop("A request can be at most 1 MB."),
        (
            gettext_noop("Shorten the text, or send it in parts."),
            gettext_noop(
                "Add larger sources as a repository or as a folder on the server."
            ),
        ),
    ),
    429: ErrorText(
        gettext_noop("Too many requests"),
        gettext_noop("You sent more requests than the server allows at a time."),
        (_AGAIN,),
    ),
    500: ErrorText(
        gettext_noop("Something went wrong"),
        gettext_noop("The error was logged. Your data is safe."),
        (_AGAIN, _DOCTOR),
    ),
    502: ErrorText(
        gettext_noop("Another server failed"),
        gettext_noop("A server that devrag depends on returned an error."),
        (_AGAIN, _DOCTOR),
    ),
    503: ErrorText(
        gettext_noop("Service unavailable"),
        gettext_noop("The database or another service is not responding."),
        (
            _AGAIN,
            gettext_noop("`devrag server status` shows which service is missing."),
        ),
    ),
}


_TIMED_OUT = ErrorText(
    gettext_noop("The request timed out"),
    gettext_noop("The server is busy, or the request needs too much work."),
)


# To whom the advice to sign in is of no use.
_SIGNED_IN = {
    404: (
        *_TEXTS[404].steps[:-1],
        gettext_noop("If it is private, ask an administrator for access."),
    ),
}


def describe_error(
    path: str,
    status: int,
    message: str = "",
    *,
    is_timeout: bool = False,
    is_signed_in: bool = False,
    is_in_product: bool = False,
) -> dict[str, Any]:
    """Return what the page shows. message: what is known beyond the status.

    is_in_product: the address is below a product that the reader may see.
    query: what to search for, from the address of a page that is not there.
    at: when it happened, for failures of the server.
    """
    text = _TIMED_OUT if is_timeout else _TEXTS.get(status, _TEXTS[500])
    steps = _SIGNED_IN.get(status, text.steps) if is_signed_in else text.steps
    if status == 404 and message:
        # Why it is not there is told: only who may see it can still be the reason.
        steps = () if is_in_product else steps[-1:]
    return {
        "status": status,
        "title": gettext(text.title),
        "message": message or gettext(text.message),
        "steps": [gettext(step) for step in steps],
        "query": _query_of(path) if status == 404 else "",
        "at": datetime.now(UTC) if status >= 500 else None,
        "is_search_shown": status < 500,
    }


def _query_of(path: str) -> str:
    """Return the last part of an address as words to search for."""
    last = unquote(path).rstrip("/").rpartition("/")[2]
    words = re.sub(r"\.(?:md|html?)$|[-_+]|[^\w.]", " ", last)
    return " ".join(words.split())[:_LONGEST_QUERY]

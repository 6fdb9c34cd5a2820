"""What git complains about, in one sentence with the way out. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.core.errors import DevragError, NotFound, SourceError
from devrag.core.text import clean_text, shorten


@dataclass(frozen=True, slots=True)
class _Cause:
    """permanent: whether only a change, not time, can help."""

    pattern: re.Pattern[str]
    sentence: str
    permanent: bool = True
    error: type[DevragError] = SourceError


def _cause(
    pattern: str,
    sentence: str,
    *,
    permanent: bool = True,
    error: type[DevragError] = SourceError,
) -> _Cause:
    return _Cause(re.compile(pattern, re.IGNORECASE), sentence, permanent, error)


# The first that matches speaks; the general ones come last.
_CAUSES = (
    _cause(
        r"host key verification failed",
        "The host key of {place} is not known. Compare what ssh-keyscan shows with the"
        " host's published key, add it to the known_hosts file and try again.",
    ),
    _cause(
        r"authentication failed|permission denied \(|could not read (user|pass)"
        r"|terminal prompts disabled|returned error: 40[137]|access denied",
        "{place} asks for credentials or refuses those it got. Check the user name and"
        " token of the source, or the SSH key.",
    ),
    _cause(
        r"returned error: 30\d|redirect",
        "{place} has moved, and redirects are not followed. Give the new address.",
    ),
    _cause(
        r"not found|returned error: 404|does not appear to be a git|could not be found"
        r"|not valid: is this a git repository|returned error: 410",
        "There is no git repository at {place}. Check the address; a private one may"
        " also hide from missing or wrong credentials.",
        error=NotFound,
    ),
    _cause(
        r"certificate|SSL|TLS",
        "The encrypted connection to {place} could not be trusted. Install the"
        " certificate of its authority on this machine.",
    ),
    _cause(
        r"no space left|disk quota",
        "The disk is full: {mirror} cannot grow. Free some space and try again.",
        permanent=False,
    ),
    _cause(
        r"refused|failed to connect|couldn't connect|timed out|timeout|too slow"
        r"|no route to host|network is unreachable|connection (reset|closed)|early EOF"
        r"|disconnect|hung up|could(n't| not) resolve|returned error: (429|5\d\d)"
        r"|empty reply|RPC failed",
        "{place} cannot be reached at the moment. Check that the host is up and that"
        " this machine may connect to it, then try again.",
        permanent=False,
    ),
    _cause(
        r"corrupt|bad object|missing (blob|tree|commit|object)|unable to read"
        r"|loose object|bad tree|not a valid object|not a tree object|could not parse",
        "Objects of {place} are missing or damaged. If git fsck finds nothing wrong"
        " there, delete the mirror {mirror} and index again.",
    ),
    _cause(
        r"permission denied|read-only file system|unable to create|cannot create",
        "The mirror {mirror} or the repository {place} cannot be opened: permission"
        " denied. Check the owner of both.",
    ),
)


def explain(stderr: str, *, place: str, mirror: str) -> DevragError:
    """Return the error that says what went wrong at a place."""
    for cause in _CAUSES:
        if cause.pattern.search(stderr):
            sentence = cause.sentence.format(place=place, mirror=mirror)
            return cause.error(sentence, permanent=cause.permanent)
    said = shorten(clean_text(_last_complaint(stderr)), 200) or "no reason given"
    return SourceError(f"git could not read {place}: {said}.")


def _last_complaint(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or [""])[-1].partition(":")[2].strip().rstrip(".")

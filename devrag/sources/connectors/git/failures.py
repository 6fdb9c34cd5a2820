"""What git complains about, in one sentence with the way out. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_noop

from devrag.core.errors import DevragError, NotFound, SourceError
from devrag.core.text import clean_text, shorten
from devrag.core.texts import gettext


class Moved(SourceError):
    """The host answers with another address."""


class Damaged(SourceError):
    """Objects are missing or broken, in the mirror or where it comes from."""


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


_DAMAGED = gettext_noop(
    "Objects of %(place)s are missing or damaged. Run git fsck there, or use a fresh "
    "clone."
)
# The first that matches speaks; the general ones come last.
_CAUSES = (
    _cause(
        r"host identification has changed",
        gettext_noop(
            "The host key of %(place)s has changed: the host was reinstalled, or "
            "someone is intercepting the connection. Verify this with its "
            "administrator; then remove the old key from %(known_hosts)s with "
            "ssh-keygen -R and add the new one: %(scan)s"
        ),
    ),
    _cause(
        r"host key verification failed",
        gettext_noop(
            "The host key of %(place)s is not in %(known_hosts)s. Run this command "
            "and compare the result with the published key of the host: %(scan)s"
        ),
    ),
    _cause(
        r"rate limit|too many requests|(error:|HTTP) 429",
        gettext_noop(
            "%(place)s has limited the number of requests. devrag tries again later."
        ),
        permanent=False,
    ),
    _cause(
        r"could not read (user|pass)|terminal prompts disabled|returned error: 407",
        gettext_noop(
            "%(place)s requires credentials. Store a token with read access: `source "
            "credentials NAME --token-stdin`. If the repository is public, check the "
            "URL."
        ),
    ),
    _cause(
        r"authentication failed|permission denied \(|returned error: 40[13]"
        r"|access denied",
        gettext_noop(
            "%(place)s rejected the credentials. Store other credentials with `source "
            "credentials NAME --token-stdin`; for ssh, add the public key of this "
            "installation to the host."
        ),
    ),
    _cause(
        r"returned error: 30\d|redirect",
        gettext_noop(
            "%(place)s redirects to another URL, and redirects are not followed. Set "
            "the new URL: `source update NAME --url URL`."
        ),
        error=Moved,
    ),
    _cause(
        r"not found|returned error: 404|does not appear to be a git|could not be found"
        r"|not valid: is this a git repository|returned error: 410",
        gettext_noop(
            "No git repository found at %(place)s. Check the URL. Some hosts also "
            "answer like this when the credentials of a private repository are "
            "missing or wrong."
        ),
        error=NotFound,
    ),
    _cause(
        r"certificate|SSL|TLS",
        gettext_noop(
            "The TLS certificate of %(place)s is not trusted. Install the certificate "
            "of its authority on this machine."
        ),
    ),
    _cause(
        r"no space left|disk quota|file too large",
        gettext_noop(
            "The disk is full, so %(mirror)s cannot be updated. Free some space and "
            "try again."
        ),
        permanent=False,
    ),
    _cause(
        r"corruption on the remote side|unable to read [0-9a-f]%(40)s",
        _DAMAGED,
        error=Damaged,
    ),
    _cause(
        r"refused|failed to connect|couldn't connect|timed out|timeout|too slow"
        r"|no route to host|network is unreachable|connection (reset|closed)|early EOF"
        r"|disconnect|hung up|could(n't| not) resolve|returned error: (429|5\d\d)"
        r"|empty reply|RPC failed",
        gettext_noop(
            "Cannot reach %(place)s. Check that the host is running and that this "
            "machine can connect to it, then try again."
        ),
        permanent=False,
    ),
    _cause(
        r"corrupt|bad object|unknown object type|inflate|premature end"
        r"|cannot be accessed|all necessary"
        r"|could not read [0-9a-f]%(40)s|lazy fetching disabled"
        r"|missing (blob|tree|commit|object)|unable to read"
        r"|loose object|bad tree|not a valid object|not a tree object|could not parse",
        _DAMAGED,
        error=Damaged,
    ),
    _cause(
        r"invalid index-pack output|died of signal",
        gettext_noop(
            "Data from %(place)s could not be stored in %(mirror)s: git was stopped "
            "while writing. Check free disk space, file size limits and memory, then "
            "try again."
        ),
        permanent=False,
    ),
    _cause(
        r"permission denied|read-only file system|unable to create|cannot create",
        gettext_noop(
            "Cannot open the mirror %(mirror)s or the repository %(place)s: "
            "permission denied. Check the owner of both."
        ),
    ),
)


def explain(stderr: str, facts: Mapping[str, str]) -> DevragError:
    """Return the error that says what went wrong.

    facts: place (URL or path), mirror, known_hosts, scan (how to get a host's keys).
    """
    place = facts["place"]
    # The words in an address are no complaint.
    said = stderr.replace(place, "…")
    for cause in _CAUSES:
        if cause.pattern.search(said):
            sentence = gettext(cause.sentence) % facts
            return cause.error(sentence, permanent=cause.permanent)
    last = shorten(clean_text(_last_complaint(stderr)), 200) or gettext(
        "no reason given"
    )
    return SourceError(
        gettext("git could not read %(place)s: %(last)s.")
        % {"place": place, "last": last}
    )


def _last_complaint(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or [""])[-1].partition(":")[2].strip().rstrip(".")

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
    "Objects of %(place)s are missing or damaged. Run git fsck there, or "
    "fetch a new copy of it."
)
# The first that matches speaks; the general ones come last.
_CAUSES = (
    _cause(
        r"host identification has changed",
        gettext_noop(
            "The host key of %(place)s is another than before: its host was set up "
            "anew, or somebody stands between. Ask whoever runs it; then remove the"
            " old key from %(known_hosts)s with ssh-keygen -R, and add the new one:"
            " %(scan)s"
        ),
    ),
    _cause(
        r"host key verification failed",
        gettext_noop(
            "The host key of %(place)s is not in %(known_hosts)s. Run this, and "
            "compare what it adds with the host's published key: %(scan)s"
        ),
    ),
    _cause(
        r"rate limit|too many requests|(error:|HTTP) 429",
        gettext_noop(
            "%(place)s limits how often it may be asked. It is tried again later."
        ),
        permanent=False,
    ),
    _cause(
        r"could not read (user|pass)|terminal prompts disabled|returned error: 407",
        gettext_noop(
            "%(place)s asks for credentials. Store a token that may read it: source"
            " credentials NAME --token-stdin. If it should be public, check the "
            "address."
        ),
    ),
    _cause(
        r"authentication failed|permission denied \(|returned error: 40[13]"
        r"|access denied",
        gettext_noop(
            "%(place)s refuses the credentials it got. Store others: source "
            "credentials NAME --token-stdin; for ssh, let the host know the "
            "installation's key."
        ),
    ),
    _cause(
        r"returned error: 30\d|redirect",
        gettext_noop(
            "%(place)s has moved, and redirects are not followed. Give the new "
            "address: source update NAME --url URL."
        ),
        error=Moved,
    ),
    _cause(
        r"not found|returned error: 404|does not appear to be a git|could not be found"
        r"|not valid: is this a git repository|returned error: 410",
        gettext_noop(
            "There is no git repository at %(place)s. Check the address; a private "
            "one may also hide from missing or wrong credentials."
        ),
        error=NotFound,
    ),
    _cause(
        r"certificate|SSL|TLS",
        gettext_noop(
            "The encrypted connection to %(place)s could not be trusted. Install "
            "the certificate of its authority on this machine."
        ),
    ),
    _cause(
        r"no space left|disk quota|file too large",
        gettext_noop(
            "The disk is full: %(mirror)s cannot grow. Free some space and try again."
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
            "%(place)s cannot be reached at the moment. Check that the host is up "
            "and that this machine may connect to it, then try again."
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
            "What %(place)s sent could not be stored in %(mirror)s: git was stopped"
            " while it wrote. Check the free space, file size limits and memory, "
            "then try again."
        ),
        permanent=False,
    ),
    _cause(
        r"permission denied|read-only file system|unable to create|cannot create",
        gettext_noop(
            "The mirror %(mirror)s or the repository %(place)s cannot be opened: "
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

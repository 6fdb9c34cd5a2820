"""What GitHub, GitLab and Gitea send after a push: who signed it, what it says. Pure.

Sources: GitHub "Validating webhook deliveries" and "Webhook events and payloads: push";
GitLab "Webhook events"; Gitea "Webhooks"; Standard Webhooks 1.0 (GitLab's signing
tokens).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from devrag.core.errors import InvalidInput
from devrag.sources.addresses import check_ref
from devrag.sources.api import PREFIX

_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF_KINDS = {"refs/heads/": "branch", "refs/tags/": "tag"}
_SHOWN = 60
TOLERANCE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Push:
    """A branch or tag that moved. default_branch: as the host has it, '' = unsaid."""

    name: str
    kind: str
    default_branch: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Host:
    """How a kind of host signs its requests and names its events."""

    event_header: str
    push_events: frozenset[str]
    is_signed: Callable[[Mapping[str, str], bytes, str], bool]
    # Returns what identifies a delivery; b"" where nothing does.
    identify: Callable[[Mapping[str, str], bytes], bytes]


def _is_signed_by_github(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    expected = f"sha256={_hex_digest(secret, body)}"
    return _is_same(headers.get("X-Hub-Signature-256", ""), expected)


def _is_signed_by_gitea(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    return _is_same(headers.get("X-Gitea-Signature", ""), _hex_digest(secret, body))


def _is_signed_by_gitlab(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """The secret itself in a header, or a signature after Standard Webhooks.

    The latter names the time, which may differ from ours by five minutes.
    """
    if _is_same(headers.get("X-Gitlab-Token", ""), secret):
        return True
    is_recent = _is_recent(headers.get("webhook-timestamp", ""))
    stamp = f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}."
    signed = stamp.encode("utf-8", "replace") + body
    digest = hmac.digest(_standard_key(secret), signed, hashlib.sha256)
    expected = f"v1,{base64.b64encode(digest).decode()}"
    given = headers.get("webhook-signature", "").split()
    is_signed = any([_is_same(each, expected) for each in given])  # noqa: C419 - all, always
    return is_signed and is_recent


def _is_recent(timestamp: str) -> bool:
    """Return whether Unix seconds are within the tolerance of Standard Webhooks."""
    is_number = re.fullmatch(r"[0-9]{1,12}", timestamp) is not None
    return is_number and abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS


def _identify_by_body(_headers: Mapping[str, str], body: bytes) -> bytes:
    """Return the body: GitHub and Gitea sign nothing else, not even their ids.

    It names the commits before and after and the time of the push.
    """
    return body


def _identify_for_gitlab(headers: Mapping[str, str], body: bytes) -> bytes:
    """Return the signed id with the body; else that of the event, if there is one.

    GitLab's payload has no time, so that equal bodies may be different pushes. Who
    can replay a request with the secret in it can make new ones as well.
    """
    key = headers.get("webhook-id") or headers.get("X-Gitlab-Event-UUID") or ""
    return key.encode("utf-8", "replace") + b"." + body if key else b""


HOSTS = {
    "github": Host(
        "X-GitHub-Event", frozenset({"push"}), _is_signed_by_github, _identify_by_body
    ),
    "gitlab": Host(
        "X-Gitlab-Event",
        frozenset({"Push Hook", "Tag Push Hook"}),
        _is_signed_by_gitlab,
        _identify_for_gitlab,
    ),
    "gitea": Host(
        "X-Gitea-Event", frozenset({"push"}), _is_signed_by_gitea, _identify_by_body
    ),
}


def read_event(host: Host, headers: Mapping[str, str], body: bytes) -> Push | Ignored:
    """Return what a signed request tells; InvalidInput when it is no push payload."""
    event = headers.get(host.event_header, "")
    if event not in host.push_events:
        return Ignored(f"The event '{event[:_SHOWN]}' is not a push.")
    return read_push(body)


def read_push(body: bytes) -> Push | Ignored:
    """Read the three fields that matter: `ref`, `after`, the default branch.

    The three hosts name them alike. `after` only tells a deletion (all zeros): what is
    indexed is the head of the ref, which may have moved on since.
    """
    payload = _read_object(body)
    ref, after = _text(payload, "ref"), _text(payload, "after")
    if not _HASH.fullmatch(after):
        raise InvalidInput("The payload's 'after' is not a full commit hash.")
    prefix = next((each for each in _REF_KINDS if ref.startswith(each)), "")
    if not prefix:
        return Ignored(f"{_shown(ref)} is not a branch or tag.")
    name = _check_name(ref.removeprefix(prefix))
    if not after.strip("0"):
        return Ignored(f"{_shown(ref)} was deleted, so there is nothing to index.")
    return Push(name, _REF_KINDS[prefix], _default_branch(payload))


def _read_object(body: bytes) -> dict[str, Any]:
    if body.startswith(b"payload="):
        raise InvalidInput(
            "The payload is form-encoded. Set the content type of the webhook to "
            "'application/json'."
        )
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The payload is not valid JSON.") from error
    if not isinstance(payload, dict):
        raise InvalidInput("The payload is not a JSON object.")
    return payload


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    if not isinstance(value, str):
        raise InvalidInput(
            f"The payload has no text field '{name}', so it is not a push event."
        )
    return value


def _check_name(name: str) -> str:
    """Refuse what git would: half a surrogate pair cannot be looked up either."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("The payload's 'ref' is not valid Unicode.") from error
    return check_ref(name)


def _default_branch(payload: Mapping[str, Any]) -> str:
    """GitLab says it of its `project`, the others of their `repository`."""
    for key in ("project", "repository"):
        place = payload.get(key)
        value = place.get("default_branch") if isinstance(place, dict) else None
        if isinstance(value, str):
            return value
    return ""


def _shown(text: str) -> str:
    short = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return short.encode("utf-8", "replace").decode()


def _hex_digest(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _standard_key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return secret.encode()


def _is_same(given: str, expected: str) -> bool:
    """Compare in constant time; headers may hold any character."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())

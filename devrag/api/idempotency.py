"""`Idempotency-Key`: a POST that is sent twice is done once.

The first success is kept in the broker for a day and sent again to whoever sends the
same request with the same token and key. A token has so many keys a day, and so many
bytes of answers are kept for it. A failure did nothing and frees its key. The claim of
a request that a dead process never answered ends after five minutes; those that may
take longer renew it.
What changes nothing takes no key: see `takes_key` of `devrag.api.operations`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from devrag.api.problems import AnswerGone, KeyReused, RequestRunning, SecretGone
from devrag.core.errors import InvalidInput, ServiceUnavailable
from devrag.core.hashing import sha256_hex
from devrag.jobs.api import TooManyRequests, broker_at

HEADER = "Idempotency-Key"
_KEPT_SECONDS, _RUNNING_SECONDS = 86_400, 300
_RENEWED_SECONDS = 60.0  # between renewals
_LONGEST, _LONGEST_ANSWER = 255, 65_536
# Of one token, in a day from its first key on: the broker's memory is for jobs.
MOST_KEYS, MOST_BYTES = 10_000, 32 << 20
_HEADERS = ("Content-Type", "Location")


class Replayed(Exception):
    """The answer that was given before."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a request has claimed. total: name of what its token's answers come to."""

    name: str
    fingerprint: str
    total: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is known of a request. status: 0 while it runs.

    text: None for a secret, and where is_long.
    """

    fingerprint: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str | None = ""
    is_long: bool = False


def claim_key(request: HttpRequest, token: str) -> None:
    """Take the request's key for it; raise Replayed when it was answered before.

    Raises TooManyRequests for a token that has used its keys of the day.
    """
    key = request.headers.get(HEADER)
    if key is None or request.method != "POST":
        return
    if not 0 < len(key) <= _LONGEST or not (key.isascii() and key.isprintable()):
        raise InvalidInput(
            f"{HEADER} must be 1 to {_LONGEST} printable ASCII characters, such as a "
            "UUID."
        )
    name = f"devrag:api:done:{sha256_hex(f'{token} {key}')}"
    parts = (request.get_full_path(), sha256_hex(request.body))
    kept = _Kept(sha256_hex(" ".join(parts)))
    first = json.dumps(asdict(kept))
    if _ask("set", name, first, nx=True, ex=_RUNNING_SECONDS):
        _count_key(name, token)
        total = f"devrag:api:bytes:{sha256_hex(token)}"
        claim = _Claim(name, kept.fingerprint, total)
        request.claimed = claim  # type: ignore[attr-defined]
        return
    # None: the first one failed or expired in this moment.
    raise _answer(key, kept, _read(_ask("get", name)))


def _count_key(name: str, token: str) -> None:
    """Count a key of a token; give it back and raise beyond those of a day."""
    counter = f"devrag:api:keys:{sha256_hex(token)}"
    if _add(counter, 1) <= MOST_KEYS:
        return
    _ask("delete", name)
    left = max(1, _ask("ttl", counter))
    raise TooManyRequests(
        f"This token has sent {MOST_KEYS:,} requests with an {HEADER} within a day. "
        f"Try again in {left:,} seconds, or send requests without it.",
        retry_after_seconds=left,
    )


def _add(name: str, amount: int) -> int:
    """Return what a number of the day has become."""
    total = int(_ask("incrby", name, amount))
    if total == amount:
        _ask("expire", name, _KEPT_SECONDS)
    return total


@asynccontextmanager
async def renewed_claim(request: HttpRequest) -> AsyncIterator[None]:
    """Keep what a request has claimed, if anything, however long the block takes."""
    claimed = getattr(request, "claimed", None)
    if claimed is None:
        yield
        return
    work = asyncio.create_task(_renew(claimed.name))
    try:
        yield
    finally:
        work.cancel()
        await asyncio.wait({work})


async def _renew(name: str) -> None:
    while True:
        await asyncio.sleep(_RENEWED_SECONDS)
        # A broker that does not answer now may do so before the claim ends. gt: an
        # answer that is kept meanwhile stays for its day.
        with suppress(ServiceUnavailable):
            await asyncio.to_thread(_ask, "expire", name, _RUNNING_SECONDS, gt=True)


def answer_again(_request: HttpRequest, replayed: Any) -> HttpResponse:
    """Handle Replayed."""
    response: HttpResponse = replayed.response
    return response


def keep_answer(request: HttpRequest, response: HttpResponse | None) -> None:
    """Keep what a claimed request was answered, or free its key."""
    claimed = getattr(request, "claimed", None)
    if claimed is None:
        return
    if response is None or response.status_code >= 300 or response.streaming:
        _ask("delete", claimed.name)
        return
    is_secret = "no-store" in response.get("Cache-Control", "")
    size = len(response.content)
    is_long = size > _LONGEST_ANSWER or _add(claimed.total, size) > MOST_BYTES
    kept = _Kept(
        claimed.fingerprint,
        response.status_code,
        {key: response[key] for key in _HEADERS if key in response},
        None if is_secret or is_long else response.content.decode(),
        is_long,
    )
    _ask("set", claimed.name, json.dumps(asdict(kept)), ex=_KEPT_SECONDS)


def _answer(key: str, asked: _Kept, kept: _Kept | None) -> Exception:
    if kept is not None and kept.fingerprint != asked.fingerprint:
        return KeyReused(
            f"{HEADER} '{key[:80]}' was used for another request. Use a different key "
            "for each request."
        )
    if kept is None or not kept.status:
        return RequestRunning(
            f"The request with {HEADER} '{key[:80]}' is still in progress. Send it "
            "again in a moment to get its response."
        )
    if kept.is_long:
        return AnswerGone(
            f"The request with {HEADER} '{key[:80]}' was already executed; its "
            "response was too large to be stored, or too many others followed. "
            "Request the created resource instead."
        )
    if kept.text is None:
        return SecretGone(
            f"The request with {HEADER} '{key[:80]}' was already executed; its secret "
            "was returned then and is not stored. Create another one."
        )
    response = HttpResponse(kept.text, status=kept.status, headers=kept.headers)
    response["Idempotency-Replayed"] = "true"
    return Replayed(response)


def _read(text: Any) -> _Kept | None:
    return _Kept(**json.loads(text)) if text else None


def _ask(command: str, *arguments: Any, **options: Any) -> Any:
    """Without the broker nobody can promise that a request is done once."""
    try:
        return getattr(broker_at(settings.BROKER_URL), command)(*arguments, **options)
    except redis.RedisError as error:
        raise ServiceUnavailable(
            f"{HEADER} requires the broker, which is not responding. Send the request "
            "again in a moment."
        ) from error

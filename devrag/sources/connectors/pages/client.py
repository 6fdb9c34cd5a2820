"""Asks the API of a wiki or tracker: bounded, patient, within the server's limits."""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
from django.utils.translation import gettext

from devrag.core.errors import NotFound, PermissionDenied, SourceError
from devrag.sources.connectors.pages.transport import CheckedTransport
from devrag.sources.connectors.types import ConnectorContext

_TIMEOUT = httpx2.Timeout(60.0, connect=10.0)
_TRIES = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
# A server that wants to be left alone for longer is asked again by the next run.
_LONGEST_WAIT = 600.0
_MAX_ANSWER_BYTES = 64_000_000
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524})
_SLICE = 0.5
Params = Mapping[str, str | int]


class ApiClient:
    """One API below one address. Not safe for several threads.

    base_url: checked by the caller, without a slash at its end. headers: what signs
    each request; they never go to another host. requests: how many were sent.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        context: ConnectorContext,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = base_url
        self.requests = 0
        self._headers = {"User-Agent": "devrag", **headers}
        self._context, self._sleep = context, sleep
        self._client = httpx2.Client(
            transport=CheckedTransport(context.address_rules),
            timeout=_TIMEOUT,
            follow_redirects=False,
            trust_env=False,
        )
        # What the server's own clock said last.
        self.server_time: datetime | None = None

    def get(self, path: str, params: Params | None = None) -> Any:
        """Return the JSON at a path below the base.

        Raises PermissionDenied for a token that is refused, NotFound, and SourceError
        for a server that fails, is too slow or does not answer with JSON.
        """
        return self._ask("GET", path, params, None)

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that answers a JSON body; for APIs that read by POST."""
        return self._ask("POST", path, None, body)

    def download(self, address: str, limit: int) -> bytes | None:
        """Return a file's bytes; None when it is gone or has more than limit bytes.

        address: below the base, or absolute as the API gave it.
        """
        url, is_own = self._absolute(address)
        for _ in range(4):
            try:
                status, body, headers = self._try("GET", url, is_own, limit, None, None)
            except _TooLarge:
                return None
            if status in {301, 302, 303, 307, 308} and "location" in headers:
                url, is_own = self._absolute(
                    str(httpx2.URL(url).join(headers["location"]))
                )
                continue
            if status in {404, 410}:
                return None
            self._check(status, url, body)
            return body
        return None

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    # -- one request ----------------------------------------------------------------

    def _ask(self, method: str, path: str, params: Params | None, body: Any) -> Any:
        url, is_own = self._absolute(path)
        for attempt in range(_TRIES):
            status, data, _ = self._try(
                method, url, is_own, _MAX_ANSWER_BYTES, params, body
            )
            self._check(status, url, data)
            try:
                return json.loads(data)
            except ValueError:
                if attempt == _TRIES - 1:
                    break
                self._pause(_FIRST_PAUSE * 2**attempt)
        raise SourceError(
            gettext(
                "%(url)s does not answer with JSON. Check the address: it must be that "
                "of the server itself, not of a sign-in page or proxy."
            )
            % {"url": _shown(url)},
            permanent=False,
        )

    def _try(
        self,
        method: str,
        url: str,
        is_own: bool,
        limit: int,
        params: Params | None,
        body: Any,
    ) -> tuple[int, bytes, httpx2.Headers]:
        """Send a request until the server takes it; return status, body, headers."""
        waited = 0.0
        for attempt in range(_TRIES):
            self._context.checkpoint()
            pause, cause = _FIRST_PAUSE * 2**attempt, ""
            try:
                with self._sent(method, url, is_own, params, body) as response:
                    data = _read(response, limit)
                if response.status_code not in _RETRIED:
                    self._rest(response.headers)
                    return response.status_code, data, response.headers
                cause = f"{response.status_code}"
                pause = _asked_pause(response.headers) or pause
            except httpx2.TransportError as error:
                cause = str(error) or type(error).__name__
            waited += pause
            if attempt == _TRIES - 1 or waited > _LONGEST_WAIT:
                break
            self._pause(pause)
        raise _unreachable(url, cause)

    @contextmanager
    def _sent(
        self, method: str, url: str, is_own: bool, params: Params | None, body: Any
    ) -> Iterator[httpx2.Response]:
        self.requests += 1
        request = self._client.build_request(
            method,
            url,
            params=dict(params) if params else None,
            json=body,
            headers=self._headers if is_own else {"User-Agent": "devrag"},
        )
        response = self._client.send(request, stream=True)
        try:
            self.server_time = _http_time(response.headers.get("date", ""))
            yield response
        finally:
            response.close()

    def _absolute(self, address: str) -> tuple[str, bool]:
        """Return the whole URL, and whether the token may go there."""
        if "://" not in address:
            return f"{self.base_url}{address}", True
        base, url = httpx2.URL(self.base_url), httpx2.URL(address)
        is_allowed = url.scheme == "https" or (
            url.scheme == "http" and self._context.address_rules.allow_http
        )
        if not is_allowed:
            raise SourceError(
                gettext("%(url)s is not encrypted; it is not read.")
                % {"url": _shown(address)}
            )
        own = (base.scheme, base.host, base.port)
        return address, (url.scheme, url.host, url.port) == own

    def _check(self, status: int, url: str, body: bytes) -> None:
        """Raise what a refusal means."""
        values = {"url": _shown(url), "why": _reason(body)}
        if status == 401:
            raise PermissionDenied(
                gettext(
                    "%(url)s does not accept the token%(why)s. It may have expired: "
                    "give the source a new one."
                )
                % values
            )
        if status == 403:
            raise PermissionDenied(
                gettext(
                    "The token may not read %(url)s%(why)s. Give its user the right to "
                    "read, or take another token."
                )
                % values
            )
        if status in {404, 410}:
            raise NotFound(
                gettext(
                    "There is nothing at %(url)s%(why)s. Check the address and the "
                    "name; what a token may not see often looks like this as well."
                )
                % values
            )
        if 300 <= status < 400:
            raise SourceError(
                gettext(
                    "%(url)s leads elsewhere. Give the address that the browser shows "
                    "at last."
                )
                % values
            )
        if status >= 400:
            raise SourceError(
                gettext("%(url)s refuses the request with status %(status)s%(why)s.")
                % {**values, "status": status},
                permanent=status < 500,
            )

    def _rest(self, headers: httpx2.Headers) -> None:
        """Wait where the server says that its allowance is used up."""
        if headers.get("x-ratelimit-remaining", "") == "0":
            pause = _until(headers.get("x-ratelimit-reset", ""))
            if pause > _LONGEST_WAIT:
                raise SourceError(
                    gettext(
                        "The server's allowance of requests is used up for %(minutes)s "
                        "more minutes. The next run goes on from here."
                    )
                    % {"minutes": round(pause / 60)},
                    permanent=False,
                )
            self._pause(pause)

    def _pause(self, seconds: float) -> None:
        """Wait, and end soon after the job was cancelled."""
        seconds = min(seconds, _LONGEST_WAIT)
        while seconds > 0:
            self._context.checkpoint()
            self._sleep(min(_SLICE, seconds))
            seconds -= _SLICE


class _TooLarge(Exception):
    """More bytes came than are read."""


def _read(response: httpx2.Response, limit: int) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > limit:
            raise _TooLarge
        parts.append(part)
    return b"".join(parts)


def _asked_pause(headers: httpx2.Headers) -> float:
    """Return how long the server wants to be left alone, 0 where it does not say."""
    written = headers.get("retry-after", "")
    if written.isdigit():
        return max(float(written), 0.1)
    when = _http_time(written)
    if when is not None:
        return max(0.1, (when - datetime.now(UTC)).total_seconds())
    if headers.get("x-ratelimit-remaining", "") == "0":
        return _until(headers.get("x-ratelimit-reset", ""))
    return 0.0


def _until(written: str) -> float:
    """Return the seconds to a time of the server: seconds since 1970, or ISO 8601."""
    if written.isdigit():
        number = float(written)
        # Small numbers are seconds from now.
        return max(0.1, number - time.time() if number > 10**8 else number)
    try:
        when = datetime.fromisoformat(written)
    except ValueError:
        return _FIRST_PAUSE
    zoned = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.1, (zoned - datetime.now(UTC)).total_seconds())


def _http_time(written: str) -> datetime | None:
    try:
        found = email.utils.parsedate_to_datetime(written)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


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


def _unreachable(url: str, cause: str) -> SourceError:
    return SourceError(
        gettext(
            "%(url)s cannot be read now: %(cause)s. What was read so far is kept; the "
            "next run goes on from there."
        )
        % {"url": _shown(url), "cause": cause},
        permanent=False,
    )


def _shown(url: str) -> str:
    """Return an address for a message, without query: it may hold a signature."""
    return url.partition("?")[0][:300]

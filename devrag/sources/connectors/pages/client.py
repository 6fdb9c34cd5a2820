"""Asks the API of a wiki or tracker: bounded, patient, within the server's limits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx2

from devrag.core.errors import SourceError
from devrag.core.texts import gettext
from devrag.sources.connectors.pages.allowance import (
    Pacer,
    asked_pause,
    http_time,
    is_limited,
    owed_pause,
)
from devrag.sources.connectors.pages.failures import (
    AnswerTooLarge,
    check_status,
    shown,
    unreachable,
    used_up,
)
from devrag.sources.connectors.pages.listing import Page, read_page
from devrag.sources.connectors.pages.transport import CheckedTransport
from devrag.sources.connectors.types import ConnectorContext

_TIMEOUT = httpx2.Timeout(60.0, connect=10.0)
_TRIES = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
# A server that wants to be left alone for longer is asked again by the next run.
_LONGEST_WAIT = 600.0
_MAX_ANSWER_BYTES = 64_000_000
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_SLICE = 0.5
_NOT_MODIFIED = 304
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 4
Params = Mapping[str, str | int | list[int]]


@dataclass(frozen=True, slots=True)
class _Request:
    """What is asked. is_own: the token may go there. headers: beside the usual."""

    method: str
    url: str
    is_own: bool
    params: Params | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


class ApiClient:
    """One API below one address. Not safe for several threads.

    base_url: checked by the caller, without a slash at its end. headers: what signs
    each request; they never go to another host. pacer: for a server whose documentation
    limits requests per second. requests: how many were sent.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        context: ConnectorContext,
        *,
        pacer: Pacer | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = base_url
        self.requests = 0
        self._headers = {"User-Agent": "devrag", **headers}
        self._context, self._sleep, self._pacer = context, sleep, pacer
        self._client = httpx2.Client(
            transport=CheckedTransport(context.address_rules),
            timeout=_TIMEOUT,
            follow_redirects=False,
            trust_env=False,
        )
        # What the server's own clock said last.
        self.server_time: datetime | None = None
        # How long its allowance wants us to wait before the next request, in seconds.
        self._owed = 0.0

    def get(self, path: str, params: Params | None = None) -> Any:
        """Return the JSON at a path below the base.

        Raises PermissionDenied for a token that is refused, NotFound, AnswerTooLarge,
        and SourceError for a server that fails, is too slow or answers without JSON.
        """
        url, is_own = self._absolute(path)
        return self._ask(_Request("GET", url, is_own, params))[0]

    def get_page(
        self, path: str, params: Params | None = None, etag: str = ""
    ) -> Page | None:
        """Return one answer of a list; None where it is still what `etag` was given to.

        Raises what `get` raises, and SourceError for an answer that is no list.
        """
        url, is_own = self._absolute(path)
        asked = {"If-None-Match": etag} if etag else {}
        data, headers = self._ask(_Request("GET", url, is_own, params, headers=asked))
        return None if headers is None else read_page(data, headers, shown(url))

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that answers a JSON body; for APIs that read by POST."""
        url, is_own = self._absolute(path)
        return self._ask(_Request("POST", url, is_own, body=body))[0]

    def download(self, address: str, limit: int) -> bytes | None:
        """Return a file's bytes; None when it cannot be had or has more than limit.

        address: below the base, or absolute as the API gave it. A file that the token
        may not read is none to stop for: the others can be read.
        """
        try:
            url, is_own = self._absolute(address)
        except httpx2.InvalidURL:
            return None
        for _ in range(_MAX_REDIRECTS):
            try:
                asked = _Request("GET", url, is_own)
                status, body, headers = self._try(asked, limit)
            except AnswerTooLarge:
                return None
            if status in _REDIRECTS and "location" in headers:
                url, is_own = self._absolute(_joined(url, headers["location"]))
                continue
            if status in {403, 404, 410}:
                return None
            check_status(status, url, body)
            return body
        return None

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    # -- one request ----------------------------------------------------------------

    def _ask(self, asked: _Request) -> tuple[Any, httpx2.Headers | None]:
        """Return the JSON and headers of an answer; no headers for what is the same."""
        for attempt in range(_TRIES):
            status, data, headers = self._try(asked, _MAX_ANSWER_BYTES)
            if status == _NOT_MODIFIED and asked.headers:
                return None, None
            check_status(status, asked.url, data)
            try:
                return json.loads(data), headers
            except ValueError:
                if attempt == _TRIES - 1:
                    break
                self._pause(_FIRST_PAUSE * 2**attempt)
        raise SourceError(
            gettext(
                "%(url)s does not return JSON. Check the URL: it must be that of the "
                "server itself, not of a sign-in page or proxy."
            )
            % {"url": shown(asked.url)},
            permanent=False,
        )

    def _try(self, asked: _Request, limit: int) -> tuple[int, bytes, httpx2.Headers]:
        """Send a request until the server takes it; return status, body, headers."""
        waited = 0.0
        self._wait_for_allowance()
        for attempt in range(_TRIES):
            self._context.checkpoint()
            self._pause(self._pacer.take() if self._pacer else 0.0)
            pause, cause = _FIRST_PAUSE * 2**attempt, ""
            try:
                with self._sent(asked) as response:
                    data = _read(response, limit, asked.url)
                status, headers = response.status_code, response.headers
                limited = is_limited(status, headers, data)
                if status not in _RETRIED and not limited:
                    self._owed = owed_pause(headers)
                    return status, data, headers
                cause = f"{status}"
                pause = max(asked_pause(headers) or pause, limited)
                if limited and pause > _LONGEST_WAIT:
                    raise used_up(pause)
            except httpx2.RequestError as error:
                cause = str(error) or type(error).__name__
            waited += pause
            if attempt == _TRIES - 1 or waited > _LONGEST_WAIT:
                break
            self._pause(pause)
        raise unreachable(asked.url, cause)

    @contextmanager
    def _sent(self, asked: _Request) -> Iterator[httpx2.Response]:
        self.requests += 1
        own = self._headers if asked.is_own else {"User-Agent": "devrag"}
        request = self._client.build_request(
            asked.method,
            asked.url,
            params=dict(asked.params) if asked.params else None,
            json=asked.body,
            headers={**own, **asked.headers},
        )
        response = self._client.send(request, stream=True)
        try:
            self.server_time = http_time(response.headers.get("date", ""))
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
                gettext("%(url)s is not encrypted, so it is not read.")
                % {"url": shown(address)}
            )
        own = (base.scheme, base.host, base.port)
        return address, (url.scheme, url.host, url.port) == own

    def _wait_for_allowance(self) -> None:
        """Wait where the server said that its allowance of requests is used up."""
        pause, self._owed = self._owed, 0.0
        if pause > _LONGEST_WAIT:
            raise used_up(pause)
        self._pause(pause)

    def _pause(self, seconds: float) -> None:
        """Wait, and end soon after the job was cancelled."""
        seconds = min(seconds, _LONGEST_WAIT)
        while seconds > 0:
            self._context.checkpoint()
            self._sleep(min(_SLICE, seconds))
            seconds -= _SLICE


def _read(response: httpx2.Response, limit: int, url: str) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > limit:
            raise AnswerTooLarge(
                gettext("The response of %(url)s is larger than %(most)s bytes.")
                % {"url": shown(url), "most": f"{limit:,}"}
            )
        parts.append(part)
    return b"".join(parts)


def _joined(url: str, location: str) -> str:
    try:
        return str(httpx2.URL(url).join(location))
    except httpx2.InvalidURL as error:
        raise SourceError(
            gettext("%(url)s redirects to an invalid address.") % {"url": shown(url)}
        ) from error

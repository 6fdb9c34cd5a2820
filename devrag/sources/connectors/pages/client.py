"""Asks the API of a wiki or tracker: bounded, patient, within the server's limits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import httpx2
from django.utils.translation import gettext

from devrag.core.errors import SourceError
from devrag.sources.connectors.pages.allowance import (
    Pacer,
    asked_pause,
    http_time,
    owed_pause,
)
from devrag.sources.connectors.pages.failures import (
    AnswerTooLarge,
    check_status,
    shown,
    unreachable,
)
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
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 4
Params = Mapping[str, str | int]


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
        return self._ask("GET", path, params, None)

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that answers a JSON body; for APIs that read by POST."""
        return self._ask("POST", path, None, body)

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
                status, body, headers = self._try("GET", url, is_own, limit, None, None)
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

    def _ask(self, method: str, path: str, params: Params | None, body: Any) -> Any:
        url, is_own = self._absolute(path)
        for attempt in range(_TRIES):
            status, data, _ = self._try(
                method, url, is_own, _MAX_ANSWER_BYTES, params, body
            )
            check_status(status, url, data)
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
            % {"url": shown(url)},
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
        self._wait_for_allowance()
        for attempt in range(_TRIES):
            self._context.checkpoint()
            self._pause(self._pacer.take() if self._pacer else 0.0)
            pause, cause = _FIRST_PAUSE * 2**attempt, ""
            try:
                with self._sent(method, url, is_own, params, body) as response:
                    data = _read(response, limit, url)
                if response.status_code not in _RETRIED:
                    self._owed = owed_pause(response.headers)
                    return response.status_code, data, response.headers
                cause = f"{response.status_code}"
                pause = asked_pause(response.headers) or pause
            except httpx2.RequestError as error:
                cause = str(error) or type(error).__name__
            waited += pause
            if attempt == _TRIES - 1 or waited > _LONGEST_WAIT:
                break
            self._pause(pause)
        raise unreachable(url, cause)

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
                gettext("%(url)s is not encrypted; it is not read.")
                % {"url": shown(address)}
            )
        own = (base.scheme, base.host, base.port)
        return address, (url.scheme, url.host, url.port) == own

    def _wait_for_allowance(self) -> None:
        """Wait where the server said that its allowance of requests is used up."""
        pause, self._owed = self._owed, 0.0
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


def _read(response: httpx2.Response, limit: int, url: str) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > limit:
            raise AnswerTooLarge(
                gettext("%(url)s answers with more than %(most)s bytes.")
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

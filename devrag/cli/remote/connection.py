"""One devrag's REST interface, with the errors it answers as our own."""

from __future__ import annotations

import http.client
import json
import re
import ssl
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

from devrag.cli.remote.destination import Destination
from devrag.cli.remote.multipart import MultipartForm
from devrag.core.errors import (
    Conflict,
    DevragError,
    InvalidInput,
    NotFound,
    PermissionDenied,
    ServiceError,
)
from devrag.core.event_stream import CONTENT_TYPE, read_events
from devrag.core.text import one_line

_BASE = "/api/v1"
# Silence: a summary by a slow model of the server's own may take its minutes.
_TIMEOUT_SECONDS = 300.0
_MOST_BYTES = 256 * 2**20
_NEXT = re.compile(r'<([^>]+)>; rel="next"')
_ERRORS: dict[int, type[DevragError]] = {
    400: InvalidInput,
    401: PermissionDenied,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    422: InvalidInput,
}


class Connection:
    """Asks one server. Redirects are not followed: the token stays with its server."""

    def __init__(self, destination: Destination) -> None:
        self.url = destination.url
        self.found_in = destination.found_in
        self._config = destination.config
        self._token = destination.token

    def get(self, path: str) -> Any:
        """Return the document at a path below /api/v1."""
        return self._read(self._ask("GET", path, None)[1])

    def get_all(self, path: str) -> list[dict[str, Any]]:
        """Return a list whole, page after page where it comes in pages."""
        link, content = self._ask("GET", path, None)
        rows: list[dict[str, Any]] = self._read(content)
        while following := _NEXT.match(link):
            # Its query on our own path: the token goes where it was meant to.
            query = urlsplit(following[1]).query
            link, content = self._ask("GET", f"{path.partition('?')[0]}?{query}", None)
            rows += self._read(content)
        return rows

    def post(self, path: str, body: Any = None) -> Any:
        """Send a document; return the answer's."""
        return self._read(self._ask("POST", path, body)[1])

    def post_files(
        self, path: str, fields: Iterable[tuple[str, str]], files: Sequence[Path]
    ) -> Any:
        """Send a form with files, read as they are sent; return the answer's."""
        form = MultipartForm(fields, files)
        return self._read(self._ask("POST", path, form)[1])

    def patch(self, path: str, body: Any) -> Any:
        """Change what is there; return how it is now."""
        return self._read(self._ask("PATCH", path, body)[1])

    def delete(self, path: str) -> Any:
        """Let something be deleted; return the job that does it."""
        return self._read(self._ask("DELETE", path, None)[1])

    def get_bytes(self, path: str) -> bytes:
        """Return what is no JSON, such as an archive."""
        return self._ask("GET", path, None)[1]

    def stream(self, path: str, body: Any) -> Iterator[tuple[str, Any]]:
        """Send a document; yield the name and document of each event of the answer.

        Raises what an event named `error` says.
        """
        with self._request("POST", path, body, CONTENT_TYPE) as answer:
            if answer.status >= 300:
                raise self._failure(answer, self._read_all(answer))
            for name, data in read_events(answer):
                document = self._read(data.encode())
                if name == "error":
                    raise self._error(document.get("status"), document.get("detail"))
                yield name, document

    def _ask(self, method: str, path: str, body: Any) -> tuple[str, bytes]:
        """Return the header `Link` and the content of an answer."""
        accept = "application/json, application/zip"
        with self._request(method, path, body, accept) as answer:
            content = self._read_all(answer)
        if answer.status >= 300:
            raise self._failure(answer, content)
        return answer.getheader("Link", ""), content

    @contextmanager
    def _request(
        self, method: str, path: str, body: Any, accept: str
    ) -> Iterator[http.client.HTTPResponse]:
        """Send a request; its answer is to be read within."""
        address = urlsplit(self.url)
        data, kind = _content(body)
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": accept,
            **kind,
        }
        target = address.path.rstrip("/") + _BASE + quote(path, safe="/?&=%")
        with closing(_connection(address)) as made:
            try:
                # A server that refuses an upload answers before it has all of it.
                with suppress(BrokenPipeError, ConnectionResetError):
                    made.request(method, target, data, headers)
                yield made.getresponse()
            except (OSError, http.client.HTTPException) as error:
                source = f" (from {self._config})" if self._config else ""
                reason = str(error) or type(error).__name__
                raise ServiceError(
                    f"Cannot reach {self.url}{source}: {reason}. Check the address, "
                    "and that devrag is running there."
                ) from error

    def _read_all(self, answer: http.client.HTTPResponse) -> bytes:
        """Return an answer's content; what is cut short is an error of its own."""
        is_stated = answer.length is not None
        content = b""
        if (answer.length or 0) <= _MOST_BYTES:
            content = answer.read() if is_stated else answer.read(_MOST_BYTES + 1)
        if max(answer.length or 0, len(content)) > _MOST_BYTES:
            raise ServiceError(
                f"{self.url} returned more than {_MOST_BYTES:,} bytes, so it is "
                "probably not devrag. Check the address."
            )
        return content

    def _read(self, content: bytes) -> Any:
        try:
            return json.loads(content)
        except ValueError as error:
            raise ServiceError(
                f"{self.url} answers, but it is not devrag. Check the address: it "
                "must be the one that opens devrag in a browser."
            ) from error

    def _failure(self, answer: http.client.HTTPResponse, content: bytes) -> DevragError:
        place = answer.getheader("Location")
        if place and answer.status < 400:
            return ServiceError(f"{self.url} redirects to {place}. Use that address.")
        said = _detail(content) or f"HTTP {answer.status} {answer.reason}."
        return self._error(answer.status, said)

    def _error(self, status: object, said: object) -> DevragError:
        kind = _ERRORS.get(status, ServiceError) if isinstance(status, int) else None
        return (kind or ServiceError)(f"{self.url}: {one_line(str(said))}")


def _content(body: Any) -> tuple[bytes | Iterator[bytes] | None, dict[str, str]]:
    """Return what is sent of a document or form, and its headers."""
    if isinstance(body, MultipartForm):
        return body.parts(), body.headers
    data = None if body is None else json.dumps(body).encode()
    return data, {"Content-Type": "application/json"}


def _connection(address: SplitResult) -> http.client.HTTPConnection:
    host, port = str(address.hostname), address.port
    if address.scheme != "https":
        return http.client.HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)
    safe = ssl.create_default_context()
    return http.client.HTTPSConnection(
        host, port, timeout=_TIMEOUT_SECONDS, context=safe
    )


def _detail(content: bytes) -> str:
    try:
        problem = json.loads(content)
    except ValueError:
        return ""
    return str(problem.get("detail") or "") if isinstance(problem, dict) else ""

"""A devrag server as a client sees it: REST with a token, and pages."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError

from engine import TrialError, wait_until

# As the proxy that ends TLS sets it.
_PROXY = {"X-Forwarded-Proto": "https"}


@dataclass
class Instance:
    """A server at an address of this machine; token: of the scopes that are used."""

    address: str
    token: str = field(default="", repr=False)

    def ask_json(self, path: str, body: Any = None) -> Any:
        """GET, or POST with a body; return the JSON of the answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {**_PROXY, "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{self.address}{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except HTTPError as error:
            said = error.read().decode(errors="replace")[:500]
            raise TrialError(f"{path}: HTTP {error.code} {said}") from error

    def is_healthy(self) -> bool:
        """Return whether /health says ok: web, database, broker and a worker."""
        try:
            return bool(self.ask_json("/health")["status"] == "ok")
        except (OSError, ValueError, TrialError):
            return False

    def version(self) -> str:
        return str(self.ask_json("/health")["version"])

    def wait_for_job(self, job: Any, timeout_seconds: float = 600) -> dict[str, Any]:
        """Wait for the end of a job; TrialError unless it succeeded."""
        path = f"/api/v1/jobs/{job['jobID']}"
        found: dict[str, Any] = {}

        def is_over() -> bool:
            try:
                found.update(self.ask_json(path))
            except (OSError, TrialError):  # what was killed is away for a moment
                return False
            return found["finishedAt"] is not None

        wait_until(f"job {job['jobID']}", is_over, timeout_seconds)
        if found["status"] != "completed":
            raise TrialError(f"job: {found['status']} {found['error']}")
        return found

    def search(self, query: str, product: str) -> list[dict[str, Any]]:
        """Return the hits of a search."""
        body = {"query": query, "productName": product}
        return list(self.ask_json("/api/v1/search", body)["hits"])

    def finds(self, word: str, product: str) -> bool:
        """Return whether a search finds an exact text; False while nobody answers."""
        try:
            hits = self.search(f'exact:"{word}"', product)
        except (OSError, TrialError):
            return False
        return any(word in hit["text"] for hit in hits)

    def wiki_pages(self) -> int:
        """Return how many pages the wiki of the only product has."""
        (product,) = self.ask_json("/api/v1/products")
        wiki = self.ask_json(f"/api/v1/products/{product['productID']}/wiki")
        return int(wiki["pageCount"])

    def sign_in(self, name: str, password: str) -> str:
        """Sign in as a browser does; return the page that follows."""
        cookies = urllib.request.HTTPCookieProcessor(SentAnywhere())
        browser = urllib.request.build_opener(cookies)
        browser.addheaders = list(_PROXY.items())
        with browser.open(f"{self.address}/sign-in/", timeout=30) as answer:
            page, url = answer.read().decode(), answer.url
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        if found is None:
            raise TrialError(f"{url} has no form")
        sent = {
            "csrfmiddlewaretoken": found[1],
            "username": name,
            "password": password,
        }
        request = urllib.request.Request(
            url,
            urllib.parse.urlencode(sent).encode(),
            {"Referer": url.replace("http://", "https://")},
        )
        with browser.open(request, timeout=30) as answer:
            return str(answer.read().decode())


class SentAnywhere(CookieJar):
    """Sends cookies for https over the loopback connection, as the proxy would."""

    def set_cookie(self, cookie: Any) -> None:
        cookie.secure = False
        super().set_cookie(cookie)

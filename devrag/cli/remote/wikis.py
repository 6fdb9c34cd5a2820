"""Wikis of another devrag; exports go to this machine."""

from __future__ import annotations

from urllib.parse import urlencode

from devrag.cli.interfaces import Document, WikiExport, WikiName
from devrag.cli.remote.connection import Connection
from devrag.cli.remote.export import export
from devrag.cli.remote.products import find_product
from devrag.cli.sentences import refused_language_sentence
from devrag.core.errors import InvalidInput, NotFound
from devrag.products.wiki_settings import languages_of


class RemoteWikis:
    """Wikis at a server. See `devrag.cli.interfaces.Wikis`."""

    def __init__(self, server: Connection) -> None:
        self._server = server

    def check_language(self, wiki: WikiName) -> None:
        if not wiki.language:
            return
        product = find_product(self._server, wiki.product)
        wanted = languages_of(product["wikiSettings"])
        if wiki.language not in wanted:
            raise InvalidInput(
                refused_language_sentence(wiki.product, wiki.language, wanted)
            )

    def generate(self, wiki: WikiName, *, is_forced: bool, is_redesigned: bool) -> str:
        body = {
            "productName": wiki.product,
            "isForced": is_forced,
            "isRedesigned": is_redesigned,
        }
        return str(self._server.post("/products/wiki", body)["jobID"])

    def unchanged_version(self, wiki: WikiName) -> Document | None:
        base = self._path(wiki)
        language = _language(wiki)
        try:
            status = self._server.get(f"{base}/status?{language}")
        except NotFound:
            return None
        if not status["isUpToDate"]:
            return None
        path = f"{base}/versions/{status['version']}?{language}"
        found: Document = self._server.get(path)
        return found

    def status(self, wiki: WikiName) -> Document:
        found: Document = self._server.get(
            f"{self._path(wiki)}/status?{_language(wiki)}"
        )
        return found

    def estimate(self, wiki: WikiName) -> Document:
        found: Document = self._server.get(f"{self._path(wiki)}/estimate")
        return found

    def conflicts(self, product: str, *, kind: str, state: str) -> list[Document]:
        product_id = find_product(self._server, product)["productID"]
        asked = {"kind": kind, "state": state}
        query = urlencode({key: value for key, value in asked.items() if value})
        path = f"/products/{product_id}/conflicts?{query}&limit=1000"
        found: list[Document] = self._server.get(path)
        return found

    def outdated(self, product: str, *, state: str) -> list[Document]:
        product_id = find_product(self._server, product)["productID"]
        query = urlencode({"state": state, "limit": 1000})
        found: list[Document] = self._server.get(
            f"/products/{product_id}/outdated-documents?{query}"
        )
        return found

    def diff(
        self, wiki: WikiName, before: int | None, after: int | None
    ) -> list[Document]:
        asked = {"before": before, "after": after}
        numbers = {key: value for key, value in asked.items() if value is not None}
        query = urlencode({"language": wiki.language or "", **numbers})
        pages: list[Document] = self._server.get(f"{self._path(wiki)}/diff?{query}")
        return pages

    def export(self, wiki: WikiName, wanted: WikiExport) -> Document:
        return export(self._server, self._path(wiki), wiki, wanted)

    def publish(self, wiki: WikiName, number: int) -> tuple[Document, int]:
        found = self._change(wiki, number, {"isCurrent": True})
        path = f"{self._path(wiki)}/versions?{_language(wiki)}&limit=1"
        return found, self._server.get(path)[0]["version"]

    def pin(self, wiki: WikiName, number: int, *, is_pinned: bool) -> Document:
        return self._change(wiki, number, {"isPinned": is_pinned})

    def _change(self, wiki: WikiName, number: int, body: Document) -> Document:
        path = f"{self._path(wiki)}/versions/{number}?{_language(wiki)}"
        changed: Document = self._server.patch(path, body)
        return changed

    def _path(self, wiki: WikiName) -> str:
        product = find_product(self._server, wiki.product)
        return f"/products/{product['productID']}/wiki"


def _language(wiki: WikiName) -> str:
    return urlencode({"language": wiki.language or ""})

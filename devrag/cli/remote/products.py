"""Products of another devrag."""

from __future__ import annotations

from devrag.cli.interfaces import Deletable, Document, ProductChanges
from devrag.cli.remote.connection import Connection
from devrag.core.errors import NotFound


class RemoteProducts:
    """Products at a server. See `devrag.cli.interfaces.Products`."""

    def __init__(self, server: Connection) -> None:
        self._server = server

    def list(self) -> list[Document]:
        names: dict[str, list[str]] = {}
        for row in self._server.get_all("/sources"):
            names.setdefault(row["productName"], []).append(row["sourceName"])
        rows = self._server.get_all("/products")
        return [_row(row, names.get(row["productName"], [])) for row in rows]

    def create(self, name: str, changes: ProductChanges) -> Document:
        body = {"productName": name, **_body(changes)}
        return _row(self._server.post("/products", body), [])

    def update(self, name: str, changes: ProductChanges) -> Document:
        found = find_product(self._server, name)
        path = f"/products/{found['productID']}"
        return _row(
            self._server.patch(path, _body(changes)), _source_names(self._server, found)
        )

    def describe(self, name: str) -> tuple[Document, Deletable]:
        """Return a product; of what it holds, REST names the sources only."""
        found = find_product(self._server, name)
        names = _source_names(self._server, found)
        return _row(found, names), Deletable(found["productID"], names)

    def delete(self, product: Deletable) -> str:
        return str(self._server.delete(f"/products/{product.id}")["jobID"])


def find_product(server: Connection, name: str) -> Document:
    """Return the product of that name as REST does."""
    rows = server.get_all("/products")
    found = next((row for row in rows if row["productName"] == name), None)
    if found is None:
        raise NotFound(f"There is no product '{name}' at {server.url}.")
    return found


def _source_names(server: Connection, product: Document) -> list[str]:
    rows = server.get_all(f"/products/{product['productID']}/sources")
    return [row["sourceName"] for row in rows]


def _body(changes: ProductChanges) -> Document:
    wanted = {
        "title": changes.title,
        "description": changes.description,
        "externalModelsAllowed": changes.allows_external_models,
        "sourceRoots": changes.source_roots,
        "sshKeyAllowed": changes.allows_ssh_key,
        "wikiSettings": dict(changes.wiki) or None,
    }
    return {key: value for key, value in wanted.items() if value is not None}


def _row(row: Document, sources: list[str]) -> Document:
    return {
        "name": row["productName"],
        "title": row["title"],
        "description": row["description"],
        "visibility": row["visibility"],
        "wiki": row["wikiSettings"],
        "externalModels": row["externalModelsAllowed"],
        "sourceRoots": row.get("sourceRoots"),
        "sshKey": row.get("sshKeyAllowed"),
        "sources": sources,
    }

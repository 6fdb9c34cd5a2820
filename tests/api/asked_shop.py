"""A shop to ask about, with tokens that a server in another thread knows, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from devrag.access.services import create_token
from devrag.products.models import Product
from tests.search.shop import index_shop

QUESTION = "Where is the customer charged?"


@dataclass(frozen=True, slots=True)
class AskedShop:
    """secret: of a token that reads the shop; other: one that reads only `coffee`."""

    secret: str
    other: str


def open_shop(folder: Path) -> AskedShop:
    """Index the shop as source `shop` of product `tea`, make a product and tokens."""
    index_shop(folder)
    coffee = Product.objects.create(name="coffee", visibility="members")
    _, secret = create_token(name="reads", scopes=["read"])
    _, other = create_token(name="other", scopes=["read"], products=[coffee])
    return AskedShop(secret, other)


@contextmanager
def send(
    address: str, secret: str, path: str, body: Any, **headers: str
) -> Iterator[HTTPResponse]:
    """Post JSON to a server; yield what it answers, not read yet. Hangs up then."""
    sent: Mapping[str, str] = {
        "Authorization": f"Bearer {secret}",
        "Content-Type": "application/json",
        **headers,
    }
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request("POST", path, json.dumps(body), dict(sent))
        with closing(connection.getresponse()) as answer:
            yield answer

"""Uploads: larger bodies on their paths, and only from who is known."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from devrag.access.known_senders import is_known_sender
from devrag.access.services import create_token
from devrag.http_server.body_limit import BodyLimit, body_limit_of, is_upload
from devrag.http_server.protocol import LimitedProtocol
from devrag.http_server.upload_gate import UploadGate
from tests.people import People


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("/add/upload/", True),
        ("/p/tea/s/book/upload/", True),
        ("/api/v1/sources/upload", True),
        ("/api/v1/sources/7/upload", True),
        ("/api/v1/sources/x/upload", False),
        ("/x/add/upload/", False),
        ("/add/", False),
    ],
)
def test_only_uploads_may_be_large(path: str, is_one: bool) -> None:
    assert is_upload(path) is is_one
    assert body_limit_of(path, 50_000_000) == (51_000_000 if is_one else 1_000_000)


class Exchange:
    """A request of a few parts to an application that reads it whole."""

    def __init__(self, path: str = "/api/v1/sources/upload", parts: int = 3) -> None:
        self.scope = {"type": "http", "method": "POST", "path": path, "headers": []}
        self.left = parts
        self.sent: list[dict[str, Any]] = []
        self.read = 0

    async def receive(self) -> dict[str, Any]:
        self.left -= 1
        more = self.left > 0
        return {"type": "http.request", "body": b"x" * 400_000, "more_body": more}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            message = await receive()
            self.read += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def run(self, served: Any) -> None:
        asyncio.run(served(self.scope, self.receive, self.send))

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])


async def _yes(_scope: Any) -> bool:
    return True


async def _no(_scope: Any) -> bool:
    return False


@pytest.mark.parametrize("path", ["/add/upload/", "/api/v1/sources/upload"])
def test_an_unknown_sender_is_refused_before_the_files_are_kept(
    path: str,
) -> None:
    asked = Exchange(path)
    served = BodyLimit(UploadGate(asked.app, _no), 10_000_000)
    asked.run(served)
    assert (asked.status, asked.read) == (401, 0)
    body = asked.sent[1]["body"]
    if path.startswith("/api"):
        assert json.loads(body)["code"] == "unauthenticated"
    assert b"Sign in" in body


def test_a_known_sender_uploads_up_to_the_limit() -> None:
    asked = Exchange()
    asked.run(BodyLimit(UploadGate(asked.app, _yes), 10_000_000))
    assert (asked.status, asked.read) == (200, 1_200_000)
    asked = Exchange(parts=9)
    asked.run(BodyLimit(UploadGate(asked.app, _yes), 1_000_000))
    assert asked.status == 413
    assert asked.read < 2_100_000


def test_other_requests_pass_unasked() -> None:
    asked = Exchange("/api/v1/search", parts=1)
    asked.run(UploadGate(asked.app, _no))
    assert asked.status == 200


def test_an_upload_has_longer_than_other_bodies() -> None:
    assert LimitedProtocol.upload_seconds > LimitedProtocol.body_seconds


def _scope(**headers: str) -> dict[str, Any]:
    found = [(key.encode(), value.encode()) for key, value in headers.items()]
    return {"type": "http", "method": "POST", "path": "/add/upload/", "headers": found}


# It closes the connection of its thread.
@pytest.mark.django_db(transaction=True)
def test_tokens_and_sessions_are_known(people: People, client: Any) -> None:
    _, secret = create_token(name="ci", scopes=["index"])
    client.force_login(people.alice)
    session = client.cookies["sessionid"].value
    assert is_known_sender(_scope(authorization=f"Bearer {secret}"))
    assert is_known_sender(_scope(cookie=f"sessionid={session}"))
    assert not is_known_sender(_scope())
    assert not is_known_sender(_scope(authorization="Bearer devrag_wrong"))
    assert not is_known_sender(_scope(cookie="sessionid=wrong"))

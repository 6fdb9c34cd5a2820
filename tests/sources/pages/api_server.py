"""An API on loopback that fails as a test wants, and a client for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devrag.sources.connectors.pages.client import ApiClient
from devrag.sources.connectors.types import ConnectorContext
from tests.scripted_server import Handler, Scripted, ScriptedServer
from tests.sources.repositories import LOOPBACK

TOKEN = "Bearer t-0123456789-secret"


class ApiServer(ScriptedServer):
    """Answers what the script does not tell with the path that was asked for."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, seen: Any) -> Any:
        return Scripted(body={"path": seen.path})


@dataclass(frozen=True)
class Truncated:
    """Half of what it promises, then the end of the connection."""

    def send(self, handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b'{"half": ')
        handler.close_connection = True


@dataclass(frozen=True)
class Broken:
    """Says that it is packed, and is not."""

    def send(self, handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", "5")
        handler.end_headers()
        handler.wfile.write(b"plain")


class Pauses(list[float]):
    """What a client waited, in seconds, without waiting."""

    @property
    def total(self) -> float:
        return round(sum(self), 3)


def connect(
    server: ApiServer, folder: Path, **options: Any
) -> tuple[ApiClient, Pauses]:
    context = ConnectorContext(folder, address_rules=LOOPBACK, **options)
    pauses = Pauses()
    headers = {"Authorization": TOKEN}
    return ApiClient(server.url, headers, context, sleep=pauses.append), pauses

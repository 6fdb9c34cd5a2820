"""A server elsewhere as a backend of commands."""

from __future__ import annotations

from devrag.cli.interfaces import (
    Document,
    Question,
    SearchAnswer,
    SearchRequest,
    ShowEvent,
)
from devrag.cli.remote.ask import ask
from devrag.cli.remote.connection import Connection
from devrag.cli.remote.jobs import RemoteJobs
from devrag.cli.remote.products import RemoteProducts
from devrag.cli.remote.search import search
from devrag.cli.remote.sources import RemoteSources
from devrag.cli.remote.wikis import RemoteWikis


class RemoteBackend:
    """Asks one server over REST, with the rights of a token."""

    def __init__(self, server: Connection) -> None:
        self._server = server
        self.jobs = RemoteJobs(server)
        self.products = RemoteProducts(server)
        self.sources = RemoteSources(server)
        self.wikis = RemoteWikis(server)

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Search, or find related code; see `devrag.cli.remote.search`."""
        return search(self._server, request)

    def ask(self, question: Question, show: ShowEvent | None) -> Document:
        """Return the answer to a question; see `devrag.cli.remote.ask`."""
        return ask(self._server, question, show)

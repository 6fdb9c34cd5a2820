"""The devrag of this machine as a backend of commands.

Each part is imported when a command uses it: all of them take half a second.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

from functools import cached_property

from devrag.cli.interfaces import (
    Document,
    Jobs,
    Products,
    Question,
    SearchAnswer,
    SearchRequest,
    ShowEvent,
    Sources,
    Wikis,
)


class LocalBackend:
    """Works on the database; the caller is the system itself."""

    @cached_property
    def jobs(self) -> Jobs:
        from devrag.cli.local.jobs import LocalJobs

        return LocalJobs()

    @cached_property
    def products(self) -> Products:
        from devrag.cli.local.products import LocalProducts

        return LocalProducts()

    @cached_property
    def sources(self) -> Sources:
        from devrag.cli.local.sources import LocalSources

        return LocalSources()

    @cached_property
    def wikis(self) -> Wikis:
        from devrag.cli.local.wikis import LocalWikis

        return LocalWikis()

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Search, or find related code; see `devrag.cli.local.search`."""
        from devrag.cli.local.search import search

        return search(request)

    def ask(self, question: Question, show: ShowEvent | None) -> Document:
        """Return the answer to a question; see `devrag.cli.local.ask`."""
        from devrag.cli.local.ask import ask

        return ask(question, show)

"""The kinds of sources, as one literal dict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from devrag.core.errors import InvalidInput
from devrag.core.texts import gettext
from devrag.sources.connectors.confluence import ConfluenceConnector
from devrag.sources.connectors.forms import ConnectionForm
from devrag.sources.connectors.git import GitConnector
from devrag.sources.connectors.github import GitHubConnector
from devrag.sources.connectors.gitlab import GitLabConnector
from devrag.sources.connectors.local import LocalConnector
from devrag.sources.connectors.notion import NotionConnector
from devrag.sources.connectors.pages.connector import PageConnector
from devrag.sources.connectors.pages.types import Probe
from devrag.sources.connectors.pdf import PdfConnector
from devrag.sources.connectors.redmine import RedmineConnector
from devrag.sources.connectors.types import Connector, ConnectorContext
from devrag.sources.connectors.upload import UploadConnector

CONNECTORS: dict[str, Callable[[Mapping[str, Any], ConnectorContext], Connector]] = {
    "git": GitConnector,
    "local": LocalConnector,
    "pdf": PdfConnector,
    "upload": UploadConnector,
    "confluence": ConfluenceConnector,
    "redmine": RedmineConnector,
    "github": GitHubConnector,
    "gitlab": GitLabConnector,
    "notion": NotionConnector,
}


def check_source_type(source_type: str) -> str:
    """Return the type if there is a connector for it."""
    if source_type in CONNECTORS:
        return source_type
    known = ", ".join(CONNECTORS)
    raise InvalidInput(
        gettext("Unknown source type %(source_type)s. Use one of: %(known)s.")
        % {"source_type": repr(source_type), "known": known}
    )


def source_types() -> tuple[str, ...]:
    """Return the kinds of sources that there are."""
    return tuple(CONNECTORS)


def connection_forms() -> dict[str, ConnectionForm]:
    """Return what kinds with a form ask for, by kind, in the order of the registry."""
    found = {kind: getattr(each, "form", None) for kind, each in CONNECTORS.items()}
    return {
        kind: form if form.title else replace(form, title=kind.capitalize())
        for kind, form in found.items()
        if form is not None
    }


def preview(connector: Connector) -> Probe:
    """Ask what a source would read; of one that cannot tell, whether it answers."""
    if isinstance(connector, (PageConnector, GitConnector, LocalConnector)):
        return connector.preview()
    connector.probe()
    return Probe("")


def open_connector(
    source_type: str, metadata: Mapping[str, Any], context: ConnectorContext
) -> Connector:
    """Open a source; its address is checked here, the network is not touched.

    metadata: git: `url` or `path`, and `default_branch`; local and
    pdf: `path`; upload: `upload` and `file`; confluence, redmine and notion: `url`,
    `read_comments`, `read_attachments`; confluence and redmine: `read_restricted`;
    redmine: `read_news`; github: `url`, `read_comments`; gitlab: `read_restricted` too.
    """
    return CONNECTORS[check_source_type(source_type)](metadata, context)

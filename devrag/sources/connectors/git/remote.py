"""Asks a repository for its refs, where it was checked to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

from devrag.core.errors import DevragError, InvalidInput
from devrag.core.text import clean_text, shorten
from devrag.core.texts import gettext
from devrag.sources.addresses import mask_login
from devrag.sources.connectors.git.commands import GitCommands
from devrag.sources.connectors.git.environment import (
    path_environment,
    url_environment,
)
from devrag.sources.connectors.git.failures import Moved
from devrag.sources.connectors.git.location import Location
from devrag.sources.connectors.git.refs import HEADS, TAGS, Refs, parse_ls_remote
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.hosts import resolve_host

_ASK_TIMEOUT_SECONDS = 60
_ASK = ("ls-remote", "--symref", "--")
_PATTERNS = ("HEAD", HEADS + "*", TAGS + "*")
# git leaves secrets out of what it tells of its requests.
_TELL_HEADERS = {
    "GIT_TRACE_CURL": "1",
    "GIT_TRACE_CURL_NO_DATA": "1",
    "GIT_TRACE_REDACT": "1",
}
_NEW_PLACE = re.compile(r"recv header: location: (\S+)", re.IGNORECASE)
_END = re.compile(r"/info/refs(?:\?.*)?$")


def remote_environment(
    location: Location, mirror: Path, context: ConnectorContext
) -> dict[str, str]:
    """Return the environment that reaches the source; its host is looked up now."""
    address = location.address
    if address is None:
        return path_environment(mirror, context)
    found = resolve_host(address.host, address.port, context.address_rules)
    return url_environment(mirror, replace(address, addresses=found), context)


def ask_refs(
    location: Location,
    environment: Mapping[str, str],
    open_commands: Callable[[Mapping[str, str]], GitCommands],
) -> Refs:
    """Return the refs that the source has now; InvalidInput when it has none."""
    try:
        said = _listed(location, open_commands(environment))
    except Moved as error:
        to = _new_place(location, environment)
        told = gettext("It names %(place)s.") % {"place": to}
        raise Moved(f"{error.message} {told}" if to else error.message) from error
    refs = parse_ls_remote(said, location.place)
    if not refs.objects:
        raise InvalidInput(
            gettext("%(place)s has no commits yet. Commit something, then index it.")
            % {"place": location.place}
        )
    return refs


def _listed(location: Location, commands: GitCommands) -> str:
    return commands.text(
        *_ASK, location.url, *_PATTERNS, timeout_seconds=_ASK_TIMEOUT_SECONDS
    )


def _new_place(location: Location, environment: Mapping[str, str]) -> str:
    """Ask again and listen to where the host points; nothing there is followed."""
    heard: list[str] = []

    def hear(stderr: str) -> DevragError:
        heard.extend(_NEW_PLACE.findall(stderr))
        return Moved("")

    commands = GitCommands(Path("/"), {**environment, **_TELL_HEADERS}, hear)
    try:
        _listed(location, commands)
    except Moved:
        places = [urljoin(location.url + "/info/refs", place) for place in heard]
        shown = [mask_login(_END.sub("", place)) for place in places]
        return shorten(clean_text(shown[-1]), 200) if shown else ""
    return ""

"""Which server answers a command, and with which token."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from devrag.cli.remote.address_check import ensure_trusted
from devrag.cli.remote.local_servers import (
    find_home,
    find_last_home,
    has_external_services,
    is_listening,
    is_local,
    use_home,
)
from devrag.core.command_list import COMMANDS
from devrag.core.config_file import (
    CONFIG_VARIABLES,
    ConfigPath,
    names_server,
    resolve_config_path,
    resolve_server_url,
    section,
)
from devrag.core.errors import InvalidInput, ServiceError
from devrag.core.installation import current_home
from devrag.runtime.configuration import read_config, warn

URL_VARIABLE, TOKEN_VARIABLE = "DEVRAG_URL", "DEVRAG_API_TOKEN"
# Local commands that work on data, and those that run a server on it. What the server
# itself runs, as `follower`, works on the server's own.
_ON_DATA = (
    *("token", "embeddings", "doctor", "cache", "backup", "restore", "watch"),
    "eval_search",
)
_SERVERS = ("server", "mcp")
_STARTS = frozenset({"start", "restart"})
_OPTIONS = {"--config": "config", "--server": "server", "--token": "token"}


@dataclass
class CommandLine:
    """The words of a command without the options that stand before or after it."""

    words: list[str] = field(default_factory=list)
    config: str = ""
    server: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Destination:
    """A server's address and the token that it gets.

    config: the file that contains the address, if one does. found_in: the same file if
    nobody named it: it was found in this folder or a parent.
    """

    url: str
    token: str
    config: Path | None = field(default=None, compare=False)
    found_in: Path | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class _Address:
    """A server's address. used: the configuration that contains it, if one does.

    config_token: the one that the configuration has for this very address.
    """

    url: str
    used: ConfigPath | None
    config_token: str

    @property
    def found_in(self) -> Path | None:
        return None if self.used is None or self.used.is_named else self.used.path

    def __str__(self) -> str:
        return f"{self.url} (from {self.used.path})" if self.used else self.url


def read_command_line(argv: Sequence[str]) -> CommandLine:
    """Take `--config`, `--server` and `--token` out, wherever they stand.

    The configuration counts for everything that is started from here, too.
    """
    found = CommandLine()
    words = iter(argv)
    is_ours = True  # `-c` of Django's own `shell` is something else
    for word in words:
        name, has_value, value = word.partition("=")
        name = "--config" if name == "-c" else name
        if word == "--":
            found.words += [word, *words]
        elif name in _OPTIONS and is_ours:
            setattr(found, _OPTIONS[name], value if has_value else _next(words, name))
        else:
            found.words.append(word)
            is_ours = not found.words[1:] or found.words[1] in COMMANDS
    if found.config:
        os.environ[CONFIG_VARIABLES[0]] = str(Path(found.config).absolute())
    return found


def find_destination(line: CommandLine) -> Destination | None:
    """Return the server to send a command to; None: the data is on this machine.

    A server is asked when an option, DEVRAG_URL or the configuration has an address,
    or when a token is given with the command or in the configuration. Of an address
    that belongs to a server which this user started, the data is used directly.
    """
    named = line.server or os.environ.get(URL_VARIABLE, "")
    address = _find_address(line, named)
    if not (named or line.token or address.config_token or address.used):
        return None
    _check_url(address.url)
    home = find_home(address.url)
    token = line.token or address.config_token
    token_variable = os.environ.get(TOKEN_VARIABLE, "")
    if home and not token and not (named and token_variable):
        use_home(home)
        return None
    token = token or token_variable
    if not token:
        raise _no_token(address)
    found_in = None if home else address.found_in
    if found_in and token != address.config_token:
        ensure_trusted(found_in, address.url, "your token")
    elif found_in and not is_local(address.url):
        ensure_trusted(found_in, address.url, "your search queries and file names")
    _check_token(token)
    config = address.used.path if address.used else None
    return Destination(address.url, token, config, found_in)


def choose_local_home(line: CommandLine) -> None:
    """Point a command that works on local data at the server of the configuration.

    `server` and `mcp` may start it: they take the data that it had when it ran last.
    Where that server is not one of this user's, a warning says whose data is used.
    """
    name = line.words[1]
    is_server = name in _SERVERS
    if name not in _ON_DATA and not (is_server and not os.environ.get("DEVRAG_HOME")):
        return
    used = resolve_config_path(line.config, traverse_up=not is_server)
    config = read_config(used)
    if used is None or not names_server(config):
        return
    url = resolve_server_url(None, config)
    _check_url(url)
    home = find_home(url) or (find_last_home(url) if is_server else None)
    if home is not None:
        use_home(home)
    elif is_server and is_local(url):
        is_start = name == "server" and not _STARTS.isdisjoint(line.words[2:])
        if is_start and not has_external_services():
            warn(
                f"No server started by you is known at {url} ({used.path}); using the "
                f"data in {current_home()}. Set DEVRAG_HOME to use other data."
            )
    elif not is_server or name == "mcp":
        warn(
            f"{used.path} names the server {url}, but `{name}` works on local data; "
            f"using {current_home()}. Set DEVRAG_HOME to use other data."
        )


def _find_address(line: CommandLine, named: str) -> _Address:
    """Return an address: as named, else of the configuration, else the default."""
    used = resolve_config_path(line.config)
    config = read_config(used)
    url = resolve_server_url(named, config)
    token = str(section(config, "server").get("token") or "")
    is_own = not named or url == resolve_server_url(None, config)
    is_from_file = not named and names_server(config)
    return _Address(url, used if is_from_file else None, token if is_own else "")


def _no_token(address: _Address) -> InvalidInput | ServiceError:
    if is_local(address.url) and not is_listening(address.url):
        port = urlsplit(address.url).port or 80
        change = f", or correct {address.used.path}" if address.used else ""
        home = find_last_home(address.url)
        data = f"DEVRAG_HOME={shlex.quote(str(home))} " if home else ""
        hint = "" if home else " (and its DEVRAG_HOME)"
        return ServiceError(
            f"No server is running at {address}. Start it with `{data}devrag server "
            f"start --port {port}`{hint}{change}."
        )
    return InvalidInput(
        f"{address} requires a token. Create one there (Settings → API tokens), then "
        f"set {TOKEN_VARIABLE} or run `devrag init --server {address.url} --token "
        "TOKEN`."
    )


def _check_url(url: str) -> None:
    if not _is_address(url):
        raise InvalidInput(
            f"'{url}' is not a server address. Use a URL like https://devrag.example "
            "or http://127.0.0.1:8080."
        )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:
        return False
    is_plain = url.isprintable() and " " not in url and parts.path.isascii()
    return parts.scheme in {"http", "https"} and bool(host) and port != 0 and is_plain


def _check_token(token: str) -> None:
    """What is no header would fail with words about encodings, or split it."""
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise InvalidInput(
            "The token contains invalid characters, such as spaces, line breaks or "
            "the '…' of a shortened token. Copy it again, or create a new one."
        )


def _next(words: Any, name: str) -> str:
    value = next(words, "")
    if not value:
        raise InvalidInput(f"{name} needs a value.")
    return str(value)

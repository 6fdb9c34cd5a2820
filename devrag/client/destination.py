"""Which devrag answers, and with which token (S3-ADR-015.1, T60, T61)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from devrag.core.command_list import COMMANDS
from devrag.core.config_file import (
    CONFIG_VARIABLES,
    LOCAL_NAMES,
    ConfigPath,
    read_config,
    resolve_config_path,
    resolve_server_url,
    section,
)
from devrag.core.errors import InvalidInput

URL_VARIABLE, TOKEN_VARIABLE = "DEVRAG_URL", "DEVRAG_API_TOKEN"
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

    found_in: the file that names it, if no person did but it was only found here.
    """

    url: str
    token: str
    found_in: Path | None = field(default=None, compare=False)


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
    """Return the server that is asked instead of this machine's database, if any.

    One is when an option, DEVRAG_URL or the configuration names another machine, or
    when a token is given with the command or kept in the configuration.
    """
    used = resolve_config_path(line.config)
    config = read_config(used.path if used else None)
    named = line.server or os.environ.get(URL_VARIABLE, "")
    own_token = str(section(config, "server").get("token") or "")
    url = resolve_server_url(named, config)
    if not (named or line.token or own_token or _is_elsewhere(url)):
        return None
    _check_url(url)
    is_own = not named or url == resolve_server_url(None, config)
    token = line.token or (own_token if is_own else "")
    token = token or os.environ.get(TOKEN_VARIABLE, "")
    found_in = None if named else _only_found(url, used)
    if found_in and token and token != own_token:
        raise InvalidInput(
            f"{found_in} names the server {url}, but was only found here, and the "
            f"token was not made for it by name. If you trust it, give --server {url}, "
            f"or --config {found_in}."
        )
    if not token:
        raise InvalidInput(
            f"{url} answers to tokens only. Make one there (Settings, API tokens) and "
            f"put it into {TOKEN_VARIABLE}, or give --token."
        )
    _check_token(token)
    return Destination(url, token, found_in)


def _only_found(url: str, used: ConfigPath | None) -> Path | None:
    """Return a file that may have come with somebody's repository to fetch secrets."""
    is_found = used is not None and not used.is_named and _is_elsewhere(url)
    return used.path if used and is_found else None


def _check_url(url: str) -> None:
    if not _is_address(url):
        raise InvalidInput(
            f"'{url}' is no server's address. It looks like https://devrag.example or "
            "http://127.0.0.1:8080."
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
            "The token has characters that none has: spaces, line ends, or an '…' of "
            "the list that shows its beginning. Copy it again, or make another one."
        )


def _is_elsewhere(url: str) -> bool:
    try:
        return urlsplit(url).hostname not in LOCAL_NAMES
    except ValueError:
        return True  # and no address, as it will be told


def _next(words: Any, name: str) -> str:
    value = next(words, "")
    if not value:
        raise InvalidInput(f"{name} needs a value.")
    return str(value)

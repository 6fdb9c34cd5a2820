"""The environment git runs in: nobody's configuration, no prompts, no hooks.

Of our own environment it inherits what `minimal_environment` lists, and certificates
and proxies where it talks to a host. What is returned here comes on top.
Secrets travel in the environment of the one process that needs them, never in
arguments, URLs or files. The connection goes to the addresses that were checked.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from devrag.core.environments import minimal_environment
from devrag.sources.addresses import GitAddress
from devrag.sources.connectors.types import ConnectorContext
from devrag.sources.ssh_key import check_key, known_as

_ASKPASS = """#!/bin/sh
case "$1" in
    Username*) printf '%s\\n' "$DEVRAG_GIT_USERNAME" ;;
    *) printf '%s\\n' "$DEVRAG_GIT_SECRET" ;;
esac
"""
# For the git that serves a path. Its owner may be another account: whoever added the
# path decided that. Packing well pays over a network, not for a copy on one machine
# (80 MB of loose objects: 14 s packed well, 4 s so).
SERVE_PATH_CONFIG = "serve-path.gitconfig"
_SERVE_PATH = """[safe]
    directory = *
[pack]
    window = 0
    compression = 1
"""

_FOR_HOSTS = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
)
_SECONDS_WITHOUT_DATA = 30
_CONFIG = {
    "core.bigFileThreshold": "32m",  # larger ones are streamed, not held
    "core.hooksPath": os.devnull,
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "fetch.unpackLimit": "1",
    "gc.auto": "0",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": str(_SECONDS_WITHOUT_DATA),
    "maintenance.auto": "false",
    "pack.windowMemory": "100m",
}


def local_environment(mirror: Path) -> dict[str, str]:
    """Return what every git command gets; it can reach nothing but the mirror."""
    return {
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        "GIT_ASKPASS": "",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_PARAMETERS": "",
        "GIT_DIR": str(mirror),
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_INDEX_FILE": str(mirror / "index"),
        "GIT_OBJECT_DIRECTORY": str(mirror / "objects"),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": str(mirror.parent),  # no ~/.netrc; ssh looks up its home by itself
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        **_numbered(_CONFIG),
    }


def url_environment(
    mirror: Path, address: GitAddress, context: ConnectorContext
) -> dict[str, str]:
    """Return what the commands get that talk to a host; address holds its lookup."""
    found = (
        minimal_environment(*_FOR_HOSTS)
        | local_environment(mirror)
        | {"GIT_ALLOW_PROTOCOL": address.scheme}
    )
    if address.scheme == "ssh":
        found["GIT_SSH_COMMAND"] = shlex.join(_ssh(address, context))
        found["GIT_SSH_VARIANT"] = "ssh"
        return found
    found |= _numbered(_CONFIG | _pinned(address))
    if context.credentials.secret:
        found["GIT_ASKPASS"] = str(_written(context, "askpass", _ASKPASS, 0o700))
        found["DEVRAG_GIT_USERNAME"] = context.credentials.username or "git"
        found["DEVRAG_GIT_SECRET"] = context.credentials.secret
    return found


def _pinned(address: GitAddress) -> dict[str, str]:
    """Keep curl from looking the host up again; an address by itself needs no pin."""
    if ":" in address.host:
        return {}
    hosts = ",".join(f"[{a}]" if ":" in a else a for a in address.addresses)
    return {"http.curloptResolve": f"{address.host}:{address.port}:{hosts}"}


def path_environment(mirror: Path, context: ConnectorContext) -> dict[str, str]:
    """Return what the commands get that read a repository on this machine."""
    config = _written(context, SERVE_PATH_CONFIG, _SERVE_PATH, 0o600)
    return local_environment(mirror) | {
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_CONFIG_GLOBAL": str(config),
    }


def _ssh(address: GitAddress, context: ConnectorContext) -> Iterator[str]:
    options = {
        "BatchMode": "yes",
        "CheckHostIP": "no",
        "ConnectTimeout": "15",
        "HostKeyAlias": known_as(address),
        "HostName": address.addresses[0],
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "ServerAliveInterval": "10",
        "ServerAliveCountMax": "3",
        "StrictHostKeyChecking": "yes",
        "UpdateHostKeys": "no",
        "UserKnownHostsFile": f'"{context.known_hosts_path or os.devnull}"',
    }
    yield from ("ssh", "-F", os.devnull)
    for name, value in options.items():
        yield from ("-o", f"{name}={value}")
    yield from ("-i", str(check_key(context.ssh_key_path)))


def _numbered(config: dict[str, str]) -> dict[str, str]:
    found = {"GIT_CONFIG_COUNT": str(len(config))}
    for index, (key, value) in enumerate(config.items()):
        found[f"GIT_CONFIG_KEY_{index}"] = key
        found[f"GIT_CONFIG_VALUE_{index}"] = value
    return found


def _written(context: ConnectorContext, name: str, text: str, mode: int) -> Path:
    """Return a small file beside the mirrors, there whole or not at all."""
    path = context.repos_dir / name
    if not path.is_file() or path.read_text("utf-8") != text:
        fresh = path.with_name(f"{name}.{os.getpid()}")
        fresh.write_text(text, "utf-8")
        fresh.chmod(mode)
        fresh.replace(path)
    return path

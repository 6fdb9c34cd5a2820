"""The SSH key of the installation, and the names that hosts have in known_hosts."""

from __future__ import annotations

import os
import shlex
import stat
from pathlib import Path

from django.utils.translation import gettext

from devrag.core.errors import ConfigurationError
from devrag.sources.addresses import DEFAULT_PORTS, GitAddress


def check_key(path: Path | None) -> Path:
    """Return the key file if it is there and nobody else may read it."""
    if path is None or not path.is_file():
        raise ConfigurationError(
            gettext(
                "The SSH key %(path)s does not exist. Create one with ssh-keygen -t "
                "ed25519 -N '' -f %(path)s and add its .pub file to the git host, set "
                "GIT_SSH_KEY_PATH, or use https with a token."
            )
            % {"path": path}
        )
    complaint = key_complaint(path)
    if complaint:
        raise ConfigurationError(complaint)
    return path


def key_complaint(path: Path) -> str:
    """Say what is wrong with an existing key file's owner or mode; '' if nothing."""
    if not os.access(path, os.R_OK):
        said = gettext(
            "Cannot read the SSH key %(path)s. Make the account that runs devrag its "
            "owner (chown)."
        )
        return said % {"path": path}
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        said = gettext(
            "The SSH key %(path)s is accessible to other accounts. Run chmod 600 "
            "%(path)s."
        )
        return said % {"path": path}
    return ""


def known_as(address: GitAddress) -> str:
    """Return the host as known_hosts has it."""
    is_usual = address.port == DEFAULT_PORTS["ssh"]
    return address.host if is_usual else f"[{address.host}]:{address.port}"


def scan_command(address: GitAddress, known_hosts: Path | None) -> str:
    """Return the shell command that adds a host's keys, for someone who compares."""
    port = ("-p", str(address.port)) if address.port != DEFAULT_PORTS["ssh"] else ()
    command = shlex.join(("ssh-keyscan", *port, address.host))
    return f"{command} >> {shlex.quote(str(known_hosts))}"

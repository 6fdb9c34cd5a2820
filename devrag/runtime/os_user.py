"""Under which user PostgreSQL runs: it refuses root, so then as `nobody`."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from devrag.core.environments import minimal_environment
from devrag.core.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class OsAccount:
    """A user to run commands as; uid None means the present one."""

    uid: int | None = None
    gid: int | None = None

    def popen(
        self,
        argv: Sequence[str],
        output: int | IO[bytes],
        stdin: int | IO[bytes] = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """Start a command with a bare environment: no secret, no PG* variable."""
        return subprocess.Popen(
            argv,
            user=self.uid,
            group=self.gid,
            extra_groups=None if self.uid is None else [],
            cwd="/",
            start_new_session=True,  # Ctrl-C is for the supervisor
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=minimal_environment(),
        )

    def run(self, argv: Sequence[str], input_text: str = "") -> tuple[int, str]:
        """Run a short command; return its exit code and output."""
        with self.popen(argv, subprocess.PIPE, subprocess.PIPE) as process:
            output, _ = process.communicate(input_text.encode())
        return process.returncode, output.decode(errors="replace")

    def can_enter(self, folder: Path) -> bool:
        """Return whether this user gets through all parents to a folder."""
        return self.run(["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)])[0] == 0

    def hand_over(self, path: Path) -> None:
        """Make the user owner of a file or folder that we created."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def service_account(data: Path) -> OsAccount:
    """Return who serves this data: for root its owner or `nobody`, else ourselves."""
    if os.geteuid() != 0:
        return OsAccount()
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return OsAccount(owner.st_uid, owner.st_gid)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise ConfigurationError(
            "PostgreSQL refuses to run as root and there is no user `nobody`."
            " Start devrag as another user, or set DATABASE_URL."
        ) from error
    return OsAccount(nobody.pw_uid, nobody.pw_gid)

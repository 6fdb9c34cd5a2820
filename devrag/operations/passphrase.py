"""Where the passphrase of a backup comes from: never from arguments."""

from __future__ import annotations

import sys
from getpass import getpass
from pathlib import Path

from devrag.core.errors import InvalidInput

_SHORTEST = 12


def read_passphrase(file: Path | None, setting: str, *, is_new: bool) -> str:
    """Return the first line of the file, else the setting, else what somebody types.

    is_new: it is to encrypt something, so it is typed twice and must not be short.
    """
    if file is not None:
        found = _first_line(file)
    elif setting:
        found = setting
    elif sys.stdin.isatty():
        found = _typed(is_new=is_new)
    else:
        raise InvalidInput(
            "A passphrase is required. Use --passphrase-file FILE, set "
            "BACKUP_PASSPHRASE, or run the command in a terminal."
        )
    if is_new and len(found) < _SHORTEST:
        raise InvalidInput(
            f"The passphrase is too short. Use at least {_SHORTEST} characters."
        )
    return found


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as lines:
            found = lines.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"Cannot read the passphrase from {file}: {error}"
        ) from error
    if not found:
        raise InvalidInput(
            f"The first line of {file} is empty. It must contain the passphrase."
        )
    return found


def _typed(*, is_new: bool) -> str:
    found = getpass("Backup passphrase: ")
    if is_new and getpass("Repeat the passphrase: ") != found:
        raise InvalidInput("The passphrases do not match. Nothing was written.")
    return found

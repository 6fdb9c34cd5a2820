"""Keys that an embedded installation keeps in files: the one in use, and former ones.

`NAME` holds the key that is used; `NAME.old` holds former ones that still read, newest
first, a line each: the moment it was replaced, and the key. An older version of devrag
reads `NAME` alone, and so everything that was written since.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_LENGTH_BYTES = 48


@dataclass(frozen=True, slots=True)
class OldKey:
    """A key that was replaced: it reads and verifies, and writes nothing."""

    key: str
    replaced_at: datetime


def new_key() -> str:
    """Return a random key."""
    return secrets.token_urlsafe(_LENGTH_BYTES)


def old_path(path: Path) -> Path:
    """Return where the former keys of a file are."""
    return path.with_name(f"{path.name}.old")


def read_old_keys(path: Path) -> Sequence[OldKey]:
    """Return the former keys, the newest first, without the one in use."""
    try:
        lines = old_path(path).read_text(encoding="ascii").splitlines()
        current = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ()
    pairs = [line.split(maxsplit=1) for line in lines if line.strip()]
    found = {key: datetime.fromisoformat(moment) for moment, key in reversed(pairs)}
    # A rotation that was cut off after its first step: the key is in use still.
    found.pop(current, None)
    return [OldKey(key, moment) for key, moment in reversed(found.items())]


def read_keys(path: Path) -> list[str]:
    """Return all keys, the one that writes first."""
    current = path.read_text(encoding="ascii").strip()
    return [current, *(old.key for old in read_old_keys(path))]


def replace_key(path: Path) -> None:
    """Put a new key in use and keep the present one for reading; safe at any moment.

    The present key is among the former ones before it is replaced, so that no moment
    knows none of what is stored.
    """
    current = path.read_text(encoding="ascii").strip()
    kept = [OldKey(current, datetime.now(UTC)), *read_old_keys(path)]
    _write(old_path(path), kept)
    _replace(path, new_key())


def forget_old_keys(path: Path, *, before: datetime) -> int:
    """Remove keys that were replaced before a moment; return how many."""
    old = read_old_keys(path)
    kept = [each for each in old if each.replaced_at >= before]
    if kept:
        _write(old_path(path), kept)
    else:
        old_path(path).unlink(missing_ok=True)
    return len(old) - len(kept)


def _write(path: Path, keys: Sequence[OldKey]) -> None:
    lines = (f"{each.replaced_at.isoformat()} {each.key}\n" for each in keys)
    _replace(path, "".join(lines))


def _replace(path: Path, text: str) -> None:
    """Replace a file at once and durably; nobody else reads it at any time."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)

"""Secrets that an embedded installation makes for itself, kept 0600."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from devrag.core.errors import ConfigurationError


def read_or_create_secret(path: Path, *, length_bytes: int = 48) -> str:
    """Return the secret in `path`, making it once; safe when two processes start."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _create(path, secrets.token_urlsafe(length_bytes))
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise ConfigurationError(
            f"Cannot write the secret {path}: {error.strerror}. Set DEVRAG_HOME to a "
            "directory this user can write to."
        ) from error


def _create(path: Path, value: str) -> str:
    """Write the value whole or not at all: link() fails when the file exists."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    try:
        draft.write_text(value, encoding="ascii")
        os.link(draft, path)
    finally:
        draft.unlink()
    return value

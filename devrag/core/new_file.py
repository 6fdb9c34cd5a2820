"""Files of settings, which may hold secrets and are somebody's work once they exist."""

from __future__ import annotations

import os
from pathlib import Path

from devrag.core.errors import Conflict, InvalidInput


def write_new_file(path: Path, text: str, *, is_forced: bool) -> None:
    """Write a file, 0600; Conflict when there is one and nobody said to replace it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        if is_forced:
            draft.replace(path)
        else:
            os.link(draft, path)  # fails when the file exists
    except FileExistsError as error:
        raise Conflict(
            f"{path} already exists. Edit it, or replace it with --force."
        ) from error
    except OSError as error:
        raise InvalidInput(f"Cannot write {path}: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)

"""Small state files and logs that only their owner may read."""

from __future__ import annotations

import json
import os
import shutil
from collections import deque
from pathlib import Path
from typing import Any, BinaryIO

from devrag.core.errors import ConfigurationError

_LOG_LIMIT_BYTES = 10 * 1024 * 1024


def write_private(path: Path, text: str) -> None:
    """Replace a file atomically and durably, mode 0600 from its first byte on."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def write_json(path: Path, value: object) -> None:
    """Write JSON like `write_private`."""
    write_private(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    """Return the JSON of a state file, None when there is no such file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise ConfigurationError(
            f"{path} is not valid JSON ({error}). Delete it and start the server again."
        ) from error
    except OSError as error:
        raise ConfigurationError(
            f"Cannot read {path}: {error.strerror}. Set DEVRAG_HOME to a folder this "
            "user can access."
        ) from error


def large_logs(folder: Path) -> list[Path]:
    """Return the logs in a folder that grew past the limit."""
    return [path for path in folder.glob("*.log") if _is_large(path)]


def rotate_log(path: Path) -> None:
    """Copy a log that a process still writes to `<name>.1` and empty it.

    Its writer appends, so it goes on at the beginning; a line between may be lost.
    """
    shutil.copyfile(path, path.with_name(f"{path.name}.1"))
    path.with_name(f"{path.name}.1").chmod(0o600)
    os.truncate(path, 0)


def _is_large(path: Path) -> bool:
    return path.stat().st_size > _LOG_LIMIT_BYTES


def open_log(path: Path) -> BinaryIO:
    """Open a log for appending; one that grew large becomes `<name>.1` first."""
    if path.exists() and _is_large(path):
        path.replace(path.with_name(f"{path.name}.1"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def last_lines(path: Path, count: int = 15) -> str:
    """Return the end of a log, indented for an error message; '' when it is empty."""
    if not path.exists():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return "".join(f"\n  | {line.rstrip()}" for line in deque(file, maxlen=count))

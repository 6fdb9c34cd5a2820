"""Where everything lives under DEVRAG_HOME."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from devrag.core.errors import ConfigurationError

# How progress reaches a person: one sentence a call.
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Home:
    """DEVRAG_HOME and its folders; `root` becomes absolute with symlinks resolved."""

    root: Path

    def __post_init__(self) -> None:
        # One folder has one name, whatever link leads to it.
        object.__setattr__(self, "root", self.root.expanduser().resolve())

    @property
    def repos(self) -> Path:
        return self.root / "repos"

    @property
    def wikis(self) -> Path:
        return self.root / "wikis"

    @property
    def uploads(self) -> Path:
        return self.root / "uploads"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def lexical(self) -> Path:
        return self.root / "lexical"

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def log(self) -> Path:
        return self.root / "log"

    def ensure(self) -> Home:
        """Create the folders for their owner only, or say which one cannot be used."""
        # PostgreSQL runs as another user when we are root: it may pass through the
        # root folder, never look into it.
        _make_folder(self.root, 0o711 if os.geteuid() == 0 else 0o700)
        for folder in (self.repos, self.wikis, self.lexical, self.postgres):
            _make_folder(folder, 0o700)
        for folder in (self.valkey, self.models, self.run, self.log):
            _make_folder(folder, 0o700)
        return self


def _make_folder(path: Path, mode: int) -> None:
    try:
        if not path.is_dir():
            path.mkdir(parents=True)
            path.chmod(mode)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise ConfigurationError(
            f"Cannot use {path} for devrag's data: {error.strerror}. Make it "
            "writable, or set DEVRAG_HOME to a writable folder."
        ) from error

"""Folders of the current user, as the XDG Base Directory Specification defines them.

Standard library only: used before Django.
"""

from __future__ import annotations

import os
from pathlib import Path

from devrag.core.errors import ConfigurationError


def config_folder() -> Path:
    """Return the folder for settings of this user, usually ~/.config/devrag."""
    return _folder("XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Return the folder for data of this user, usually ~/.local/share/devrag."""
    return _folder("XDG_DATA_HOME", ".local/share")


def state_folder() -> Path:
    """Return the folder for what runs for this user, usually ~/.local/state/devrag."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, default: str) -> Path:
    """Return the variable's folder, else the default below the home directory."""
    given = Path(os.environ.get(variable, ""))
    if given.is_absolute():  # relative ones are to be ignored
        return given / "devrag"
    try:
        return Path.home() / default / "devrag"
    except RuntimeError as error:
        raise ConfigurationError(
            f"This user has no home directory. Set HOME or {variable}."
        ) from error

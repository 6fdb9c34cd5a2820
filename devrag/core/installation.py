"""Where devrag's own files are: in a checkout, or installed as a package.

A checkout keeps settings, data, templates and static files beside `manage.py`. An
installed package has the files inside it (see the build backend in `scripts/`), and
settings and data in the folders of the user who runs it.
"""

from __future__ import annotations

import os
from pathlib import Path

from devrag.core.user_folders import config_folder, data_folder

PACKAGE_DIR = Path(__file__).resolve().parent.parent
BASE_DIR = PACKAGE_DIR.parent
IS_CHECKOUT = (BASE_DIR / "manage.py").is_file()
# Holds templates/, static/ and .env.example.
FILES_DIR = BASE_DIR if IS_CHECKOUT else PACKAGE_DIR
# Arguments of the interpreter that run a command. -P: without it, a package called
# `devrag` in the current folder would be run instead.
MANAGE = (str(BASE_DIR / "manage.py"),) if IS_CHECKOUT else ("-P", "-m", "devrag")


def env_file() -> Path:
    """Return the file with the settings of this installation."""
    return (BASE_DIR if IS_CHECKOUT else config_folder()) / ".env"


def default_home() -> Path:
    """Return where data is kept unless DEVRAG_HOME says otherwise."""
    return BASE_DIR / "var" if IS_CHECKOUT else data_folder()


def current_home() -> Path:
    """Return DEVRAG_HOME of the environment, else the default one."""
    given = os.environ.get("DEVRAG_HOME")
    return (Path(given) if given else default_home()).expanduser().resolve()

"""Entry point of `manage.py` and the `devrag` console script."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line
from environs import EnvError

from devrag.core.errors import DevragError


def main() -> None:
    """Run a management command; expected failures are one sentence and exit code 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    try:
        execute_from_command_line(sys.argv)
    except DevragError as error:
        sys.exit(f"devrag: {error.message}")
    except EnvError as error:
        sys.exit(f"devrag: {error} Correct it in the environment or in .env.")

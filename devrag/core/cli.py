"""How `manage.py` and the `devrag` console script run a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from django.conf import settings
from django.core.management import execute_from_command_line
from environs import EnvError

from devrag.core.exit_codes import PREFIX, leaving_in_words
from devrag.core.unavailable import DATABASE_FAILURES


def main(run_first: Callable[[Sequence[str]], bool] | None = None) -> None:
    """Run a management command; expected failures are one sentence and exit code 1.

    run_first: does without Django what it can, and says whether that was all.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")
    try:
        with leaving_in_words():
            if run_first is None or not run_first(sys.argv):
                execute_from_command_line(sys.argv)
    except EnvError as error:
        reason = str(error).rstrip(".")
        sys.exit(f"{PREFIX}{reason}. Correct it in the environment or in .env.")
    except DATABASE_FAILURES as error:
        sys.exit(f"{PREFIX}{describe_database_failure(str(error))}")


def describe_database_failure(text: str) -> str:
    """Name the database, the driver's reason and the way out; never the password."""
    config = settings.DATABASES["default"]
    place = f"{config['NAME']} on {config['HOST']}:{config['PORT'] or 5432}"
    reason = text.strip().partition("\n")[0].rpartition("failed: ")[2].rstrip(".")
    if settings.IS_EMBEDDED_DATABASE:
        return (
            f"The embedded database cannot be used ({reason}). Run `devrag server "
            "start`; if it runs already, see log/postgres.log under DEVRAG_HOME."
        )
    return (
        f"The database {place} cannot be used ({reason}). Check that it runs and that "
        "DATABASE_URL (or POSTGRES_*) is right."
    )

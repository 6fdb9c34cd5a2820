"""What stands for all tests of a module: made once, each test starts from it anew.

Its rows are committed, what a test changes is rolled back: its tests use `db`, for a
transactional one would delete them. Its folders are copied for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from django.core.management import call_command
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

T = TypeVar("T")


def home_settings(home: Path) -> dict[str, Path]:
    """Return the settings that put what a home holds below a folder."""
    return {
        "GIT_CLONE_DIR": home / "repos",
        "WIKI_OUTPUT_DIR": home / "wikis",
        "LEXICAL_DIR": home / "lexical",
        "UPLOADS_DIR": home / "uploads",
    }


class Standing(Generic[T]):
    """What make(folder) returns, beside its rows and its files at home."""

    def __init__(self, folder: Path, make: Callable[[Path], T]) -> None:
        self._home = folder / "home"
        self._home.mkdir()
        with override_settings(**home_settings(self._home)):
            self.made = make(folder)

    def furnish(self, home: Path) -> T:
        """Give the home of a test the same files."""
        shutil.copytree(self._home, home, dirs_exist_ok=True)
        return self.made


@contextmanager
def standing(
    blocker: DjangoDbBlocker, folder: Path, make: Callable[[Path], T]
) -> Iterator[Standing[T]]:
    """Make it, and empty the database at the end."""
    with blocker.unblock():
        made = Standing(folder, make)
    yield made
    with blocker.unblock():
        call_command("flush", verbosity=0, interactive=False)

"""The version that commands print is devrag's, not that of a library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from devrag import __version__

ROOT = Path(__file__).parents[1]
MANAGE = (str(ROOT / "manage.py"),)


@pytest.mark.parametrize("start", [MANAGE, ("-m", "devrag")])
@pytest.mark.parametrize(
    "words", [("--version",), ("version",), ("search", "--version")]
)
def test_the_version_is_that_of_devrag(
    start: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, *start, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"devrag {__version__}\n"

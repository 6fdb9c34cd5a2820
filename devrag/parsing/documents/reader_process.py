"""Programs of their own that read what strangers wrote, within a time limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

TIMEOUT_SECONDS = 40.0


def run_reader(
    arguments: list[str], data: bytes, environment: Mapping[str, str]
) -> tuple[bytes, bool]:
    """Return what a Python program wrote about data, and whether it was late.

    arguments: of the interpreter. The environment has nothing but what is given here.
    """
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            env=dict(environment),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return error.stdout or b"", True
    return done.stdout, False

"""How a command ends: 0 done, 1 an error in one sentence, 130 interrupted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from devrag.core.errors import DevragError

# How a failure begins on stderr.
PREFIX = "devrag: "
INTERRUPTED = 130


@contextmanager
def leaving_in_words() -> Iterator[None]:
    """Turn expected failures into a sentence on stderr and an exit code."""
    try:
        yield
    except DevragError as error:
        sys.exit(f"{PREFIX}{error.message}")
    except BrokenPipeError:
        # `devrag search … | head`: nobody reads on, which is no failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.stderr.write(
            f"\n{PREFIX}Interrupted. A job that was asked for goes on; `devrag jobs "
            "list` shows it.\n"
        )
        sys.exit(INTERRUPTED)

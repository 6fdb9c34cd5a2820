"""How a command ends: 0 done, 1 an error in one sentence, 130 interrupted.

3 is a negative answer: a server that does not run, a question without an answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from devrag.core.errors import DevragError

# How a failure begins on stderr.
PREFIX = "devrag: "
INTERRUPTED = 130
NEGATIVE = 3


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
            f"\n{PREFIX}Interrupted. Jobs that were started keep running; `devrag "
            "jobs list` shows them.\n"
        )
        sys.exit(INTERRUPTED)


def leave_at_once() -> NoReturn:
    """End after Ctrl+C without waiting for threads that still read the database."""
    sys.stderr.write(f"\n{PREFIX}Interrupted.\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)

"""One process at a time per mirror, on one host."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devrag.core.errors import SourceError
from devrag.core.texts import gettext

_POLL_SECONDS = 0.1


@contextmanager
def exclusive_lock(
    path: Path, *, timeout_seconds: float, on_wait: Callable[[], None]
) -> Iterator[int]:
    """Hold a lock file; yield its descriptor. The lock ends with its last holder."""
    with path.open("a+b") as stream:
        deadline = time.monotonic() + timeout_seconds
        is_told = False
        while not _try_lock(stream.fileno()):
            if not is_told:
                on_wait()
                is_told = True
            if time.monotonic() > deadline:
                raise SourceError(
                    gettext(
                        "Another process is fetching into %(stem)s. Try again when it "
                        "has finished."
                    )
                    % {"stem": path.stem},
                    permanent=False,
                )
            time.sleep(_POLL_SECONDS)
        yield stream.fileno()


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

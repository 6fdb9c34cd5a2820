"""The parser processes that a test started."""

from __future__ import annotations

from collections.abc import Callable

import psutil

Children = Callable[[], list[psutil.Process]]


def watch_children() -> Children:
    """Return what lists this process's parser processes that start from now on."""
    known = {child.pid for child in psutil.Process().children()}

    def children() -> list[psutil.Process]:
        return [
            child
            for child in psutil.Process().children()
            if child.pid not in known
            and any("isolated.child" in word for word in child.cmdline())
        ]

    return children

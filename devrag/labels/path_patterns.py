"""Path patterns of labels, with the globs of .gitignore. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from devrag.sources.api import glob_regex


def matches(pattern: str, path: str) -> bool:
    """Return whether a path matches: a folder with all in it, without slash by name.

    >>> matches("src/**/*.py", "src/a/b.py"), matches("billing/", "app/billing/x.py")
    (True, True)
    """
    return _compiled(pattern).fullmatch(path.encode()) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[bytes]:
    glob = f"{pattern}**" if pattern.endswith("/") else pattern
    if "/" not in pattern.rstrip("/"):
        glob = f"**/{glob}"
    return re.compile(glob_regex(glob.encode()), re.DOTALL)

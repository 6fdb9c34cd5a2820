"""Parts of a file's path inside its source.

Plain string work: a pathlib object for each question took 7 % of a parse.
"""

from __future__ import annotations

import re
from posixpath import splitext


def file_name(path: str) -> str:
    """Return the last part."""
    return path.rpartition("/")[2]


def stem(path: str) -> str:
    """Return the file name without its last extension."""
    return splitext(file_name(path))[0]


def folders(path: str) -> list[str]:
    """Return the names of the folders above the file, from the outermost."""
    return path.split("/")[:-1]


_TEST_FOLDERS = frozenset(
    ["test", "tests", "testing", "spec", "specs", "__tests__", "e2e"]
)
# test_cart.py, cart_test.go, cart.spec.ts, cart_spec.rb, CartTest.java, CartTests.cs
_TEST_STEM = re.compile(
    r"test_.*|.*_(test|spec)|.*\.(test|spec)|tests?|conftest|.*[a-z0-9](Test|Tests|IT)"
)


def is_test_path(path: str) -> bool:
    """Say whether a file holds tests or what only tests use, as its path tells."""
    if not _TEST_FOLDERS.isdisjoint(folders(path)):
        return True
    return _TEST_STEM.fullmatch(stem(path)) is not None

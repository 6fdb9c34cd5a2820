"""What a path says about how much a file is likely to be wanted."""

from __future__ import annotations

import re
from functools import lru_cache

from devrag.core.identifiers import words_of

# Both are read by PostgreSQL too. Folders, and names as each language's runners know
# them: test_cart.py, cart_test.go, cart.spec.ts, CartTest.java.
TEST_PATHS = re.compile(
    r"(^|/)(tests?|testing|testdata|specs?|__tests__|e2e|[^/]+[-_]tests?)/"
    r"|(^|/)(test_[^/]*|conftest)\.py$"
    r"|(_test\.[a-z]+|_spec\.(rb|lua)|[.-](test|spec)\.[cm]?[jt]sx?|\.bats)$"
    r"|[a-z0-9]Tests?\.(java|kt|cs|swift|scala|php|groovy)$"
)
ASIDE_PATHS = re.compile(
    r"(^|/)(examples?|samples?|demos?|vendor|third_party|fixtures|migrations|legacy)/"
)

_CHANGELOG_PATHS = re.compile(
    r"(^|/)(changes?|changelog|history|news|release([-_ ]?notes)?s?)(\.\w+)?$",
    re.IGNORECASE,
)


@lru_cache(maxsize=100_000)
def is_test(path: str) -> bool:
    """Return whether a file holds tests, or what they need."""
    return TEST_PATHS.search(path) is not None


@lru_cache(maxsize=100_000)
def is_aside(path: str) -> bool:
    """Return whether a file is an example, somebody else's, or kept for its age."""
    return ASIDE_PATHS.search(path) is not None


@lru_cache(maxsize=100_000)
def is_hidden(path: str) -> bool:
    """Return whether a file is in a folder for tools: `.github/`, `.vitepress/`."""
    folder = path.rpartition("/")[0]
    return folder.startswith(".") or "/." in folder


@lru_cache(maxsize=100_000)
def is_changelog(path: str) -> bool:
    """Return whether a file tells what releases changed."""
    return _CHANGELOG_PATHS.search(path) is not None


def is_end_of_file_name(name: str, path: str) -> bool:
    """Return whether a name is only what follows a dot in a file's name.

    >>> is_end_of_file_name("redirect", "test/res.redirect.js")
    True
    >>> is_end_of_file_name("redirect", "lib/redirect.js")
    False
    """
    return f".{name}." in path.rpartition("/")[2].lstrip(".")


def name_words(path: str) -> list[str]:
    """Return the lower-case words of a file's name, its ending aside.

    >>> name_words("src/HttpClient_pool.test.ts")
    ['http', 'client', 'pool']
    """
    stem = path.rpartition("/")[2].lstrip(".").partition(".")[0]
    return [word.lower() for word in words_of(stem)]

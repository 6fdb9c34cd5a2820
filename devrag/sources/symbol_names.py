"""What the row of a symbol holds so that it is found by its name and put in order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.parsing.path_roles import is_test

# A regular expression of PostgreSQL: has a character beyond ASCII.
NON_ASCII = r"[^\u0001-\u007f]"
# HTTP|Server|Handler2, http|server: an abbreviation ends before the next word.
_HUMP = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^\WA-Z_]+")
# More would not fit into an index; nobody types that much.
_MOST_CHARACTERS = 400
_TYPES = frozenset({"class", "interface", "enum", "type"})
_FUNCTIONS = frozenset({"function", "module", "namespace"})
_HIDDEN = frozenset({"private", "fileprivate", "local"})
# Where `static` outside of a class means that only its file sees it.
_STATIC_IS_PRIVATE = frozenset({"c", "cpp", "objc"})


def fold_case(text: str) -> str:
    """Return the text in lower case, with as many characters as before."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def find_humps(name: str) -> list[tuple[int, str]]:
    """Return the words of a name, each with where it begins.

    >>> find_humps("_HTTPServer_new")
    [(1, 'HTTP'), (5, 'Server'), (12, 'new')]
    """
    return [(found.start(), found[0]) for found in _HUMP.finditer(name)]


def make_search_name(name: str) -> str:
    """Return the forms of a name that are searched, each after a blank, in lower case.

    >>> make_search_name("HttpServer"), make_search_name("_count")
    (' httpserver http_server hs', ' _count count')
    """
    words = [fold_case(word) for _, word in find_humps(name)]
    forms = [fold_case(name), "_".join(words)]
    if len(words) > 1:
        forms.append("".join(word[0] for word in words))
    unique = filter(None, dict.fromkeys(forms))
    return "".join(f" {form}" for form in unique)[:_MOST_CHARACTERS]


def get_search_order(
    *,
    kind: str,
    qualified_name: str,
    scope: str,
    modifiers: Iterable[str],
    language: str,
    path: str,
    is_generated: bool,
) -> int:
    """Return the place of a symbol among others that a text fits as well, 0 to 11.

    Public ones come before private ones, tests and what is generated or vendored; among
    them types before functions before all others.
    """
    if is_generated:
        group = 3
    elif is_test(path):
        group = 2
    else:
        group = int(_is_private(qualified_name, scope, modifiers, language))
    return 3 * group + (0 if kind in _TYPES else 1 if kind in _FUNCTIONS else 2)


def _is_private(
    qualified_name: str, scope: str, modifiers: Iterable[str], language: str
) -> bool:
    if scope == "local":
        return True
    if any(map(_is_private_name, qualified_name.split("."))):
        return True
    words = {modifier.partition("[")[0] for modifier in modifiers}
    if "static" in words and scope == "global" and language in _STATIC_IS_PRIVATE:
        return True
    return not _HIDDEN.isdisjoint(words)


def _is_private_name(name: str) -> bool:
    return name.startswith(("_", "#")) and not name.endswith("__")

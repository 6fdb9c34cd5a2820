"""Who owns a file, by the CODEOWNERS file of its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from devrag.sources.file_selectors import current_files
from devrag.sources.gitignore import IgnoreRule, parse_rule
from devrag.sources.models import Source

# Where GitHub, GitLab and others look, the first that is there.
PATHS = (
    ".github/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
)
_MOST_RULES = 5_000
_MOST_OWNERS = 10
# A space that belongs to the pattern has a backslash before it.
_WORDS = re.compile(r"(?:\\.|[^\s\\])+")
# GitLab's sections, `[Documentation][2] @docs`: the owners of rules without any.
_SECTION = re.compile(r"\^?\[[^\]]+\](?:\[\d+\])?\s*(?P<owners>.*)")
_OWNER = re.compile(r"@[\w./-]+|[^@\s]+@[^@\s]+\.[^@\s]+")

Rule = tuple[IgnoreRule, tuple[str, ...]]


def owners_of(source: Source, path: str) -> tuple[str, ...]:
    """Return who owns a file, as written: `@team`, an address. Queries: 1."""
    rows = current_files(source).filter(path__in=PATHS)
    texts = dict(rows.values_list("path", "text"))
    found = next((texts[each] for each in PATHS if each in texts), "")
    return find_owners(found, path)


def find_owners(text: str, path: str) -> tuple[str, ...]:
    """Return the owners by the last rule that has a path, () where that has none. Pure.

    >>> find_owners("* @all\\n/docs/ @writers\\n*.md", "docs/a.txt")
    ('@writers',)
    """
    for rule, owners in reversed(_rules(text)):
        if _covers(rule, path):
            return owners
    return ()


@lru_cache(maxsize=64)
def _rules(text: str) -> tuple[Rule, ...]:
    return tuple(_read(text))


def _read(text: str) -> Iterator[Rule]:
    usual: tuple[str, ...] = ()
    for line in text.split("\n")[:_MOST_RULES]:
        bare = line.strip()
        if section := _SECTION.fullmatch(bare):
            usual = _owners(section["owners"])
            continue
        words = _WORDS.findall(bare)
        if not words or words[0].startswith(("#", "!")):
            continue
        rule = parse_rule(words[0].encode("utf-8", "surrogateescape"))
        if rule is not None:
            rest = bare[len(words[0]) :].partition(" #")[0]
            yield rule, _owners(rest) or usual


def _owners(written: str) -> tuple[str, ...]:
    return tuple(_OWNER.findall(written)[:_MOST_OWNERS])


def _covers(rule: IgnoreRule, path: str) -> bool:
    """Return whether a rule has a file, or a folder above it."""
    parts = path.encode("utf-8", "surrogateescape").split(b"/")
    for depth in range(1, len(parts) + 1):
        is_file = depth == len(parts)
        below = b"/".join(parts[:depth])
        if rule.matches(below, parts[depth - 1], is_directory=not is_file):
            return True
    return False

"""One ignore file: its rules, and what they say about one path. Pure.

Directories are asked before what they contain, so a rule is only ever matched against
the path itself, never against something above it. git compares bytes, so do we.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from devrag.sources.wildmatch import NEVER, glob_regex

_TRAILING_SPACES = re.compile(rb"((?:[^\\ ]|\\.|\ +(?!\ *\Z))*)\ *\Z", re.DOTALL)

_SPECIAL = re.compile(rb"[*?\[\\]")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: where it applies and whether it ignores or takes back."""

    glob: bytes
    regex: re.Pattern[bytes]
    is_negated: bool
    directories_only: bool
    by_name: bool

    def matches(self, path: bytes, name: bytes, *, is_directory: bool) -> bool:
        """Say whether the rule is about this very path."""
        if self.directories_only and not is_directory:
            return False
        return self.regex.fullmatch(name if self.by_name else path) is not None


def parse_rule(line: bytes) -> Rule | None:
    """Read one line as git does; None for blank lines and comments."""
    stripped = _TRAILING_SPACES.match(line)
    glob = stripped[1] if stripped else line
    if not glob or glob.startswith(b"#"):
        return None
    is_negated = glob.startswith(b"!")
    glob = glob.removeprefix(b"!")
    directories_only = glob.endswith(b"/")
    glob = glob.removesuffix(b"/")
    regex = re.compile(glob_regex(glob.removeprefix(b"/")), re.DOTALL)
    return Rule(glob, regex, is_negated, directories_only, by_name=b"/" not in glob)


class IgnoreFile:
    """The rules of one file, the last one first."""

    def __init__(self, text: str) -> None:
        raw = text.removeprefix("\ufeff").encode("utf-8", "surrogateescape")
        lines = (line.removesuffix(b"\r") for line in raw.split(b"\n"))
        rules = [rule for line in lines if (rule := parse_rule(line))]
        self._rules = rules[::-1]
        # Most paths match no rule at all; these say so for all rules at once.
        by_name = [rule for rule in rules if rule.by_name]
        self._names = {rule.glob for rule in by_name if _is_literal(rule.glob)}
        self._suffixes = tuple(rule.glob[1:] for rule in by_name if _is_suffix(rule))
        rest = [r for r in by_name if not (_is_literal(r.glob) or _is_suffix(r))]
        self._name_globs = _any_of(rest)
        self._path_globs = _any_of([rule for rule in rules if not rule.by_name])

    def verdict(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        """Say ignored (True), taken back (False) or nothing (None).

        path: relative to the file's own directory, without a trailing slash.
        """
        if not self._may_match(path, name):
            return None
        for rule in self._rules:
            if rule.matches(path, name, is_directory=is_directory):
                return not rule.is_negated
        return None

    def _may_match(self, path: bytes, name: bytes) -> bool:
        return (
            name in self._names
            or name.endswith(self._suffixes)
            or self._name_globs.fullmatch(name) is not None
            or self._path_globs.fullmatch(path) is not None
        )


def _is_literal(glob: bytes) -> bool:
    return _SPECIAL.search(glob) is None


def _is_suffix(rule: Rule) -> bool:
    return rule.glob.startswith(b"*") and _is_literal(rule.glob[1:])


def _any_of(rules: list[Rule]) -> re.Pattern[bytes]:
    sources = [b"(?:" + rule.regex.pattern + b")" for rule in rules]
    return re.compile(b"|".join(sources) or NEVER, re.DOTALL)

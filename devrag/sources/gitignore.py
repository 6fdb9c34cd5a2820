"""One ignore file: its rules, and what they say about one path. Pure.

Directories are asked before what they contain, so a rule is only ever matched against
the path itself, never against something above it. git compares bytes, so do we.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from devrag.sources.ignore_limits import IgnoreBudget
from devrag.sources.wildmatch import glob_regex

_SPECIAL = re.compile(rb"[*?\[\\]")
# Patterns that are compiled and matched as one; the budget is asked between.
_GROUP = 64


@dataclass(frozen=True)
class IgnoreRule:
    """One line: where it applies and whether it ignores or takes back.

    text: the glob without its marks. is_suffix: text is `*` and plain characters.
    """

    text: bytes
    is_negated: bool
    directories_only: bool
    by_name: bool
    is_literal: bool
    is_suffix: bool

    def matches(self, path: bytes, name: bytes, *, is_directory: bool) -> bool:
        """Return whether the rule is about this very path."""
        if self.directories_only and not is_directory:
            return False
        if self.is_literal:
            return self.text == (name if self.by_name else path)
        if self.is_suffix:
            return name.endswith(self.text[1:])
        return self._regex.fullmatch(name if self.by_name else path) is not None

    @cached_property
    def _regex(self) -> re.Pattern[bytes]:
        return re.compile(glob_regex(self.text), re.DOTALL)


def parse_rule(line: bytes) -> IgnoreRule | None:
    """Read one line as git does; None for blank lines and comments."""
    glob = _without_trailing_spaces(line)
    if not glob or glob.startswith(b"#"):
        return None
    is_negated = glob.startswith(b"!")
    glob = glob.removeprefix(b"!")
    directories_only = glob.endswith(b"/")
    glob = glob.removesuffix(b"/")
    by_name = b"/" not in glob
    text = glob.removeprefix(b"/")
    is_suffix = by_name and text.startswith(b"*") and _is_literal(text[1:])
    return IgnoreRule(
        text, is_negated, directories_only, by_name, _is_literal(text), is_suffix
    )


def _without_trailing_spaces(line: bytes) -> bytes:
    """Return the line without spaces at its end, but for one after a backslash."""
    stripped = line.rstrip(b" ")
    backslashes = len(stripped) - len(stripped.rstrip(b"\\"))
    is_escaped = backslashes % 2 == 1 and len(stripped) < len(line)
    return stripped + b" " if is_escaped else stripped


class IgnoreFile:
    """The rules of one file, the last one first.

    place: how messages name the file. Raises InvalidInput past the budget.
    """

    def __init__(self, text: str, budget: IgnoreBudget, place: str) -> None:
        raw = text.removeprefix("\ufeff").encode("utf-8", "surrogateescape")
        rules: list[IgnoreRule] = []
        for number, line in enumerate(raw.split(b"\n"), start=1):
            rule = parse_rule(line.removesuffix(b"\r"))
            if rule is not None:
                budget.add_pattern(rule.text, place, number)
                rules.append(rule)
        self._budget = budget
        self._rules = rules[::-1]
        # Most paths match no rule at all; these say so for all rules at once.
        names = [rule for rule in rules if rule.by_name]
        paths = [rule for rule in rules if not rule.by_name]
        self._names = {rule.text for rule in names if rule.is_literal}
        self._paths = {rule.text for rule in paths if rule.is_literal}
        self._suffixes = tuple({rule.text[1:] for rule in names if rule.is_suffix})
        self._name_globs = self._compile(names)
        self._path_globs = self._compile(paths)

    def verdict(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        """Say ignored (True), taken back (False) or nothing (None).

        path: relative to the file's own directory, without a trailing slash.
        """
        self._budget.tick()
        if not self._may_match(path, name):
            return None
        for rule in self._rules:
            if not (rule.is_literal or rule.is_suffix):
                self._budget.tick()
            if rule.matches(path, name, is_directory=is_directory):
                return not rule.is_negated
        return None

    def _may_match(self, path: bytes, name: bytes) -> bool:
        return (
            name in self._names
            or path in self._paths
            or name.endswith(self._suffixes)
            or self._has_match(self._name_globs, name)
            or self._has_match(self._path_globs, path)
        )

    def _has_match(self, groups: Sequence[re.Pattern[bytes]], text: bytes) -> bool:
        for group in groups:
            if group.fullmatch(text) is not None:
                return True
            if len(groups) > 1:
                self._budget.tick()
        return False

    def _compile(self, rules: Sequence[IgnoreRule]) -> list[re.Pattern[bytes]]:
        globs = [rule.text for rule in rules if not (rule.is_literal or rule.is_suffix)]
        return [
            self._compile_group(globs[start : start + _GROUP])
            for start in range(0, len(globs), _GROUP)
        ]

    def _compile_group(self, globs: Sequence[bytes]) -> re.Pattern[bytes]:
        self._budget.tick()
        sources = [b"(?:" + glob_regex(glob) + b")" for glob in globs]
        return re.compile(b"|".join(sources), re.DOTALL)


def _is_literal(glob: bytes) -> bool:
    return _SPECIAL.search(glob) is None

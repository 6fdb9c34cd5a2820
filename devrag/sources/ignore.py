"""Which listed files are left out, and why. Pure.

Order: `.git`, .gitignore, .devragignore, .ragignore, the source's own exclusions (each
only adds some), what is not included, secrets, extensions, size. Patterns apply to
tracked files too: an ignore file says what nobody wants to read, however it got there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from devrag.sources.gitignore import IgnoreFile
from devrag.sources.ignore_limits import MAX_IGNORE_BYTES, IgnoreBudget
from devrag.sources.secret_names import is_secret_file
from devrag.sources.selection import Selection

IGNORE_FILES = (".gitignore", ".devragignore", ".ragignore")
_SETTINGS = "the source's settings"
_KINDS = (*IGNORE_FILES, _SETTINGS)
_MEGABYTE = 1_000_000
# Listings come in the order of paths, so that few folders are asked about again.
_MAX_KNOWN_DIRECTORIES = 20_000


def is_ignore_file(path: str) -> bool:
    """Return whether the path names a file of ignore patterns, at any level."""
    return posixpath.basename(path) in IGNORE_FILES


def size_limit(path: str, selection: Selection) -> int | None:
    """Return how many bytes of a file are read at most.

    Ignore files have a limit of their own: they count even where nobody indexes them.
    """
    return MAX_IGNORE_BYTES if is_ignore_file(path) else selection.size_limit(path)


@dataclass(frozen=True, slots=True)
class _Placed:
    """An ignore file and the length of its directory's prefix (`src/` = 4)."""

    prefix: int
    rules: IgnoreFile


@dataclass(frozen=True, slots=True)
class _Link:
    """An ignore file and those of the folders above it, the nearest first."""

    placed: _Placed
    above: _Link | None


_Chains = dict[str, _Link]


@dataclass(frozen=True, slots=True)
class _Directory:
    """What is known about a directory: why it is left out, which files speak in it.

    chains: per kind of ignore file, the nearest one. is_included: what the nearest
    pattern of the source's inclusions says.
    """

    reason: str | None
    chains: _Chains
    is_included: bool


class IgnoreRules:
    """All rules of one listing. Ask for each path; verdicts on directories are kept."""

    def __init__(
        self,
        files: Mapping[str, Mapping[str, _Placed]],
        selection: Selection,
        budget: IgnoreBudget,
    ) -> None:
        self._files = files
        self._selection = selection
        self._budget = budget
        exts = (ext.lower().lstrip(".") for ext in selection.exclude_exts)
        self._exclude_exts = frozenset(f".{ext}" for ext in exts if ext)
        include = selection.include
        self._include = (
            IgnoreFile("\n".join(include), budget, _SETTINGS) if include else None
        )
        self._root = _Directory(None, self._chains("", {}), is_included=not include)
        self._directories = {"": self._root}

    @classmethod
    def from_files(
        cls,
        files: Mapping[str, str],
        selection: Selection | None = None,
        budget: IgnoreBudget | None = None,
    ) -> IgnoreRules:
        """Compile ignore files given as path → text (`.gitignore`, `a/.ragignore`).

        Equal texts are compiled once. Raises InvalidInput past the budget.
        """
        chosen, budget = selection or Selection(), budget or IgnoreBudget()
        placed: dict[str, dict[str, _Placed]] = {}
        compiled: dict[str, IgnoreFile] = {}
        budget.resume()
        for path, text in files.items():
            directory, name = posixpath.split(path)
            prefix = len(_raw(directory)) + 1 if directory else 0
            if text not in compiled:
                compiled[text] = IgnoreFile(text, budget, path)
            placed.setdefault(directory, {})[name] = _Placed(prefix, compiled[text])
        if chosen.exclude:
            rules = IgnoreFile("\n".join(chosen.exclude), budget, _SETTINGS)
            placed.setdefault("", {})[_SETTINGS] = _Placed(0, rules)
        made = cls(placed, chosen, budget)
        budget.pause()
        return made

    def reason(self, path: str, size: int) -> str | None:
        """Say why a file is left out; None when it counts.

        Raises InvalidInput when matching took too long in all.
        """
        self._budget.resume()
        self._budget.tick()
        directory, name = posixpath.split(path)
        above = self._directory(directory)
        found = (
            above.reason
            or _pattern_reason(path, name, above.chains, is_directory=False)
            or self._include_reason(path, name, above)
            or ("secret" if is_secret_file(path) else None)
            or self._extension_reason(name)
            or self._size_reason(name, size)
        )
        self._budget.pause()
        return found

    def leaves_out(self, directory: str) -> bool:
        """Return whether patterns leave a directory out with all that it holds."""
        self._budget.resume()
        is_left_out = self._directory(directory).reason is not None
        self._budget.pause()
        return is_left_out

    def _directory(self, path: str) -> _Directory:
        """Ask from the top down: what an ignored directory holds cannot come back."""
        known = self._directories
        if len(known) > _MAX_KNOWN_DIRECTORIES:
            known = self._directories = {"": self._root}
        if path not in known:
            for level in reversed(_levels(path)):
                if level not in known:
                    parent, _, name = level.rpartition("/")
                    known[level] = self._enter(level, name, known[parent])
        return known[path]

    def _enter(self, path: str, name: str, above: _Directory) -> _Directory:
        reason = above.reason or _pattern_reason(
            path, name, above.chains, is_directory=True
        )
        is_included = self._is_included(path, name, above, is_directory=True)
        return _Directory(reason, self._chains(path, above.chains), is_included)

    def _is_included(
        self, path: str, name: str, above: _Directory, *, is_directory: bool
    ) -> bool:
        if self._include is None:
            return True
        verdict = self._include.verdict(
            _raw(path), _raw(name), is_directory=is_directory
        )
        return above.is_included if verdict is None else verdict

    def _include_reason(self, path: str, name: str, above: _Directory) -> str | None:
        if self._is_included(path, name, above, is_directory=False):
            return None
        return "not included"

    def _chains(self, directory: str, above: _Chains) -> _Chains:
        here = self._files.get(directory)
        if not here:
            return above
        return {
            kind: _Link(here[kind], above.get(kind)) if kind in here else above[kind]
            for kind in _KINDS
            if kind in here or kind in above
        }

    def _extension_reason(self, name: str) -> str | None:
        if not self._exclude_exts:
            return None
        parts = name.lower().split(".")[1:]
        for index in range(len(parts)):
            ext = "." + ".".join(parts[index:])
            if ext in self._exclude_exts:
                return f"extension {ext} excluded"
        return None

    def _size_reason(self, name: str, size: int) -> str | None:
        most = self._selection.size_limit(name)
        if most is None or size <= most:
            return None
        limit = most / _MEGABYTE
        return f"too large ({size / _MEGABYTE:.1f} MB > {limit:.1f} MB)"


def _levels(directory: str) -> list[str]:
    """Return the directory and those above it, nearest first: a/b → a/b, a."""
    levels = []
    while directory:
        levels.append(directory)
        directory = directory.rpartition("/")[0]
    return levels


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _pattern_reason(
    path: str, name: str, chains: _Chains, *, is_directory: bool
) -> str | None:
    if name == ".git":
        return "inside .git"
    raw, raw_name = _raw(path), _raw(name)
    for kind, nearest in chains.items():
        link: _Link | None = nearest
        verdict = None
        while link is not None and verdict is None:
            rules, below = link.placed.rules, raw[link.placed.prefix :]
            verdict = rules.verdict(below, raw_name, is_directory=is_directory)
            link = link.above
        if verdict:
            return f"{'excluded' if kind == _SETTINGS else 'ignored'} by {kind}"
    return None

"""Which listed files are left out, and why. Pure.

Order: `.git`, .gitignore, .devragignore, .ragignore, the source's own exclusions (each
only adds some), what is not included, secrets, extensions, size. Patterns apply to
tracked files too: an ignore file says what nobody wants to read, however it got there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from devrag.sources.gitignore import IgnoreFile
from devrag.sources.selection import Selection

IGNORE_FILES = (".gitignore", ".devragignore", ".ragignore")
_SETTINGS = "the source's settings"
_KINDS = (*IGNORE_FILES, _SETTINGS)

_SECRET = re.compile(
    r"""
      \.env(?:\..+)?
    | .*\.(?:pem|key|p12|pfx|jks|keystore|ppk)
    | id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\..+)?
    | \.netrc | \.pgpass | \.git-credentials | \.htpasswd
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_NOT_SECRET = re.compile(
    r"\.env\.(?:example|sample|template|dist)|id_.*\.pub", re.IGNORECASE | re.DOTALL
)
_MEGABYTE = 1_000_000


def is_ignore_file(path: str) -> bool:
    """Say whether the path names a file of ignore patterns, at any level."""
    return posixpath.basename(path) in IGNORE_FILES


@dataclass(frozen=True, slots=True)
class _Placed:
    """An ignore file and the length of its directory's prefix (`src/` = 4)."""

    prefix: int
    rules: IgnoreFile


_Chains = dict[str, tuple[_Placed, ...]]


@dataclass(frozen=True, slots=True)
class _Directory:
    """What is known about a directory: why it is left out, which files speak in it.

    chains: per kind of ignore file, the nearest first. is_included: what the nearest
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
    ) -> None:
        self._files = files
        self._selection = selection
        exts = (ext.lower().lstrip(".") for ext in selection.exclude_exts)
        self._exclude_exts = frozenset(f".{ext}" for ext in exts if ext)
        include = selection.include
        self._include = IgnoreFile("\n".join(include)) if include else None
        root = _Directory(None, self._chains("", {}), is_included=not include)
        self._directories = {"": root}

    @classmethod
    def from_files(
        cls, files: Mapping[str, str], selection: Selection | None = None
    ) -> IgnoreRules:
        """Compile ignore files given as path → text (`.gitignore`, `a/.ragignore`)."""
        chosen = selection or Selection()
        placed: dict[str, dict[str, _Placed]] = {}
        for path, text in files.items():
            directory, name = posixpath.split(path)
            prefix = len(_raw(directory)) + 1 if directory else 0
            placed.setdefault(directory, {})[name] = _Placed(prefix, IgnoreFile(text))
        if chosen.exclude:
            rules = IgnoreFile("\n".join(chosen.exclude))
            placed.setdefault("", {})[_SETTINGS] = _Placed(0, rules)
        return cls(placed, chosen)

    def reason(self, path: str, size: int) -> str | None:
        """Say why a file is left out; None when it counts."""
        directory, name = posixpath.split(path)
        above = self._directory(directory)
        return (
            above.reason
            or _pattern_reason(path, name, above.chains, is_directory=False)
            or self._include_reason(path, name, above)
            or _secret_reason(name)
            or self._extension_reason(name)
            or self._size_reason(name, size)
        )

    def leaves_out(self, directory: str) -> bool:
        """Say whether patterns leave a directory out with all that it holds."""
        return self._directory(directory).reason is not None

    def _directory(self, path: str) -> _Directory:
        """Ask from the top down: what an ignored directory holds cannot come back."""
        known = self._directories
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
        chains = {
            kind: (here[kind], *above.get(kind, ()))
            if kind in here
            else above.get(kind, ())
            for kind in _KINDS
        }
        return {kind: chain for kind, chain in chains.items() if chain}

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
        is_pdf = name.lower().endswith(".pdf")
        most = self._selection.max_pdf_bytes if is_pdf else self._selection.max_bytes
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
    for kind, chain in chains.items():
        for placed in chain:
            verdict = placed.rules.verdict(
                raw[placed.prefix :], raw_name, is_directory=is_directory
            )
            if verdict is not None:
                break
        else:
            continue
        if verdict:
            return f"{'excluded' if kind == _SETTINGS else 'ignored'} by {kind}"
    return None


def _secret_reason(name: str) -> str | None:
    if _SECRET.fullmatch(name) and not _NOT_SECRET.fullmatch(name):
        return "secret"
    return None

"""Which built-in kinds a file has by its path, imports and declared facts. Pure.

A rule speaks only where it is nearly always right; what it leaves to meaning is
compared by vectors. RULES_VERSION counts changes, so that files are looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from devrag.labels.rule_words import (
    API_FOLDERS,
    API_WORDS,
    AUTH_MODULES,
    AUTH_WORDS,
    BUILD_NAMES,
    CLI_FOLDERS,
    CLI_MODULES,
    CLI_NAMES,
    CONFIG_NAMES,
    DOC_FOLDERS,
    EXAMPLE_FOLDERS,
    LOGGING_WORDS,
    SECURITY_MODULES,
    SECURITY_WORDS,
    STORAGE_MODULES,
    STORAGE_WORDS,
    STORED_MODELS,
    UI_ENDINGS,
    UI_FOLDERS,
)
from devrag.parsing.path_roles import is_test, name_words

RULES_VERSION = 1


@dataclass(frozen=True, slots=True)
class FileView:
    """What rules know of a file. kind: code, doc, config or data.

    imports: modules as they are written. facts: kinds of what it declares;
    of a model with its framework, `model:django`.
    """

    path: str
    language: str = ""
    kind: str = "code"
    imports: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The file's name in lower case."""
        return self.path.rpartition("/")[2].lower()

    @property
    def stem(self) -> str:
        return self.name.lstrip(".").partition(".")[0]

    @property
    def ending(self) -> str:
        return self.name.rpartition(".")[2] if "." in self.name else ""

    @property
    def folders(self) -> frozenset[str]:
        """The names of its folders in lower case."""
        return _folders(self.path.rpartition("/")[0])

    @property
    def words(self) -> frozenset[str]:
        """The words of its name and of its two innermost folders."""
        return _words(self.path)


@lru_cache(maxsize=4096)
def _folders(folder: str) -> frozenset[str]:
    return frozenset(folder.lower().split("/")) - {""}


@lru_cache(maxsize=4096)
def _words(path: str) -> frozenset[str]:
    inner = path.split("/")[-3:-1]
    return frozenset(name_words(path)) | {
        word for folder in inner for word in name_words(folder)
    }


Rule = Callable[[FileView], str]


def find_kinds(file: FileView) -> Iterator[tuple[str, str]]:
    """Yield the keys of the file's kinds, each with the reason in a few words."""
    for kind, rule in _RULES.items():
        if reason := rule(file):
            yield kind, reason


def _named(file: FileView, words: frozenset[str]) -> str:
    found = min(file.words & words, default="")
    return f"name: {found}" if found else ""


def _imported(file: FileView, modules: frozenset[str]) -> str:
    """Return the module among those that code imports, or a part of one.

    What a test or an example imports says what it uses, not what it is about.
    """
    if file.kind != "code" or is_test(file.path):
        return ""
    for name in sorted(file.imports):
        for end in _ends(name):
            if name[:end] in modules:
                return f"import: {name[:end]}"
    return ""


def _ends(name: str) -> Iterator[int]:
    """Yield where a dotted or slashed name may be cut: `a.b.c` → a.b.c, a, a.b."""
    yield len(name)
    yield from (place for place, char in enumerate(name) if char in "./:")


def _auth(file: FileView) -> str:
    return _named(file, AUTH_WORDS) or _imported(file, AUTH_MODULES)


def _security(file: FileView) -> str:
    return _named(file, SECURITY_WORDS) or _imported(file, SECURITY_MODULES)


def _storage(file: FileView) -> str:
    if file.ending == "sql":
        return "name: .sql"
    stored = min(file.facts & STORED_MODELS, default="")
    if stored and not is_test(file.path):
        return f"declares: {stored}"
    # The protocol of a store is no store.
    if "codec" in file.words or "protocol" in file.words:
        return ""
    return _named(file, STORAGE_WORDS) or _imported(file, STORAGE_MODULES)


def _api(file: FileView) -> str:
    if is_test(file.path):
        return _named(file, API_WORDS) if file.kind == "code" else ""
    if file.ending in {"proto", "graphql", "thrift"}:
        return f"name: .{file.ending}"
    if "route" in file.facts:
        return "declares: route"
    if file.stem in {"openapi", "swagger"}:
        return f"name: {file.stem}"
    if file.kind != "code":
        return ""
    if file.stem.startswith("router"):
        return "name: router"
    folder = min(file.folders & API_FOLDERS, default="")
    return f"folder: {folder}" if folder else _named(file, API_WORDS)


def _ui(file: FileView) -> str:
    if is_test(file.path) or file.folders & DOC_FOLDERS:
        return ""
    if file.ending in UI_ENDINGS:
        return f"name: .{file.ending}"
    if file.kind == "code" and file.language in {"javascript", "typescript"}:
        folder = min(file.folders & UI_FOLDERS, default="")
        return f"folder: {folder}" if folder else ""
    return ""


def _cli(file: FileView) -> str:
    if file.stem in CLI_NAMES and file.kind in {"code", "doc"}:
        return f"name: {file.stem}"
    if file.kind != "code":
        return ""
    words = name_words(file.path) or [""]
    if words[0] in CLI_NAMES or "completions" in words:
        return f"name: {file.stem}"
    return "" if is_test(file.path) else _command(file)


def _command(file: FileView) -> str:
    if "command" in file.facts:
        return "declares: command"
    folder = min(file.folders & CLI_FOLDERS, default="")
    if folder:
        return f"folder: {folder}"
    # What only adds options to it is about something else.
    return _imported(file, CLI_MODULES) if "entry_point" in file.facts else ""


def _config(file: FileView) -> str:
    if file.kind == "data" or is_test(file.path) or ".github" in file.folders:
        return ""
    if file.stem in CONFIG_NAMES:
        return f"name: {file.stem}"
    last = (name_words(file.path) or [""])[-1]
    if file.kind == "code" and last in {"config", "configuration"}:
        return f"name: {last}"
    return ""


def _logging(file: FileView) -> str:
    return _named(file, LOGGING_WORDS)


def _test(file: FileView) -> str:
    return "format: test" if is_test(file.path) else ""


def _build(file: FileView) -> str:
    if file.name in BUILD_NAMES or _BUILD_PATHS.search(file.path.lower()):
        return f"name: {file.name}"
    found = min(file.facts & {"ci", "dependency"}, default="")
    return f"declares: {found}" if found and file.kind != "doc" else ""


def _docs(file: FileView) -> str:
    if _NO_DOCS.search(file.path.lower()) or is_test(file.path):
        return ""
    if file.kind == "doc":
        return "format: documentation"
    folder = next(iter(file.path.lower().split("/")[:-1]), "")
    # A package `doc` may as well write documentation.
    is_docs = folder in DOC_FOLDERS and (folder != "doc" or file.kind != "code")
    return f"folder: {folder}" if is_docs else ""


def _examples(file: FileView) -> str:
    folder = min(file.folders & EXAMPLE_FOLDERS, default="")
    if folder:
        return f"folder: {folder}"
    return "name: example" if file.stem.startswith("example") else ""


_RULES: dict[str, Rule] = {
    "auth": _auth,
    "security": _security,
    "storage": _storage,
    "api": _api,
    "ui": _ui,
    "cli": _cli,
    "config": _config,
    "logging": _logging,
    "test": _test,
    "build": _build,
    "docs": _docs,
    "examples": _examples,
}
_BUILD_PATHS = re.compile(
    r"(^|/)(\.github/(workflows|actions)|\.circleci|\.gitlab|\.ci)/"
    r"|(^|/)(requirements|constraints)([-_./].*)?\.(txt|in)$"
    r"|(^|/)requirements/[^/]+\.(txt|in)$"
    r"|(^|/)(dockerfile|docker-compose|compose)\.[^/]+$"
    r"|\.(dockerfile|mk|cmake|gradle|csproj)$"
    r"|(^|/)(build|release|deploy|install|package)[^/]*\.(sh|bash|ps1|bat)$"
    r"|(^|/)scripts?/(build|check|clean|coverage|docs|install|lint|publish|release|test"
    r"|[a-z-]*release[a-z-]*)(\.[a-z]+)?$"
)
_NO_DOCS = re.compile(
    r"(^|/)(licen[cs]e|copying|notice|patents|authors|contributors|requirements)[^/]*$"
    r"|(^|/)(\.github|\.gitlab|licen[cs]es?)/|(^|/)cmakelists\.txt$"
)

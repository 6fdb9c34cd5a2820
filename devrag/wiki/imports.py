"""Which file imports which: import references resolved to files of the product.

Only what resolves to exactly one file becomes an edge; everything else is foreign and
stays out, so that a diagram never shows a dependency that is not there.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from devrag.wiki.survey import Survey, SurveyFile, SurveyReference

_SEPARATORS = re.compile(r"::|[.\\]")
_RE_EXPORT_HOPS = 4
_SCRIPT_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte")
_WITH_PATHS = {"c", "cpp", "javascript", "typescript", "tsx", "vue", "svelte", "objc"}


@dataclass(frozen=True, slots=True)
class Import:
    """One resolved import. rest: what the name says beyond the module (`Flask`)."""

    file: int
    target: int
    name: str
    rest: str
    line: int


def resolve_imports(survey: Survey) -> list[Import]:
    """Resolve every import reference that names a file of the product."""
    return _Resolver(survey).resolve()


def import_edges(imports: Iterable[Import]) -> dict[int, dict[int, float]]:
    """Return file → file → number of imports, without files importing themselves."""
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for item in imports:
        if item.file != item.target:
            known = edges[item.file]
            known[item.target] = known.get(item.target, 0.0) + 1
    return dict(edges)


def python_module(path: str, packages: set[str]) -> str:
    """Return the dotted name under which Python imports the file.

    packages: directories with an `__init__.py`; names start below the first directory
    that is not one (`src/flask/app.py` → `flask.app`).
    """
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    start = len(parts) - 1
    while start > 0 and "/".join(parts[:start]) in packages:
        start -= 1
    names = parts[start:]
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


class _Resolver:
    def __init__(self, survey: Survey) -> None:
        self._references = [r for r in survey.references if r.kind == "import"]
        self._files = {file.id: file for file in survey.files}
        self._modules: dict[str, list[int]] = defaultdict(list)
        self._paths: dict[tuple[str, str], int] = {}
        self._suffixes: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._exports: dict[tuple[int, str], str] = {}
        self._index(survey.files)

    def _index(self, files: Iterable[SurveyFile]) -> None:
        packages: dict[str, set[str]] = defaultdict(set)
        for file in files:
            if file.name == "__init__.py":
                packages[file.source].add(file.directory)
        for file in files:
            self._paths[file.source, file.path] = file.id
            if file.language == "python":
                dotted = {
                    python_module(file.path, packages[file.source]),
                    python_module(file.path, set(_parents(file.path))),
                }
                for name in dotted:
                    self._modules[name].append(file.id)
            else:
                self._add_suffixes(file)

    def _add_suffixes(self, file: SurveyFile) -> None:
        stem = posixpath.splitext(file.path)[0]
        parts = stem.split("/")
        for start in range(len(parts)):
            tail = "/".join(parts[start:])
            self._suffixes[file.language, tail].add(file.id)

    def resolve(self) -> list[Import]:
        """Return resolved imports, following names a package re-exports."""
        for reference in self._references:
            last = reference.name.rpartition(".")[2]
            self._exports.setdefault((reference.file, last), reference.name)
        found = []
        for reference in self._references:
            hit = self._one(reference)
            if hit is not None:
                target, rest = hit
                found.append(
                    Import(reference.file, target, reference.name, rest, reference.line)
                )
        return found

    def _one(self, reference: SurveyReference) -> tuple[int, str] | None:
        file = self._files[reference.file]
        if file.language == "python":
            return self._python(file, reference.name)
        target = (
            self._by_path(file, reference.name)
            if file.language in _WITH_PATHS
            else self._by_suffix(file, reference.name)
        )
        return None if target is None else (target, "")

    def _python(self, file: SurveyFile, name: str) -> tuple[int, str] | None:
        for _ in range(_RE_EXPORT_HOPS):
            hit = self._python_module(file, name)
            if hit is None or not hit[1]:
                return hit
            target, rest = hit
            head, _, tail = rest.partition(".")
            onward = self._exports.get((target, head))
            if onward is None or onward == name:
                return hit
            if self._python_module(file, onward) is None:
                return hit
            name = f"{onward}.{tail}" if tail else onward
        return hit

    def _python_module(self, file: SurveyFile, name: str) -> tuple[int, str] | None:
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            candidates = self._modules.get(".".join(parts[:end]), [])
            target = self._nearest(file, candidates)
            if target is not None:
                return target, ".".join(parts[end:])
        return None

    def _nearest(self, file: SurveyFile, candidates: list[int]) -> int | None:
        own = [c for c in candidates if self._files[c].source == file.source]
        pool = own or candidates
        return pool[0] if len(pool) == 1 else None

    def _by_path(self, file: SurveyFile, name: str) -> int | None:
        bases = (posixpath.normpath(posixpath.join(file.directory, name)), name)
        for base in bases:
            endings = ("", *_SCRIPT_ENDINGS, *(f"/index{e}" for e in _SCRIPT_ENDINGS))
            for ending in endings:
                target = self._paths.get((file.source, base + ending))
                if target is not None:
                    return target
        return self._by_suffix(file, posixpath.splitext(name)[0])

    def _by_suffix(self, file: SurveyFile, name: str) -> int | None:
        tail = _SEPARATORS.sub("/", name).strip("/")
        if "/" not in tail and file.language not in _WITH_PATHS:
            return None
        return self._nearest(file, sorted(self._suffixes[file.language, tail]))


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]

"""What a library offers to those who use it: its exported classes and functions.

Each language says it in its own way: `__all__` and the imports of `__init__.py`, the
re-exports of an index module, `pub`, `public`, a capital letter, or a header.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.visibility import is_exposed

_DEFINITIONS = {"class", "interface", "enum", "type", "function"}
_SCRIPTS = {"javascript", "typescript", "tsx"}
_INDEX = {"index", "mod", "main"}
_INTERNAL = re.compile(
    r"(^|/)(internal|_internal|impl|private|examples?|benchmarks?|tests?|testing"
    r"|testdata|docs?([-_.]\w+)*|websites?|samples?|performance|scripts?|tools?|cmd"
    r"|vendor|generated|[\w.]+\.(Website|Benchmarks?|Docs\w*|Samples?))(/|$)",
    re.IGNORECASE,
)
_GO_COMMAND = re.compile(r"^package main\b", re.MULTILINE)
_HEADERS = {"h", "hpp", "hh", "hxx"}
_PUBLIC = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:\[[^\]]*\]\s*)*public\b")
_RUST_PUBLIC = re.compile(r"^pub\s")
_DECLARED = re.compile(r"^(?!\s*#)[^=;/]*?\b([a-z_]\w*)\s*\([^{]*$")
_LONGEST_LINE = 500
_FEWEST_LISTED = 3  # names; a package that lists fewer leaves its modules to users
_INSTALLS = re.compile(
    r"(?:include_HEADERS|install\s*\(|PUBLIC_HEADER).*", re.IGNORECASE
)
_HEADER = re.compile(r"[\w.-]+\.h(?:pp|h|xx)?\b")
_CONTINUED = re.compile(r"\\\n\s*")
_STATIC = re.compile(r"^(#|static\b|inline\b)")
_EXPORT = re.compile(r"^export\b")


@dataclass(frozen=True, slots=True)
class Export:
    """A definition that users import. name: as they call it. file, line: where it is
    exported, which need not be where it is defined.
    """

    symbol: SurveySymbol
    name: str
    file: int
    line: int


@cached_by_analysis
def exports_of(analysis: Analysis) -> tuple[Export, ...]:
    """Return what the product exports, by the file and line of its definition."""
    found: dict[int, Export] = {}
    for find in (_python, _scripts, _go, _declared_public, _headers):
        for export in find(analysis):
            found.setdefault(export.symbol.id, export)
    files = analysis.files
    return tuple(
        sorted(
            found.values(),
            key=lambda e: (files[e.symbol.file].path, e.symbol.start_line),
        )
    )


@cached_by_analysis
def distinct_exports(analysis: Analysis) -> tuple[Export, ...]:
    """Return one export a name and package: overloads and parts of a class share it."""
    found: dict[tuple[str, str, str, str], Export] = {}
    for export in exports_of(analysis):
        symbol = export.symbol
        key = *_package(analysis, symbol), symbol.qualified_name, symbol.kind
        known = found.get(key)
        if known is None or (symbol.docstring and not known.symbol.docstring):
            found[key] = export
    return tuple(found.values())


@cached_by_analysis
def repeated_names(analysis: Analysis) -> frozenset[str]:
    """Return the names that several packages export."""
    count = Counter(export.name for export in distinct_exports(analysis))
    return frozenset(name for name, number in count.items() if number > 1)


def _package(analysis: Analysis, symbol: SurveySymbol) -> tuple[str, str]:
    """Return in what a top-level name is unique: Go's packages are directories."""
    file = analysis.files[symbol.file]
    return file.source, file.directory if file.language == "go" else file.module


@cached_by_analysis
def _listed_of_files(analysis: Analysis) -> dict[int, frozenset[int]]:
    """Return file → what Python packages that list their exports list of it."""
    found: dict[int, set[int]] = {}
    for package in _front_packages(analysis):
        exported = list(_of_package(analysis, package))
        for export in exported if len(exported) >= _FEWEST_LISTED else ():
            found.setdefault(export.symbol.file, set()).add(export.symbol.id)
    return {file: frozenset(symbols) for file, symbols in found.items()}


def is_left_out(analysis: Analysis, symbol: SurveySymbol) -> bool:
    """Return whether a Python package exports others of a module, or the module is its
    own: then users do not call a definition or the methods of one.

    Of a module that a package lists nothing of users take what they need.
    """
    file = analysis.files[symbol.file]
    listed = _listed_of_files(analysis)
    if file.language != "python" or not listed:
        return False
    while symbol.parent in analysis.symbols:
        symbol = analysis.symbols[symbol.parent]
    if symbol.id in listed.get(file.id, ()):
        return False
    is_own = any(piece.startswith("_") for piece in file.module.split("."))
    return is_own or file.id in listed


def _python(analysis: Analysis) -> Iterator[Export]:
    fronts = _front_packages(analysis)
    exported = [e for file in fronts for e in _of_package(analysis, file)]
    yield from exported
    if exported:
        return
    for file in _code(analysis, {"python"}):
        is_hidden = any(p.startswith("_") for p in file.module.split("."))
        if file.module and not is_hidden:
            yield from _own(analysis, file, lambda s: s.is_public)


def _front_packages(analysis: Analysis) -> list[SurveyFile]:
    """Return the `__init__.py` files, a package before those inside it."""
    inits = [f for f in _code(analysis, {"python"}) if f.name == "__init__.py"]
    return sorted(inits, key=lambda f: (f.source, f.path.count("/"), f.path))


def _of_package(analysis: Analysis, file: SurveyFile) -> Iterator[Export]:
    text = analysis.texts.text(file.id)
    if any(piece.startswith("_") for piece in file.module.split(".")):
        return
    names = _listed(text) or dict(_imported(analysis, file))
    for name, line in names.items():
        symbol = analysis.imported(file.id, f"{file.module}.{name}", "python")
        symbol = symbol or _only_named(analysis, file, name)
        if symbol is not None and symbol.kind in _DEFINITIONS:
            yield Export(symbol, name, file.id, line)


def _listed(text: str) -> dict[str, int]:
    """Return the names of `__all__` with their lines."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found: dict[str, int] = {}
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets = [node.target]
        is_all = any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets)
        if is_all and isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for each in ast.walk(node):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    found.setdefault(each.value, each.lineno)
    return found


def _imported(analysis: Analysis, file: SurveyFile) -> Iterator[tuple[str, int]]:
    """Yield the public names that a package takes from its own modules."""
    own = file.module.partition(".")[0]
    for name, line in analysis.import_lines.get(file.id, ()):
        head, _, last = name.rpartition(".")
        if head.partition(".")[0] == own and not last.startswith("_"):
            yield last, line


def _only_named(
    analysis: Analysis, package: SurveyFile, name: str
) -> SurveySymbol | None:
    """Return the only top-level definition of that name below a package."""
    found = [
        symbol
        for symbol in analysis.symbols_named.get(name, ())
        if symbol.kind in _DEFINITIONS
        and analysis.files[symbol.file].source == package.source
        and analysis.files[symbol.file].path.startswith(f"{package.directory}/")
        and _is_top_level(analysis, symbol)
    ]
    return found[0] if len(found) == 1 else None


def _scripts(analysis: Analysis) -> Iterator[Export]:
    files = [f for f in _code(analysis, _SCRIPTS) if f.stem in _INDEX]
    exported: list[Export] = []
    for file in files:
        exported += _own(analysis, file, _is_exported)
        for name, line in analysis.import_lines.get(file.id, ()):
            symbol = analysis.imported(file.id, name, file.language)
            if symbol is not None and symbol.kind in _DEFINITIONS:
                exported.append(Export(symbol, symbol.name, file.id, line))
    yield from exported


def _is_exported(symbol: SurveySymbol) -> bool:
    return bool(_EXPORT.match(symbol.signature))


def _go(analysis: Analysis) -> Iterator[Export]:
    for file in _code(analysis, {"go"}):
        if not _GO_COMMAND.search(analysis.texts.text(file.id)):
            yield from _own(analysis, file, lambda s: s.name[:1].isupper())


def _declared_public(analysis: Analysis) -> Iterator[Export]:
    for file in _code(analysis, {"java", "csharp", "kotlin"}):
        yield from _own(analysis, file, lambda s: bool(_PUBLIC.match(s.signature)))
    for file in _code(analysis, {"rust"}):
        yield from _own(analysis, file, lambda s: bool(_RUST_PUBLIC.match(s.signature)))


def _headers(analysis: Analysis) -> Iterator[Export]:
    """Yield what headers define or declare, the installed ones if those are known."""
    files = _code(analysis, {"c", "cpp"})
    headers = [f for f in files if f.name.rpartition(".")[2] in _HEADERS]
    installed = installed_headers(analysis)
    declared: dict[str, tuple[int, int]] = {}
    for file in installed or headers:
        yield from _own(analysis, file, _is_type)
        lines = analysis.texts.text(file.id).split("\n")
        for number, line in enumerate(lines, 1):
            for name in _DECLARED.findall(line) if len(line) <= _LONGEST_LINE else ():
                declared.setdefault(name, (file.id, number))
    for file in files:
        for symbol in analysis.symbols_of.get(file.id, ()):
            place = declared.get(symbol.name)
            is_ours = symbol.kind == "function" and not _STATIC.match(symbol.signature)
            if place and is_ours:
                yield Export(symbol, symbol.name, *place)


@cached_by_analysis
def installed_headers(analysis: Analysis) -> tuple[SurveyFile, ...]:
    """Return the headers that a build file installs, or an include directory holds."""
    names: set[str] = set()
    for file in analysis.with_role("build"):
        text = _CONTINUED.sub(" ", analysis.texts.text(file.id))
        for line in _INSTALLS.findall(text):
            names.update(_HEADER.findall(line))
    return tuple(
        file
        for file in _code(analysis, {"c", "cpp"})
        if file.name in names
        or (
            file.name.rpartition(".")[2] in _HEADERS
            and "include" in file.path.split("/")
        )
    )


def _code(analysis: Analysis, languages: set[str]) -> list[SurveyFile]:
    return [
        file
        for file in analysis.with_role("code")
        if file.language in languages and not _is_internal(file)
    ]


def _is_internal(file: SurveyFile) -> bool:
    """Return whether a directory's name says that its code is not for users."""
    directory = file.directory
    if file.language == "go":  # `doc` is a package like any other
        directory = "/".join(p for p in directory.split("/") if p != "doc")
    return bool(_INTERNAL.search(directory))


def _is_type(symbol: SurveySymbol) -> bool:
    return symbol.is_public and symbol.kind != "function"


def _own(
    analysis: Analysis, file: SurveyFile, is_public: Callable[[SurveySymbol], bool]
) -> Iterator[Export]:
    for symbol in analysis.symbols_of.get(file.id, ()):
        is_defined = symbol.kind in _DEFINITIONS and _is_top_level(analysis, symbol)
        if is_defined and is_public(symbol):
            yield Export(symbol, symbol.name, file.id, symbol.start_line)


def _is_top_level(analysis: Analysis, symbol: SurveySymbol) -> bool:
    parent = analysis.symbols.get(symbol.parent or 0)
    return parent is None or parent.kind in {"module", "namespace"}


def public_members(
    analysis: Analysis, exports: Iterable[Export]
) -> Iterator[SurveySymbol]:
    """Yield the exported definitions and the methods of theirs that users may call."""
    for export in exports:
        yield export.symbol
        for symbol in analysis.members_of.get(export.symbol.id, ()):
            if symbol.kind == "method" and _is_callable(analysis, symbol):
                yield symbol


def _is_callable(analysis: Analysis, method: SurveySymbol) -> bool:
    """Return whether users may call a method; those of a Rust trait bear no mark."""
    around = analysis.symbols.get(method.parent or 0)
    is_of_trait = (
        around is not None
        and around.kind == "extension"
        and " for " in around.signature
    )
    return is_of_trait or is_exposed(analysis, method)

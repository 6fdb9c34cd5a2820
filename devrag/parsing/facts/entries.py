"""Entry points: the `main` of compiled languages, scripts, what a web server calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.paths import file_name, folders, stem
from devrag.parsing.types import FactFacts

# Rust begins files with `#![…]`.
_SHEBANG = re.compile(r"#!\s*/\S")
# Where PHP's frameworks keep what the web server may see.
_SERVED = frozenset({"public", "web", "www", "htdocs", "public_html"})
_LOADS = re.compile(r"\b(?:require|include)(?:_once)?\b")
_APPS = frozenset({"App", "scala.App", "IOApp", "ZIOAppDefault"})


def entry_points(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the functions or types that a program begins with."""
    is_main = _MAINS.get(analysis.language)
    for definition in analysis.definitions if is_main else ():
        if is_main and is_main(analysis, definition):
            data = {
                "type": "main",
                "command": _command(analysis),
                "function": definition.qualified_name,
            }
            name = _program(analysis, definition)
            lines = definition.start_line, definition.end_line
            yield FactFacts("entry_point", name, *lines, data)


def _command(analysis: CodeAnalysis) -> str:
    """Return what starts it, where the path alone tells."""
    path = analysis.source.path
    if analysis.language == "go":
        return f"go run ./{'/'.join(folders(path))}".rstrip("/")
    if analysis.language == "rust" and "/bin/" in path:
        return f"cargo run --bin {stem(path)}"
    return ""


def _program(analysis: CodeAnalysis, definition: Definition) -> str:
    """Return the program's name: the folder's in Go, else the file's or the type's."""
    above = folders(analysis.source.path)
    if analysis.language == "go":
        return above[-1] if above else stem(analysis.source.path)
    if definition.type_name:
        return definition.type_name
    return stem(analysis.source.path)


def _go(analysis: CodeAnalysis, definition: Definition) -> bool:
    packages = analysis.captures.get("package", ())
    is_program = any(node_text(analysis.source, p) == "main" for p in packages)
    return is_program and definition.qualified_name == "main" and _is_run(definition)


def _is_run(definition: Definition) -> bool:
    return definition.kind == "function" and definition.about.body is not None


def _top_main(analysis: CodeAnalysis, definition: Definition) -> bool:
    is_build = file_name(analysis.source.path) == "build.rs"
    is_main = definition.qualified_name == "main" and _is_run(definition)
    return is_main and not is_build and not _is_conditional(definition)


def _is_conditional(definition: Definition) -> bool:
    """Return whether C's preprocessor may leave it out: mostly a library's own test."""
    above = definition.about.outer.parent
    return above is not None and above.type.startswith("preproc_if")


def _java(_analysis: CodeAnalysis, definition: Definition) -> bool:
    types = [parameter.type for parameter in definition.about.parameters]
    return (
        definition.kind == "method"
        and definition.about.name == "main"
        and {"public", "static"}.issubset(definition.about.modifiers)
        and types in (["String[]"], ["String..."])
    )


def _kotlin(analysis: CodeAnalysis, definition: Definition) -> bool:
    is_static = definition.about.name == "main" and any(
        mark.name == "JvmStatic" for mark in marks_of(definition)
    )
    return is_static or _top_main(analysis, definition)


def _csharp(_analysis: CodeAnalysis, definition: Definition) -> bool:
    about = definition.about
    is_main = about.name == "Main" and "static" in about.modifiers
    types = [parameter.type for parameter in about.parameters]
    return is_main and definition.kind == "method" and types in ([], ["string[]"])


def _scala(_analysis: CodeAnalysis, definition: Definition) -> bool:
    about = definition.about
    types = [parameter.type for parameter in about.parameters]
    if any(mark.name == "main" for mark in marks_of(definition)):
        return definition.kind == "function"
    if definition.kind == "method":
        is_object = definition.parent is not None and (
            definition.parent.about.signature.startswith("object ")
            or " object " in definition.parent.about.signature
        )
        return is_object and about.name == "main" and types == ["Array[String]"]
    names = {name for name, _ in about.bases}
    return "object " in about.signature and not _APPS.isdisjoint(names)


def _swift(_analysis: CodeAnalysis, definition: Definition) -> bool:
    is_type = definition.kind in {"class", "enum"}
    return is_type and any(mark.name == "main" for mark in marks_of(definition))


_MAINS: dict[str, Callable[[CodeAnalysis, Definition], bool]] = {
    "go": _go,
    "rust": _top_main,
    "c": _top_main,
    "c++": _top_main,
    "java": _java,
    "kotlin": _kotlin,
    "csharp": _csharp,
    "scala": _scala,
    "swift": _swift,
}


def script(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a file whose first line says what runs it, unless it is of CI."""
    source = analysis.source
    match = _SHEBANG.match(source.text)
    is_tooling = any(name.startswith(".") for name in folders(source.path))
    if match and not is_tooling:
        data = {"type": "script", "command": source.path}
        lines = 1, max(len(source.lines), 1)
        yield FactFacts("entry_point", stem(source.path), *lines, data)


def front_controller(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield PHP's `index.php` where web servers look for it, when it loads the rest."""
    source = analysis.source
    above = folders(source.path)
    is_served = file_name(source.path) == "index.php" and (
        not above or above[-1] in _SERVED
    )
    if is_served and _LOADS.search(source.text):
        lines = 1, max(len(source.lines), 1)
        yield FactFacts("entry_point", source.path, *lines, {"type": "web"})

"""Whether a product is a library, an application, or both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.exports import exports_of, installed_headers
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol

# Names that are called, accessed or extended, and those that are imported.
_USED = re.compile(r"\b([^\W\d]\w{2,}+)\s*+(?=[(.<{]|::)")
_IMPORT = re.compile(r"^\s*(?:import|from|using|use|#include|const .*require)\b(.*)$")
_WORD = re.compile(r"[^\W\d]\w{2,}")
_SHELLS = {"sh", "bash", "shell", "console", "zsh", "powershell", "cmd", "bat", "text"}
# Where `main` depends on the platform, it may lead to one of these.
_MAIN = ("main", "umain", "real_main", "cmd_main")
_MAIN_LANGUAGES = {"c", "cpp", "go", "rust", "zig", "kotlin", "swift"}
_LEAST_EXPORTS = 3
_LEAST_SHOWN = 3
_ASIDE = re.compile(
    r"^(scripts?|tools?|build|ci|hack|utils?|contrib|packaging|metrics|site|perf|e2e\w*"
    r"|\.\w+)/"
    r"|(^|/)(docs?([-_.]\w+)*|websites?|samples?|examples?|demos?|bench(marks?)?"
    r"|performance|[\w.]+\.(Website|Benchmarks?|Docs\w*|Samples?))/"
    r"|^[\w.-]+\.(sh|bash|ps1|bat)$|Benchmark\w*\.\w+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ProductForm:
    """is_library: other code imports it. is_application: people start it."""

    is_library: bool
    is_application: bool


@cached_by_analysis
def form_of(analysis: Analysis) -> ProductForm:
    """Return what a product is, by what is exported, started and shown in documents.

    What is started only becomes a library when its documents show code that uses
    several of its exports.
    """
    names = {export.name for export in exports_of(analysis)}
    is_application = bool(main_functions(analysis)) or any(
        True for _ in started(analysis)
    )
    shown = sum(1 for name in names if mentions_in_code(analysis)[name])
    is_shown = shown >= _LEAST_SHOWN or bool(installed_headers(analysis))
    is_library = len(names) >= _LEAST_EXPORTS and (is_shown or not is_application)
    return ProductForm(is_library, is_application)


def main_functions(analysis: Analysis) -> list[SurveySymbol]:
    """Return the functions by which programs begin, those for development aside."""
    return [
        symbol
        for name in _MAIN
        for symbol in analysis.symbols_named.get(name, ())
        if symbol.kind == "function"
        and analysis.roles[symbol.file] == "code"
        and not is_aside(analysis.files[symbol.file].path)
        and analysis.files[symbol.file].language in _MAIN_LANGUAGES
    ]


def started(analysis: Analysis) -> Iterator[SurveyFact]:
    """Yield what people start or ask, scripts for development aside."""
    for fact in analysis.entry_points:
        if not is_aside(analysis.files[fact.file].path):
            yield fact


def is_aside(path: str) -> bool:
    """Return whether a file is for development only, by its directory."""
    return bool(_ASIDE.search(path))


@cached_by_analysis
def mentions_in_code(analysis: Analysis) -> Counter[str]:
    """Return word → in how many examples of the documents it is used."""
    found: Counter[str] = Counter()
    for file in analysis.with_role("doc"):
        for section in analysis.sections(file):
            for block in section.blocks:
                is_code = block.kind == "code" and block.language not in _SHELLS
                if is_code:
                    found.update(_used_in(block.text))
    return found


def _used_in(code: str) -> set[str]:
    imported = (_IMPORT.match(line) for line in code.split("\n"))
    words = {w for line in imported if line for w in _WORD.findall(line.group(1))}
    return words | set(_USED.findall(code))

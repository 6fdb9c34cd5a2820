"""Which definitions their users may call, as each language marks it."""

from __future__ import annotations

import re

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.script_exports import SCRIPTS, is_exported, is_private
from devrag.wiki.analysis.survey import SurveySymbol

_HIDDEN = {
    "c": re.compile(r"^\s*(static|#define)\b"),
    "cpp": re.compile(r"^\s*(static|#define|private)\b"),
    "java": re.compile(r"^\s*(?:@\w+\s+)*(?:\w+\s+)*?private\b"),
    "csharp": re.compile(r"^\s*(?:\[[^\]]*\]\s*)*(?:\w+\s+)*?(private|internal)\b"),
    "kotlin": re.compile(r"^\s*(?:\w+\s+)*?(private|internal)\b"),
    "typescript": re.compile(r"^\s*(?:\w+\s+)*?(private|protected)\b|^#"),
    "php": re.compile(r"^\s*(?:\w+\s+)*?(private|protected)\b"),
}
_SHOWN = {"rust": re.compile(r"^\s*(?:#\[[^\]]*\]\s*)*pub\b")}


def is_exposed(analysis: Analysis, symbol: SurveySymbol) -> bool:
    """Return whether a definition is there for others than its own file or class."""
    parent = analysis.symbols.get(symbol.parent or 0)
    if parent is not None and parent.kind in {"function", "method"}:
        return False
    if not symbol.is_public:
        return False
    language = analysis.files[symbol.file].language
    if language == "go":
        return symbol.name[:1].isupper()
    if language in SCRIPTS and (
        is_private(symbol) or not is_exported(analysis, symbol)
    ):
        return False
    signature = symbol.signature
    if language in _SHOWN:
        is_of_trait = parent is not None and parent.kind == "interface"
        return is_of_trait or bool(_SHOWN[language].match(signature))
    hidden = _HIDDEN.get(language)
    return hidden is None or not hidden.match(signature)

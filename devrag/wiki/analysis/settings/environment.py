"""Variables of the environment: those that facts have, and those read by helpers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.contracts.arguments import arguments_of, literal
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.settings.types import Lines, Setting
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile

_READER = re.compile(r"(^|[._])(get_?)?env(iron\w*)?($|[._(])|_env$|^env_", re.I)
_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$")
_SHOWN = re.compile(r"[^\n]{1,60}")


def environment_of(analysis: Analysis) -> list[Setting]:
    """Return each variable once, where most is told of it, by name."""
    found: dict[str, Setting] = {}
    for setting in (*_facts(analysis), *_by_helpers(analysis)):
        known = found.get(setting.name)
        if known is None or _telling(setting) > _telling(known):
            found[setting.name] = setting
    return sorted(found.values(), key=lambda s: s.name)


def _telling(setting: Setting) -> tuple[bool, bool]:
    return bool(setting.meaning), bool(setting.default)


def _facts(analysis: Analysis) -> Iterator[Setting]:
    facts = [f for f in analysis.facts("setting") if _is_of_product(analysis, f.file)]
    read = [fact for fact in facts if not fact.data.get("set_in")]
    for fact in read or facts:
        yield Setting(
            fact.name,
            Lines(fact.file, fact.start_line, fact.end_line),
            _default(fact),
            str(fact.data.get("help") or fact.data.get("comment") or ""),
        )


def _is_of_product(analysis: Analysis, file: int) -> bool:
    return not is_aside(analysis.files[file].path)


def _default(fact: SurveyFact) -> str:
    default = str(fact.data.get("default") or "").replace("`", "")
    return default if _SHOWN.fullmatch(default) else ""


def _by_helpers(analysis: Analysis) -> Iterator[Setting]:
    """Yield variables that a function of the product is given: `from_env("PORT")`."""
    lines: dict[int, list[str]] = {}
    for reference in analysis.survey.references:
        file = analysis.files[reference.file]
        is_asked = reference.kind == "call" and _READER.search(reference.name)
        if not is_asked or not _is_code(analysis, file):
            continue
        if file.id not in lines:
            lines[file.id] = analysis.texts.text(file.id).split("\n")
        arguments = arguments_of(lines[file.id], reference.line, reference.name)
        name = (literal(arguments[0]) if arguments else None) or ""
        if _VARIABLE.match(name):
            yield Setting(name, Lines(file.id, reference.line, reference.line))


def _is_code(analysis: Analysis, file: SurveyFile) -> bool:
    return analysis.roles[file.id] == "code" and not is_aside(file.path)

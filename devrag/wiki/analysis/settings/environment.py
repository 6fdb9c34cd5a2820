"""Variables of the environment: those that facts have, and those read by helpers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.contracts.arguments import arguments_of, literal
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.purposes import Purpose, comment_above
from devrag.wiki.analysis.settings.types import Lines, Setting
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile

_READER = re.compile(r"(^|[._])(get_?)?env(iron\w*)?($|[._(])|_env$|^env_", re.I)
_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$")
_WORDS = re.compile(r"[a-z]{3,}")
_SHOWN = re.compile(r"[^\n]{1,60}")


def environment_of(analysis: Analysis) -> list[Setting]:
    """Return each variable once, by name: where it is read, with all that is told."""
    found: dict[str, Setting] = {}
    for setting in (*_facts(analysis), *_by_helpers(analysis)):
        known = found.get(setting.name)
        found[setting.name] = _joined(known, setting) if known else setting
    return sorted(found.values(), key=lambda s: s.name)


def _joined(one: Setting, other: Setting) -> Setting:
    """Return what two places tell of a variable; where it is read counts most."""
    first, second = (other, one) if one.is_set and not other.is_set else (one, other)
    meaning_at = first.meaning_at
    if not first.meaning and second.meaning:
        meaning_at = second.meaning_at or second.place
    return replace(
        first,
        default=first.default or second.default,
        meaning=first.meaning or second.meaning,
        meaning_at=meaning_at,
    )


def _facts(analysis: Analysis) -> Iterator[Setting]:
    for fact in analysis.facts("setting"):
        is_option = fact.name.startswith("-")
        if is_option or not _is_of_product(analysis, fact.file):
            continue
        said = str(fact.data.get("help") or fact.data.get("comment") or "")
        above = None if said else _comment_above(analysis, fact)
        yield Setting(
            fact.name,
            Lines(fact.file, fact.start_line, fact.end_line),
            _default(fact),
            said or (above.text if above else ""),
            Lines(fact.file, above.start_line, above.end_line) if above else None,
            is_set=bool(fact.data.get("set_in")),
        )


def _comment_above(analysis: Analysis, fact: SurveyFact) -> Purpose | None:
    """Return the comment right above, if a word of it and of the name begin alike.

    Another may be about all that follows.
    """
    lines = analysis.lines.of(fact.file)
    above = comment_above(lines, fact.start_line)
    if above is None:
        return None
    own = _WORDS.findall(fact.name.lower())
    words = _WORDS.findall(above.text.lower())
    is_meant = any(a.startswith(b) or b.startswith(a) for a in own for b in words)
    return above if is_meant else None


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

"""Options of command lines: declared with a library, or explained in a help text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.contracts.arguments import arguments_of, literal
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.settings.constants import constant_in
from devrag.wiki.analysis.settings.documented import options_in_help
from devrag.wiki.analysis.settings.types import Lines, Setting, SettingGroup
from devrag.wiki.analysis.survey import SurveyFile, SurveyReference

_DECLARES = re.compile(
    r"(^|\.)(add_argument|option|Option|addOption|add_option|requiredOption)$"
)
_LIBRARIES = {
    "python": re.compile(r"^(argparse|click|typer|optparse|cyclopts)\b"),
    "javascript": re.compile(r"commander|yargs|cac|sade|meow"),
    "typescript": re.compile(r"commander|yargs|cac|sade|meow"),
}
_LONG = re.compile(r"--[A-Za-z][\w-]*")
_KEYWORD = re.compile(r"^(help|default|description)\s*[=:]\s*(.+)$", re.DOTALL)
_PIECES = re.compile(r"[rbuf]?(\"\"\"|\"|''')(.*?)\1|[rbuf]?'((?:[^'\\]|\\.)*)'", re.S)
_HELP_FILE = re.compile(r"\busage\b|--help", re.IGNORECASE)
_FEWEST_IN_HELP = 3
_SHOWN = 60
_NO_DEFAULT = {"None", "False", "undefined", "null", "", "..."}


def options_of(analysis: Analysis) -> list[SettingGroup]:
    """Return the options by the command or function that declares them."""
    declared = _declared(analysis)
    names = {s.name for settings in declared.values() for s in settings}
    groups = [
        SettingGroup("", title, _once(settings)) for title, settings in declared.items()
    ]
    for file in _help_files(analysis):
        lines = analysis.texts.text(file.id).split("\n")
        found = _once(options_in_help(file.id, lines, 1))
        own = tuple(each for each in found if each.name not in names)
        if len(own) >= _FEWEST_IN_HELP:
            groups.append(SettingGroup("", "", own))
    return groups


def _once(settings: Sequence[Setting] | Iterator[Setting]) -> tuple[Setting, ...]:
    found: dict[str, Setting] = {}
    for setting in settings:
        found.setdefault(setting.name, setting)
    return tuple(found.values())


def _code(analysis: Analysis) -> list[SurveyFile]:
    return [f for f in analysis.with_role("code") if not is_aside(f.path)]


def _help_files(analysis: Analysis) -> list[SurveyFile]:
    return [
        file
        for file in _code(analysis)
        if _HELP_FILE.search(analysis.texts.text(file.id))
    ]


def _declared(analysis: Analysis) -> dict[str, list[Setting]]:
    """Return title → the options that calls and decorators declare."""
    commands = _command_lines(analysis)
    found: dict[str, list[Setting]] = defaultdict(list)
    code = {file.id for file in _code(analysis) if _has_library(analysis, file)}
    lines: dict[int, list[str]] = {}
    for reference in analysis.survey.references:
        is_declaring = reference.kind in {"call", "decorator"} and _DECLARES.search(
            reference.name
        )
        if not is_declaring or reference.file not in code:
            continue
        if reference.file not in lines:
            lines[reference.file] = analysis.texts.text(reference.file).split("\n")
        setting = _option(lines[reference.file], reference)
        if setting is not None:
            found[_title(analysis, reference, commands)].append(setting)
    return found


def _has_library(analysis: Analysis, file: SurveyFile) -> bool:
    form = _LIBRARIES.get(file.language)
    names = analysis.import_lines.get(file.id, ())
    return form is not None and any(form.search(name) for name, _ in names)


def _command_lines(analysis: Analysis) -> dict[int, list[tuple[int, int, str]]]:
    """Return file → (first, last line, name) of the commands that it declares."""
    found: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for fact in analysis.facts("command"):
        found[fact.file].append((fact.start_line, fact.end_line, fact.name))
    return found


def _title(
    analysis: Analysis,
    reference: SurveyReference,
    commands: dict[int, list[tuple[int, int, str]]],
) -> str:
    """Return the only command declared in the same function, '' for shared ones."""
    symbol = analysis.symbols.get(reference.symbol or 0)
    if symbol is None:
        return ""
    start, end = symbol.start_line, symbol.end_line
    inside = [
        name
        for first, last, name in commands.get(reference.file, ())
        if start <= last and first <= end
    ]
    return inside[0] if len(inside) == 1 else ""


def _option(lines: list[str], reference: SurveyReference) -> Setting | None:
    arguments = arguments_of(lines, reference.line, reference.name)
    literals = [text for a in arguments if (text := literal(a)) is not None]
    names = [name for text in literals for name in _LONG.findall(text)]
    if not names:
        return None
    keywords = {m.group(1): m.group(2) for a in arguments if (m := _KEYWORD.match(a))}
    meaning = _joined(keywords.get("help") or keywords.get("description") or "")
    if not meaning:
        meaning = next((t for t in literals if " " in t and "--" not in t), "")
    default, default_at = _default(lines, reference.file, keywords.get("default", ""))
    end = reference.line + sum(a.count("\n") + 1 for a in arguments)
    place = Lines(reference.file, reference.line, min(end, len(lines)))
    return Setting(names[0], place, default, meaning, default_at=default_at)


def _default(lines: list[str], file: int, given: str) -> tuple[str, Lines | None]:
    """Return what to show as a default, and where a constant that is given is set."""
    constant = constant_in(lines, given.strip())
    value = constant[0] if constant else given.strip("\"'` ")
    if len(value) > _SHOWN or value in _NO_DEFAULT:
        return "", None
    return value, Lines(file, constant[1], constant[1]) if constant else None


def _joined(argument: str) -> str:
    """Return the text of strings that stand beside each other."""
    pieces = (m.group(2) or m.group(3) or "" for m in _PIECES.finditer(argument))
    return " ".join("".join(pieces).replace("\\n", " ").split())

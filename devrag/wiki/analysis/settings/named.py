"""Settings that code keeps by name: `app.set('view engine', …)`, `app.enabled(…)`.

What sets and reads them are functions of the product that take a `setting`. A name
counts that the product itself sets, or asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.conditions import CASE, condition_of
from devrag.wiki.analysis.contracts.arguments import arguments_of, literal
from devrag.wiki.analysis.product_form import is_aside
from devrag.wiki.analysis.settings.types import Lines, Setting
from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol

_TAKES = re.compile(
    r"\(\s*(?:(?:self|this|&self|&mut self)\s*,\s*)?"
    r"(?:setting|option|pref|preference|config)(?:_?(?:name|key))?\s*[,):=?]",
    re.IGNORECASE,
)
# What sets a setting: to which value, '' where that is the second argument.
_SETS = {
    **dict.fromkeys(
        ("set", "set_option", "setOption", "set_setting", "setSetting"), ""
    ),
    "enable": "true",
    "disable": "false",
}
_READS = {"get", "enabled", "disabled", "isEnabled", "is_enabled", "has"}
_SWITCHES = _READS - {"get", "has"}
_VARIABLE = re.compile(r"^[a-z_$][\w$]*$")
_CONSTANTS = {"true", "false", "null", "undefined", "nil", "None"}
_CALL = re.compile(
    r"(?P<holder>(?:[A-Za-z_$][\w$]*(?:\(\))?[.])+)(?P<name>[A-Za-z_]\w*)\(\s*[\"']"
)
_COMPARED = re.compile(
    r"(?:\bcase\s+|===?\s*)(?P<quote>[\"'])(?P<name>[^\"']+)(?P=quote)"
)
_NAME = re.compile(r"^[A-Za-z][\w .:/-]{1,40}$")
_OWN = {"this", "self"}
_COMMENT = re.compile(r"^\s*(?://|/?\*|#)")
_DERIVED = "\0"  # before the name of what an accessor sets
_LONGEST = 60
_ABOVE = 30  # lines
_WITH_VALUE = 2  # arguments
_FEWEST_ACCESSORS, _FEWEST = 2, 2


@dataclass(frozen=True, slots=True)
class _Accessors:
    """The functions by which settings are kept: their file, object and names."""

    file: int
    holder: str
    symbols: tuple[SurveySymbol, ...]

    @property
    def names(self) -> set[str]:
        return {symbol.name for symbol in self.symbols}


def named_settings(analysis: Analysis) -> list[Setting]:
    """Return the settings by name, each where it is set, else where it is read."""
    code = [f for f in analysis.with_role("code") if not is_aside(f.path)]
    found: dict[str, Setting] = {}
    for accessors in _accessors(analysis, code):
        for file in code:
            for setting in _in_file(analysis, file, accessors):
                known = found.get(setting.name)
                found[setting.name] = _joined(known, setting) if known else setting
        for name, place in _compared(analysis, accessors):
            if known := found.get(name):
                found[name] = replace(
                    known,
                    read_at=(*known.read_at, place),
                    compared_at=(*known.compared_at, place),
                )
    # What the accessors themselves set is derived from another setting.
    for name in [n for n in found if n.startswith(_DERIVED)]:
        derived = found.pop(name)
        made = found.pop(name.removeprefix(_DERIVED), None)
        source = found.get(_source_of(analysis, derived))
        if source is not None and made is not None:
            found[source.name] = _kept_as(source, made, derived.place)
    enough = len(found) >= _FEWEST
    return sorted(found.values(), key=lambda s: s.name) if enough else []


def _source_of(analysis: Analysis, derived: Setting) -> str:
    """Return the name of the setting in whose case another is set, '' without one."""
    lines = analysis.lines.of(derived.place.file)
    around = condition_of(lines, derived.place.start, 0)
    whole = around.whole if around is not None else ()
    cases = [c.text for c in whole if c.kind == CASE]
    return (literal(cases[-1]) or "") if cases else ""


def _kept_as(source: Setting, made: Setting, place: Lines) -> Setting:
    """Return a setting with those who read what is made of it."""
    rest = tuple(each for each in source.read_at if each not in source.compared_at)
    return replace(
        source, read_at=rest + made.read_at, kept_as=made.name, kept_at=place
    )


def setting_functions(analysis: Analysis) -> list[SurveySymbol]:
    """Return the functions by which named settings are set and asked for."""
    code = [f for f in analysis.with_role("code") if not is_aside(f.path)]
    return [s for each in _accessors(analysis, code) for s in each.symbols]


def _joined(known: Setting, other: Setting) -> Setting:
    """Return what two places tell of a setting: where it is set, and who reads it."""
    first = other if other.is_set and not known.is_set else known
    asked = [each.is_switch for each in (known, other) if each.read_at]
    return replace(
        first,
        read_at=known.read_at + other.read_at,
        is_switch=bool(asked) and all(asked),
    )


def _accessors(analysis: Analysis, code: Sequence[SurveyFile]) -> Iterator[_Accessors]:
    """Yield the objects that keep settings: some functions of theirs take one."""
    for file in code:
        held: dict[str, list[SurveySymbol]] = {}
        for symbol in analysis.symbols_of.get(file.id, ()):
            is_function = symbol.kind in {"function", "method"}
            if is_function and _TAKES.search(" ".join(symbol.signature.split())):
                holder = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
                held.setdefault(holder, []).append(symbol)
        for holder, symbols in held.items():
            names = {symbol.name for symbol in symbols}
            is_set = bool(names & _SETS.keys())
            if holder and is_set and len(names) >= _FEWEST_ACCESSORS:
                yield _Accessors(file.id, holder, tuple(symbols))


def _in_file(
    analysis: Analysis, file: SurveyFile, accessors: _Accessors
) -> Iterator[Setting]:
    """Yield the settings that the calls in a file name."""
    is_home = file.id == accessors.file
    inside = [(s.start_line, s.end_line) for s in accessors.symbols] if is_home else []
    lines = analysis.lines.of(file.id)
    for number, line in enumerate(lines, 1):
        if _COMMENT.match(line):
            continue
        for match in _CALL.finditer(line):
            name = match["name"]
            if name not in accessors.names | _READS or not _is_holder(
                match["holder"], accessors, is_home=is_home
            ):
                continue
            setting = _setting(file, lines, number, name)
            if setting is not None:
                is_derived = any(start <= number <= end for start, end in inside)
                yield (
                    replace(setting, name=_DERIVED + setting.name)
                    if is_derived
                    else (setting)
                )


def _compared(analysis: Analysis, accessors: _Accessors) -> Iterator[tuple[str, Lines]]:
    """Yield the settings that an accessor itself treats in a way of their own."""
    lines = analysis.lines.of(accessors.file)
    for symbol in accessors.symbols:
        for number in range(symbol.start_line, min(symbol.end_line, len(lines)) + 1):
            if match := _COMPARED.search(lines[number - 1]):
                yield match["name"], Lines(accessors.file, number, number)


def _is_holder(text: str, accessors: _Accessors, *, is_home: bool) -> bool:
    """Return whether an object is that which keeps the settings."""
    last = text.rstrip(".").rpartition(".")[2].removesuffix("()")
    is_own = is_home and text.rstrip(".") in _OWN
    return is_own or last.lower() == accessors.holder.lower()


def _setting(
    file: SurveyFile, lines: Sequence[str], number: int, name: str
) -> Setting | None:
    arguments = arguments_of(lines, number, name)
    key = (literal(arguments[0]) if arguments else None) or ""
    if not _NAME.match(key):
        return None
    place = Lines(file.id, number, number)
    value = _SETS.get(name)
    if value is None or (not value and len(arguments) < _WITH_VALUE):
        return Setting(key, place, read_at=(place,), is_switch=name in _SWITCHES)
    given = " ".join((value or arguments[1]).split())
    shown, at = _value(lines, number, given)
    default_at = Lines(file.id, at, at) if at != number else None
    return Setting(key, place, shown, default_at=default_at, is_set=True)


def _value(lines: Sequence[str], number: int, given: str) -> tuple[str, int]:
    """Return a value to show with its line: of a variable what it was given above."""
    if _VARIABLE.match(given) and given not in _CONSTANTS:
        form = re.compile(rf"(?<![\w.]){re.escape(given)}\s*:?=(?!=)\s*(.+?);?\s*$")
        for line in range(number - 1, max(0, number - _ABOVE), -1):
            if match := form.search(lines[line - 1]):
                return _shown(match[1]), line
    return _shown(given), number


def _shown(value: str) -> str:
    is_fit = len(value) <= _LONGEST and "`" not in value
    return value if is_fit and value.count("(") == value.count(")") else ""

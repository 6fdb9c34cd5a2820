"""Classes that hold settings: their fields with defaults and what is said of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.declarations import declaration_of
from devrag.wiki.analysis.docstrings import descriptions_of
from devrag.wiki.analysis.fields import fields_of
from devrag.wiki.analysis.product_form import is_aside, mentions_in_code
from devrag.wiki.analysis.settings.types import Lines, Setting, SettingGroup
from devrag.wiki.analysis.survey import SurveySymbol

_HOLDS = re.compile(r"(Config|Configuration|Settings?|Options|Preferences|Props)$")
_NOT_HELD = re.compile(r"^(SettingsConfigDict|ConfigDict|.*(Error|Exception|Test)$)")
_KINDS = {"class", "interface", "type"}
_FEWEST, _MOST_CLASSES = 2, 16
_SHOWN = 60
_DECLARED = {"typescript", "tsx", "go", "rust"}  # whose fields stand a line each


def classes_of(analysis: Analysis, kind: str) -> list[SettingGroup]:
    """Return the classes with settings, those that examples use most first."""
    shown, rank = mentions_in_code(analysis), analysis.symbol_rank
    held = [s for s in analysis.survey.symbols if _is_holder(analysis, s)]
    held.sort(key=lambda s: (-shown[s.name], -rank[s.id], s.id))
    groups: dict[str, SettingGroup] = {}
    for symbol in held:
        settings = tuple(_fields(analysis, symbol))
        is_told = sum(bool(s.meaning or s.default) for s in settings) >= _FEWEST
        if is_told and symbol.name not in groups:
            groups[symbol.name] = SettingGroup(kind, symbol.name, settings, symbol)
        if len(groups) == _MOST_CLASSES:
            break
    return list(groups.values())


def _is_holder(analysis: Analysis, symbol: SurveySymbol) -> bool:
    file = analysis.files[symbol.file]
    is_named = _HOLDS.search(symbol.name) and not _NOT_HELD.match(symbol.name)
    is_code = analysis.roles[file.id] == "code" and not is_aside(file.path)
    is_enum = "Enum" in symbol.signature or "Exception" in symbol.signature
    return bool(is_named) and is_code and symbol.kind in _KINDS and not is_enum


def _fields(analysis: Analysis, symbol: SurveySymbol) -> Iterator[Setting]:
    language = analysis.files[symbol.file].language
    if language == "python":
        return _python(analysis, symbol)
    if language in _DECLARED:
        return _declared(analysis, symbol)
    return _members(analysis, symbol)


def _python(analysis: Analysis, symbol: SurveySymbol) -> Iterator[Setting]:
    lines = analysis.lines.of(symbol.file)
    body = _class_body(lines, symbol)
    named = [n for n in body if isinstance(n, ast.AnnAssign | ast.Assign)]
    names = [name for node in named if (name := _target(node))]
    said = descriptions_of(symbol.docstring, names)
    whole = Lines(symbol.file, *declaration_of(symbol, lines).whole)
    for node, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign | ast.Assign):
            continue
        name = _target(node)
        if not name or name.startswith("_") or name in {"model_config", "Meta"}:
            continue
        default, described = _default(node.value)
        first = symbol.start_line - 1 + node.lineno
        last = symbol.start_line - 1 + (node.end_lineno or node.lineno)
        below = _string_of(following)
        meaning = described or said.get(name, "") or below
        is_above = meaning and not described and name in said
        last += below.count("\n") + 1 if below and not described else 0
        place = Lines(symbol.file, first, last)
        yield Setting(name, place, default, meaning, whole if is_above else None)


def _class_body(lines: list[str], symbol: SurveySymbol) -> list[ast.stmt]:
    own = lines[symbol.start_line - 1 : symbol.end_line]
    width = len(own[0]) - len(own[0].lstrip()) if own else 0
    text = "\n".join(line[width:] for line in own)
    try:
        found = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return []
    return found[0].body if found and isinstance(found[0], ast.ClassDef) else []


def _target(node: ast.AnnAssign | ast.Assign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _default(value: ast.expr | None) -> tuple[str, str]:
    """Return a field's default and its description, each '' where there is none."""
    if value is None:
        return "", ""
    if not isinstance(value, ast.Call):
        return _shown(value), ""
    given = {k.arg: k.value for k in value.keywords if k.arg}
    name = value.func.attr if isinstance(value.func, ast.Attribute) else ""
    name = value.func.id if isinstance(value.func, ast.Name) else name
    if name.lower() not in {"field", "attrib", "ib"}:
        return _shown(value), ""
    default = given.get("default", value.args[0] if value.args else None)
    factory = given.get("default_factory")
    text = _shown(default) if default is not None else ""
    if not text and factory is not None:
        text = f"{_shown(factory)}()" if not isinstance(factory, ast.Lambda) else ""
    described = given.get("description") or given.get("title")
    return text, _text(described)


def _shown(value: ast.expr) -> str:
    if isinstance(value, ast.Constant) and value.value is ...:
        return ""
    text = ast.unparse(value).replace("`", "")
    return text if len(text) <= _SHOWN and "\n" not in text else ""


def _text(value: ast.expr | None) -> str:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return ""


def _string_of(node: ast.stmt | None) -> str:
    return _text(node.value) if isinstance(node, ast.Expr) else ""


def _declared(analysis: Analysis, symbol: SurveySymbol) -> Iterator[Setting]:
    lines = analysis.lines.of(symbol.file)
    seen: set[str] = set()
    for field in fields_of(analysis, symbol, lines):
        if field.name not in seen:
            seen.add(field.name)
            place = Lines(symbol.file, field.start_line, field.end_line)
            yield Setting(field.name, place, field.default, field.text)


def _members(analysis: Analysis, symbol: SurveySymbol) -> Iterator[Setting]:
    """Yield properties and fields; an inherited description is that of its name."""
    for member in analysis.members_of.get(symbol.id, ()):
        if member.kind not in {"variable", "property", "field"} or not member.is_public:
            continue
        _, equals, default = member.signature.partition(" = ")
        default = " ".join(default.rstrip(";").replace("`", "").split())
        words = member if member.docstring else _namesake(analysis, member)
        place = _place(analysis, member)
        said_at = None
        if words is not member and words is not None:
            said_at = _place(analysis, words)
        yield Setting(
            member.name,
            place,
            default if equals and len(default) <= _SHOWN else "",
            words.docstring if words else "",
            said_at,
        )


def _place(analysis: Analysis, member: SurveySymbol) -> Lines:
    """Return the lines of a member and of its description."""
    lines = analysis.lines.of(member.file)
    return Lines(member.file, *declaration_of(member, lines).whole)


def _namesake(analysis: Analysis, member: SurveySymbol) -> SurveySymbol | None:
    """Return the documented member of an interface or base with the same name."""
    named = analysis.symbols_named.get(member.name, ())
    found = [s for s in named if s.docstring and s.kind == member.kind]
    held = [s for s in found if _HOLDS.search(s.qualified_name.rpartition(".")[0])]
    return held[0] if held else None

"""The columns of a CREATE TABLE statement, whatever its dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = r'(?:"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[\w$#]+)'
_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^'\\]|\\.|'')*+(?:'|\Z)|\"[^\"]*+(?:\"|\Z)"
    r"|`[^`]*+(?:`|\Z)|(?P<mark>[(),])",
    re.DOTALL,
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_COLUMN = re.compile(rf"(?P<name>{_PART})\s+(?P<rest>.+)", re.DOTALL)
_CONSTRAINT = re.compile(
    r"(?:CONSTRAINT|PRIMARY\s+KEY|FOREIGN\s+KEY|UNIQUE|CHECK|EXCLUDE|LIKE|FULLTEXT"
    r"|SPATIAL|PERIOD\s+FOR)\b|(?:KEY|INDEX)\s+(?!(?:var)?char|text|int|bigint|uuid"
    r"|json|bytea|blob|bool|serial|numeric|timestamp)",
    re.IGNORECASE,
)
# Where the type of a column ends.
_BEHIND_TYPE = re.compile(
    r"\b(?:NOT|NULL|DEFAULT|PRIMARY|UNIQUE|REFERENCES|CHECK|CONSTRAINT|COLLATE|AS"
    r"|GENERATED|AUTO_?INCREMENT|COMMENT|IDENTITY|KEY|ON|CHARACTER\s+SET|CHARSET"
    r"|ENCODE|STORED|VIRTUAL|INVISIBLE|SPARSE|ROWGUIDCOL|ENABLE)\b",
    re.IGNORECASE,
)
_NAME = rf"{_PART}(?:\s?\.\s?{_PART}){{0,3}}"
_REFERENCES = re.compile(rf"\bREFERENCES\s+(?P<name>{_NAME})", re.IGNORECASE)
_PRIMARY = re.compile(r"\bPRIMARY\s+KEY\b", re.IGNORECASE)
_ALONE = re.compile(r"\bUNIQUE\b", re.IGNORECASE)
_NEVER_NULL = re.compile(r"\bNOT\s+NULL\b", re.IGNORECASE)
_KEY_COLUMNS = re.compile(
    r"(?P<kind>PRIMARY|FOREIGN|UNIQUE)\b[^(]{0,200}\((?P<columns>[^()]*)\)",
    re.IGNORECASE,
)
_TYPE_LIMIT = 80


Column = dict[str, str]


def columns(text: str) -> list[Column]:
    """Return the columns of what stands from a table's first bracket on.

    Each with its name and type, `key` when it is of the primary key, `unique` and
    `required` when they are declared so, and in `to` the table that it refers to.
    """
    fields: dict[str, Column] = {}
    constraints: list[str] = []
    for entry in _entries(text):
        match = _COLUMN.fullmatch(entry)
        if _CONSTRAINT.match(entry):
            constraints.append(entry)
        elif match:
            field = _field(match)
            fields[field["name"].lower()] = field
    for entry in constraints:
        constrain(fields, entry)
    return list(fields.values())


def _entries(text: str) -> Iterator[str]:
    """Yield what the commas of the outermost bracket part."""
    depth, start = 0, 0
    for token in _TOKEN.finditer(text):
        mark = token["mark"]
        if mark == "(":
            depth += 1
            start = token.end() if depth == 1 else start
        elif mark == ")":
            depth -= 1
        if (mark == "," and depth == 1) or (mark == ")" and depth == 0):
            yield _COMMENT.sub(" ", text[start : token.start()]).strip()
            start = token.end()
        if mark == ")" and depth <= 0:
            return


def _field(match: re.Match[str]) -> Column:
    rest = match["rest"]
    behind = _BEHIND_TYPE.search(rest)
    kind = " ".join(rest[: behind.start() if behind else None].split())
    field = {"name": unquoted(match["name"]), "type": kind[:_TYPE_LIMIT]}
    if _PRIMARY.search(rest):
        field["key"] = "primary"
    if _ALONE.search(rest):
        field["unique"] = "yes"
    if _NEVER_NULL.search(rest):
        field["required"] = "yes"
    if target := _REFERENCES.search(rest):
        field["to"] = unquoted(target["name"])
    return field


def constrain(fields: dict[str, Column], entry: str) -> None:
    """Mark those of the columns, by name in lower case, that a constraint names."""
    found = _KEY_COLUMNS.search(entry)
    if found is None:
        return
    names = [unquoted(name.strip()).lower() for name in found["columns"].split(",")]
    kind, target = found["kind"].upper(), _REFERENCES.search(entry)
    for field in (fields[name] for name in names if name in fields):
        if kind == "PRIMARY":
            field["key"] = "primary"
        elif kind == "FOREIGN" and target:
            field["to"] = unquoted(target["name"])
        elif kind == "UNIQUE" and len(names) == 1:
            field["unique"] = "yes"


def unquoted(name: str) -> str:
    """Return a name without the quotes of any dialect."""
    return re.sub(r'["`\[\]\s]', "", name)

"""SQL by statement: tables, views, types and routines are symbols."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from devrag.parsing.documents.blocks import NamedLines
from devrag.parsing.documents.declared import (
    Declarations,
    Declared,
    comment_line,
    comment_text,
)
from devrag.parsing.documents.sql_statements import Statement, split_statements
from devrag.parsing.facts.declared_facts import model
from devrag.parsing.facts.sql_tables import Column, columns, constrain, unquoted
from devrag.parsing.source import Parsed, SourceText
from devrag.parsing.types import Parameter

_PART = r'(?:"[^"\n]+"|`[^`\n]+`|\[[^\]\n]+\]|[\w$]+)'
_NAME = rf"{_PART}(?:\s?\.\s?{_PART}){{0,3}}"
_CREATE = re.compile(
    r"CREATE\s+(?:[\w=@`'%]+\s+){0,6}?"
    r"(?P<what>TABLE|VIEW|TYPE|DOMAIN|FUNCTION|PROCEDURE|TRIGGER|AGGREGATE)\s+"
    rf"(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{_NAME})",
    re.IGNORECASE,
)
_CREATE_TABLE = re.compile(
    r"CREATE\s+(?:\w+\s+){0,6}?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    rf"{_NAME}\s*\(",
    re.IGNORECASE,
)
_ALTER_TABLE = re.compile(
    rf"ALTER\s+TABLE\s+(?:ONLY\s+)?(?P<name>{_NAME})\s+(?:WITH\s+CHECK\s+)?ADD\s",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\b(?:TEMP|TEMPORARY)\b", re.IGNORECASE)
_REFERENCES = re.compile(rf"\bREFERENCES\s+(?P<name>{_NAME})", re.IGNORECASE)
_KINDS = {"FUNCTION", "PROCEDURE", "TRIGGER", "AGGREGATE"}
# What a signature shows ends where the body or the options of a statement begin.
_BODY = re.compile(r"\bAS\b|\bBEGIN\b|\bLANGUAGE\b|\$|;", re.IGNORECASE)
_SIGNATURE_CHARACTERS = 600
_ROUTINE_CHARACTERS = 10_000
_OPEN = re.compile(r"\s*\(")
_LIST = re.compile(r"[(\[\]),]|'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_RETURNS = re.compile(
    r"\s*RETURNS?\s+(?P<type>(?:SETOF\s+)?"
    r"(?:TABLE\b|(?:double\s+precision|character\s+varying|[\w.$\"]+)"
    r"(?:\s?\([\d\s,]*\))?(?:\s?\[\])*))",
    re.IGNORECASE,
)
_MODE = re.compile(r"^(?:IN\s?OUT|INOUT|IN|OUT|VARIADIC)\b\s*", re.IGNORECASE)
_MODE_BEHIND = re.compile(r"\s+(?:OUTPUT|OUT|READONLY)$", re.IGNORECASE)
_DEFAULT = re.compile(r"\bDEFAULT\b|:?=", re.IGNORECASE)
# Types of several words, which stand where a name may stand.
_TYPE_WORDS = {"double", "character", "timestamp", "time", "bit", "national"}
_REFERENCE_CHARACTERS = 100_000
_COMMENTS = ("--", "/*", "*", "#")

# Table → its columns by name in lower case.
Tables = dict[str, dict[str, Column]]


def parse_sql(source: SourceText) -> Parsed:
    """Return a script's definitions, each in a chunk; statements share the rest."""
    starts = [0, *accumulate(len(line) + 1 for line in source.lines)]
    declarations = Declarations(source)
    tables: Tables = {}
    blocks: list[NamedLines] = []
    for statement in split_statements(source):
        first = bisect_right(starts, statement.start)
        last = bisect_right(starts, max(statement.end - 1, statement.start))
        item = _declared(source, statement, first, last, tables)
        if item is None:
            blocks.append(NamedLines("", first, last))
            _alter(source, statement, tables)
        else:
            blocks += declarations.blocks([item])
    return declarations.parsed(blocks)


def _columns(source: SourceText, start: int, end: int) -> list[Column]:
    """Return the columns of a table that stays, when they are written out."""
    found = _CREATE_TABLE.match(source.text, start, end)
    if found is None or _PASSING.search(found[0]):
        return []
    return columns(source.text[found.end() - 1 : end])


def _alter(source: SourceText, statement: Statement, tables: Tables) -> None:
    """Give columns of a table above the keys that a statement adds."""
    end = min(statement.end, statement.start + _SIGNATURE_CHARACTERS)
    found = _ALTER_TABLE.match(source.text, statement.start, end)
    if found is not None:
        known = tables.get(unquoted(found["name"]), {})
        constrain(known, source.text[found.end() : end])


def _declared(
    source: SourceText, statement: Statement, first: int, last: int, tables: Tables
) -> Declared | None:
    found = _CREATE.match(source.text, statement.start, statement.end)
    if found is None:
        return None
    what, name = found["what"].upper(), unquoted(found["name"])
    above = comment_line(source.lines, first, _COMMENTS)
    item = Declared(
        kind="function" if what in _KINDS else "type",
        name=name.rpartition(".")[2],
        signature=_signature(source, statement, what),
        start_line=first,
        end_line=last,
        first_line=above,
        qualified=name,
        docstring=comment_text(source.lines, above, first, "-/*# "),
    )
    if what in {"FUNCTION", "PROCEDURE"}:
        _describe_routine(source, found.end(), statement.end, item)
    if what == "TABLE":
        end = min(statement.end, statement.start + _REFERENCE_CHARACTERS)
        line, counted = first, statement.start
        for use in _REFERENCES.finditer(source.text, statement.start, end):
            line += source.text.count("\n", counted, use.start())
            counted = use.start()
            item.uses.append((unquoted(use["name"]), line))
        if fields := _columns(source, statement.start, end):
            tables[name] = {field["name"].lower(): field for field in fields}
            item.fact = model("sql", fields)
    return item


def _describe_routine(source: SourceText, start: int, end: int, item: Declared) -> None:
    """Give a routine its parameters and the type it returns."""
    text = source.text[start : min(end, start + _ROUTINE_CHARACTERS)]
    opened = _OPEN.match(text)
    if opened is None:
        return
    parts, rest = _listed(text, opened.end())
    item.parameters = tuple(filter(None, map(_parameter, parts)))
    if returned := _RETURNS.match(text, rest):
        item.return_type = " ".join(returned["type"].split())


def _listed(text: str, start: int) -> tuple[list[str], int]:
    """Return what stands between the commas of a list in brackets, and its end."""
    parts, depth, begin = [], 0, start
    for token in _LIST.finditer(text, start):
        mark = token[0]
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        if depth < 0 or (mark == "," and depth == 0):
            parts.append(text[begin : token.start()])
            begin = token.end()
        if depth < 0:
            return parts, token.end()
    return [], len(text)


def _parameter(written: str) -> Parameter | None:
    """Return a parameter without its mode and default; its name may be missing."""
    text = _DEFAULT.split(re.sub(r"--[^\n]*|/\*.*?\*/", " ", written), maxsplit=1)[0]
    words = _MODE.sub("", " ".join(text.split())).split(" ", 1)
    if not words[0]:
        return None
    if len(words) == 1 or words[0].lower() in _TYPE_WORDS:
        return Parameter("", " ".join(words))
    typed = _MODE_BEHIND.sub("", _MODE.sub("", words[1]))
    return Parameter(unquoted(words[0]), typed)


def _signature(source: SourceText, statement: Statement, what: str) -> str:
    """Return what stands before the body, columns of a table included."""
    end = min(statement.end, statement.start + _SIGNATURE_CHARACTERS)
    text = source.text[statement.start : end]
    body = None if what in {"TABLE", "TYPE"} else _BODY.search(text)
    words = re.sub(r"--[^\n]*", "", text[: body.start()] if body else text)
    return " ".join(words.split()).removesuffix(";").rstrip()

"""Write docs/data-schema.md, the page about the database: `make schema`.

It is made from the models. What a column means is read from its help text, from an
entry `name: meaning` of its model's docstring, from a comment beside or above it, or
from schema.toml. With --check nothing is written; the exit status tells whether the
page is up to date.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import sys
import textwrap
import tokenize
import tomllib
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "devrag.settings")

import django  # noqa: E402  # the settings come first
from django.apps import apps  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.models import Q  # noqa: E402

PAGE = ROOT / "docs" / "data-schema.md"
_WORDS = tomllib.loads((ROOT / "scripts" / "schema.toml").read_text())
_INTRODUCTION = """\
# The database

`make schema` writes this page from the models; do not edit it. PostgreSQL is the only
store of record ([architecture](../ARCHITECTURE.md)). Tables of Django itself (`auth_*`,
`django_*`) are not listed, nor are the partitions of `search_embedding`, one for each
embedding model. *null* says whether a column may be null. A default is what the
application stores when nothing is given. Only the application writes: to look around,
use the administration or a database role that may only read.
"""
_OPERATORS = {
    "exact": "=",
    "in": "in",
    "lt": "<",
    "lte": "≤",
    "gt": ">",
    "gte": "≥",
    "regex": "~",
}
_ON_DELETE = {
    "CASCADE": "deleted with it",
    "SET_NULL": "set to null when it is deleted",
    "RESTRICT": "it cannot be deleted meanwhile",
    "PROTECT": "it cannot be deleted meanwhile",
}
Model = type[models.Model]
Field = models.Field


def main() -> int:
    """Write the page, or with --check compare it."""
    django.setup()
    page = render_page()
    if "--check" in sys.argv[1:]:
        if PAGE.is_file() and PAGE.read_text() == page:
            return 0
        sys.stderr.write("docs/data-schema.md is out of date. Run: make schema\n")
        return 1
    PAGE.write_text(page)
    return 0


def render_page() -> str:
    """Return the whole page."""
    packages = [config for config in apps.get_app_configs() if list_models(config)]
    lines = [_INTRODUCTION]
    for config in packages:
        found = list_models(config)
        name = config.label
        about = _first_line(import_module(f"{config.name}.models").__doc__)
        diagram = "\n".join(("```mermaid", draw(found), "```"))
        lines += [f"## Package {name}", about, diagram]
        lines += [part for model in found for part in _describe_table(model)]
    return "\n\n".join(part.strip("\n") for part in lines) + "\n"


def list_models(config: Any) -> list[Model]:
    """Return a package's models with a table, those of many-to-many fields included."""
    if not config.name.startswith("devrag."):
        return []
    found = config.get_models(include_auto_created=True)
    return sorted(found, key=lambda model: bool(model._meta.auto_created))


def draw(found: list[Model]) -> str:
    """Return the tables and their relations as a Mermaid diagram."""
    lines = ["erDiagram"]
    for model in found:
        keys = [field for field in columns_of(model) if _mark(model, field)]
        lines.append(f"    {model._meta.db_table} {{")
        lines += [
            f"        {_word(type_of(each))} {each.column} {_mark(model, each)}"
            for each in keys
        ]
        lines.append("    }")
    for model in found:
        for field in columns_of(model):
            if field.remote_field is None:
                continue
            parent = field.related_model._meta.db_table  # type: ignore[union-attr]
            one = "|o" if field.null else "||"
            many = "o|" if field.unique else "o{"
            child = model._meta.db_table
            lines.append(f"    {parent} {one}--{many} {child} : {field.column}")
    return "\n".join(lines)


def columns_of(model: Model) -> list[Field]:
    """Return the fields that are a column of the table."""
    return [field for field in model._meta.concrete_fields if field.column]


def type_of(field: Field) -> str:
    """Return the column's type as PostgreSQL names it."""
    kind = field.db_type(connection) or ""
    return kind.replace("timestamp with time zone", "timestamptz")


def _describe_table(model: Model) -> Iterator[str]:
    meta = model._meta
    purpose, meanings = read_meanings(model)
    yield f"### {meta.db_table}"
    yield purpose or "Pairs of the two tables that its columns name."
    rows = ["| column | type | null | default | meaning |", "|---|---|---|---|---|"]
    for field in columns_of(model):
        cells = (
            f"`{field.column}`",
            type_of(field) + (", identity" if _is_identity(field) else ""),
            "yes" if field.null else "",
            _default(field),
            _meaning(model, field, meanings),
        )
        rows.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    yield "\n".join(rows)
    if listed := list(_keys(model)):
        yield "\n".join(f"* {line}" for line in listed)


def read_meanings(model: Model) -> tuple[str, dict[str, str]]:
    """Return what a model's docstring says of the table, and of its columns."""
    if model._meta.auto_created:
        return "", {}
    text = inspect.cleandoc(model.__doc__ or "")
    names = {field.name for field in model._meta.get_fields()}
    first, _, rest = text.partition("\n\n")
    purpose, meanings = [" ".join(first.split())], dict(_comments(model))
    body = " ".join(rest.split())
    entry = re.compile(r"(?:^|(?<=[.;] ))((?:\w+, )*\w+): ")
    marks = [
        found for found in entry.finditer(body) if names & set(found[1].split(", "))
    ]
    if before := body[: marks[0].start() if marks else None].strip():
        purpose.append(before)
    for at, found in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else None
        meaning = body[found.end() : end].strip().rstrip(";")
        meanings |= dict.fromkeys(found[1].split(", "), meaning)
    return "\n\n".join(purpose), meanings


def _comments(model: Model) -> Iterator[tuple[str, str]]:
    """Yield fields with the comment that stands beside or above them."""
    source = textwrap.dedent(inspect.getsource(model))
    comments = {
        token.start[0]: (token.start[1], token.string.lstrip("# "))
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    lines = source.splitlines()
    for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]  # class
        if not isinstance(node, ast.Assign) or not isinstance(
            node.targets[0], ast.Name
        ):
            continue
        above: list[str] = []
        line = node.lineno - 1
        while lines[line - 1].lstrip().startswith("#"):
            above.insert(0, comments[line][1])
            line -= 1
        beside = comments.get(node.end_lineno or 0)
        if text := " ".join([*above, *([beside[1]] if beside else [])]):
            yield node.targets[0].id, text


def _meaning(model: Model, field: Field, meanings: dict[str, str]) -> str:
    own = _WORDS.get(model._meta.db_table, {})
    text = str(field.help_text) or meanings.get(field.name) or own.get(field.column)
    if not text and field.remote_field is None and not field.primary_key:
        text = _WORDS["*"].get(field.column)
    parts = [re.sub(r"\bNone\b", "null", text or "")]
    if field.choices:
        values = ", ".join(f"`{value}`" for value, _ in field.choices if value)
        parts.append(f"One of {values}.")
    if field.remote_field is not None:
        target: Any = field.related_model
        rule = _ON_DELETE.get(field.remote_field.on_delete.__name__, "")
        table = target._meta.db_table
        is_own = target._meta.app_config.name.startswith("devrag.")
        name = f"[`{table}`](#{table})" if is_own else f"`{table}`"
        parts.append(f"→ {name}" + (f"; {rule}" if rule else ""))
    if field.primary_key and not any(parts):
        parts = ["Key."]
    return " ".join(_sentence(part) for part in parts if part)


def _default(field: Field) -> str:
    if getattr(field, "auto_now_add", False):
        return "time of creation"
    if getattr(field, "auto_now", False):
        return "time of the last change"
    if not field.has_default() or _is_identity(field):
        return ""
    value = field.default
    if not callable(value):
        return f"`{json.dumps(value)}`"
    return {"dict": "`{}`", "list": "`[]`", "uuid4": "random"}.get(value.__name__, "")


def _keys(model: Model) -> Iterator[str]:
    """Yield keys, constraints and indexes, those of single columns included."""
    meta = model._meta
    if isinstance(meta.pk, models.CompositePrimaryKey):
        yield f"primary key ({_names(model, meta.pk.field_names)})"
    for field in columns_of(model):
        if field.unique and not field.primary_key:
            yield f"unique (`{field.column}`)"
    yield from (f"unique ({_names(model, names)})" for names in meta.unique_together)
    yield from (_rule(model, rule) for rule in meta.constraints)
    for field in columns_of(model):
        if field.db_index and not field.unique:
            yield f"index (`{field.column}`)"
    for index in meta.indexes:
        kind = "" if index.suffix == "idx" else f", {index.suffix}"
        also = f", includes {_names(model, index.include)}" if index.include else ""
        columns = _names(model, index.fields) or _expressions(index)
        yield f"index `{index.name}` ({columns}){kind}{also}{_where(index.condition)}"


def _rule(model: Model, rule: models.BaseConstraint) -> str:
    if isinstance(rule, models.UniqueConstraint):
        nulls = ", nulls are equal" if rule.nulls_distinct is False else ""
        columns = _names(model, rule.fields)
        return f"unique `{rule.name}` ({columns}){_where(rule.condition)}{nulls}"
    if isinstance(rule, models.CheckConstraint):
        return f"check `{rule.name}`: {_condition(rule.condition)}"
    raise NotImplementedError(f"{rule.name}: a constraint of an unknown kind")


def _names(model: Model, fields: Any) -> str:
    found = []
    for name in fields:
        field = model._meta.get_field(name.lstrip("-"))
        found.append(f"`{field.column}`" + (" desc" if name.startswith("-") else ""))  # type: ignore[union-attr]
    return ", ".join(found)


def _expressions(index: models.Index) -> str:
    return ", ".join(f"`{expression}`" for expression in index.expressions)


def _where(condition: Q | None) -> str:
    return f" where {_condition(condition)}" if condition else ""


def _condition(condition: Any) -> str:
    if not isinstance(condition, Q):
        return str(condition)
    parts = []
    for child in condition.children:
        if isinstance(child, Q):
            parts.append(_condition(child))
            continue
        name, value = child  # type: ignore[misc]  # a leaf is a pair
        column, _, operator = name.partition("__")
        if value is None or operator == "isnull":
            is_null = value is None or value is True
            parts.append(f"`{column}` is {'' if is_null else 'not '}null")
        else:
            parts.append(
                f"`{column}` {_OPERATORS[operator or 'exact']} {_value(value)}"
            )
    text = f" {condition.connector.lower()} ".join(parts)
    return f"not ({text})" if condition.negated else text


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_value, value)) + ")"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _mark(model: Model, field: Field) -> str:
    marks = ["PK"] if field.primary_key else []
    marks += ["FK"] if field.remote_field is not None else []
    marks += ["UK"] if field.unique and not field.primary_key else []
    return ", ".join(marks)


def _is_identity(field: Field) -> bool:
    return isinstance(field, models.AutoField | models.BigAutoField)


def _word(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sentence(text: str) -> str:
    text = text.strip()
    text = text if text.startswith("→") else text[:1].upper() + text[1:]
    return text if text.endswith((".", ")")) or "→" in text else f"{text}."


def _first_line(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


if __name__ == "__main__":
    sys.exit(main())

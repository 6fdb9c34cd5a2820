"""Commands a person can type: Django's management commands, argparse, click, typer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import literal_text, read_call
from devrag.parsing.paths import stem
from devrag.parsing.types import FactFacts

_MANAGEMENT = re.compile(r"(?:^|/)management/commands/[^_/][^/]*\.py$")


def commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a command per management module, sub-parser and decorated function."""
    is_management = bool(_MANAGEMENT.search(analysis.source.path))
    if is_management:
        yield from _management_command(analysis)
    if is_management or analysis.uses.imports_from("argparse"):
        yield from _sub_parsers(analysis)
    if analysis.uses.imports_from("click", "typer"):
        yield from _decorated_commands(analysis)


def _management_command(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    for definition in analysis.definitions:
        if definition.qualified_name == "Command" and definition.kind == "class":
            name = stem(analysis.source.path)
            summary = _class_text(analysis, definition, "help")
            data = {
                "framework": "django",
                "help": summary or definition.about.docstring,
            }
            yield FactFacts(
                "command", name, definition.start_line, definition.end_line, data
            )


def _class_text(analysis: CodeAnalysis, definition: Definition, name: str) -> str:
    """Return the plain string assigned to a name in a class body, or ''."""
    body = definition.about.body
    for child in body.named_children if body is not None else ():
        left = child.child_by_field_name("left") if child.type == "assignment" else None
        if left is not None and node_text(analysis.source, left) == name:
            return (
                literal_text(analysis.source, child.child_by_field_name("right")) or ""
            )
    return ""


def _sub_parsers(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    for use in analysis.uses.ending("call", "add_parser"):
        call = read_call(analysis.source, use)
        if name := call.text(0, "name"):
            data = {"framework": "argparse", "help": call.text(99, "help") or ""}
            if _MANAGEMENT.search(analysis.source.path):
                data["command"] = stem(analysis.source.path)
            yield FactFacts("command", name, call.start_line, call.end_line, data)


def _decorated_commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    framework = "typer" if analysis.uses.imports_from("typer") else "click"
    for use in analysis.uses.ending("decorator", "command"):
        owner = use.owner
        if owner is None or owner.kind not in {"function", "method"}:
            continue
        call = read_call(analysis.source, use)
        name = call.text(0, "name") or owner.about.name.strip("_").replace("_", "-")
        summary = call.text(99, "help") or owner.about.docstring.partition("\n")[0]
        data = {"framework": framework, "help": summary}
        yield FactFacts("command", name, owner.start_line, owner.end_line, data)

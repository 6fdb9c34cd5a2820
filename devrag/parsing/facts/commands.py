"""Commands a person can type: cobra, urfave/cli, clap, commander and yargs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import (
    literal_text,
    read_arguments,
    read_call,
    written_name,
)
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.types import FactFacts

# resolved type: (framework, its fields for the name, the help, the functions run)
_STRUCTS = {
    "github.com.spf13.cobra.Command": ("cobra", "Use", "Short", ("RunE", "Run")),
    "github.com.urfave.cli.Command": ("urfave", "Name", "Usage", ("Action",)),
}
_MAJOR = re.compile(r"\.v\d+\.")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SUBCOMMAND = re.compile(r"\b(?:clap::)?Subcommand\b")
_CHAIN_LIMIT = 40


def go_commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a command per `&cobra.Command{Use: …}`."""
    for use in analysis.uses.ending("type", "Command"):
        resolved = _MAJOR.sub(".", analysis.uses.resolve(use.name))
        literal = use.node.parent
        if resolved not in _STRUCTS or literal is None:
            continue
        framework, name_key, help_key, runs = _STRUCTS[resolved]
        fields = _literal_fields(analysis, literal)
        usage = literal_text(analysis.source, fields.get(name_key)) or ""
        if literal.type == "composite_literal" and usage.split():
            summary = literal_text(analysis.source, fields.get(help_key)) or ""
            data = {"framework": framework, "help": summary}
            run = next((fields[key] for key in runs if key in fields), None)
            function = written_name(analysis.source, run) if run is not None else ""
            if function:
                data["function"] = function
            yield _command(usage.split()[0], literal, data)


def _literal_fields(analysis: CodeAnalysis, literal: Node) -> dict[str, Node]:
    body = literal.child_by_field_name("body")
    found = {}
    for element in body.named_children if body is not None else ():
        parts = element.named_children if element.type == "keyed_element" else []
        if len(parts) == 2 and parts[1].named_children:
            found[node_text(analysis.source, parts[0])] = parts[1].named_children[0]
    return found


def _command(name: str, node: Node, data: dict[str, str]) -> FactFacts:
    lines = node.start_point.row + 1, node.end_point.row + 1
    return FactFacts("command", name, *lines, data)


def rust_commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the variants of clap's `Subcommand` enums, and `Command::new("x")`."""
    if not analysis.uses.imports_from("clap") and "clap::" not in analysis.source.text:
        return
    for definition in analysis.definitions:
        if definition.kind == "enum" and _derives_subcommand(definition):
            yield from map(_variant, definition.members)
    for use in analysis.uses.ending("call", "new"):
        if analysis.uses.resolve(use.name) in {"clap.Command.new", "clap.App.new"}:
            call = read_call(analysis.source, use)
            name = call.text(0)
            if name:
                summary = _chained_text(analysis, call.node, "about")
                data = {"framework": "clap", "help": summary}
                yield _command(name, call.node, data)


def _derives_subcommand(definition: Definition) -> bool:
    attributes = definition.about.attributes
    return any(a.startswith("#[derive") and _SUBCOMMAND.search(a) for a in attributes)


def _variant(variant: Definition) -> FactFacts:
    marks = [m for m in marks_of(variant) if m.name in {"command", "clap"}]
    named = (mark.text("name") for mark in marks)
    name = next((text for text in named if text), None)
    data = {"framework": "clap", "help": variant.about.docstring.partition("\n")[0]}
    kebab = _HUMP.sub("-", variant.about.name).lower()
    lines = variant.start_line, variant.end_line
    return FactFacts("command", name or kebab, *lines, data)


def js_commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a command per `program.command("name <arg>")` of commander or yargs."""
    imports = analysis.uses.imports_from
    framework = next((f for f in ("commander", "yargs") if imports(f)), "")
    for use in analysis.uses.ending("call", "command") if framework else ():
        call = read_call(analysis.source, use)
        words = (call.text(0) or "").split()
        root = use.name.partition(".")[0]
        bound = analysis.uses.resolve(root)
        is_bound = analysis.uses.imported_via(root) != ""
        is_other = is_bound and not bound.startswith(framework)
        if not words or is_other or words[0].startswith(("$", "-", "<", "[", "*")):
            continue
        described = _chained_text(analysis, call.node, "description")
        summary = call.text(1) or described
        yield _command(words[0], call.node, {"framework": framework, "help": summary})


def _chained_text(analysis: CodeAnalysis, call: Node, method: str) -> str:
    """Return the text that a method called later in the chain is given."""
    at: Node | None = call.parent
    for _ in range(_CHAIN_LIMIT):
        whole = at.parent if at is not None else None
        if at is None or whole is None or whole.type != "call_expression":
            return ""
        name = at.child_by_field_name("property") or at.child_by_field_name("field")
        word = node_text(analysis.source, name) if name is not None else ""
        if word == method:
            return read_arguments(analysis.source, whole).text(0) or ""
        if word in {"command", "subcommand"}:
            return ""
        at = whole.parent
    return ""

"""Settings that code reads from the environment, or from Spring's properties."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import literal_text, read_call, shown, value_shown
from devrag.parsing.types import FactFacts

_JAVA = {
    "System.getenv": False,
    "java.lang.System.getenv": False,
    "System.getenv().get": False,
    "System.getenv().getOrDefault": True,
}
_C = {"getenv": False, "secure_getenv": False, "std.getenv": False}
_JS = {"Deno.env.get": False}
_RUST = ("std.env.var", "std.env.var_os", "env!", "option_env!", "std.env!")
# language: the functions that read a variable; whether their second argument is what
# it is by default.
_READERS: dict[str, dict[str, bool]] = {
    "go": {"os.Getenv": False, "os.LookupEnv": False, "syscall.Getenv": False},
    "rust": dict.fromkeys((*_RUST, "std.option_env!"), False),
    "java": _JAVA,
    "kotlin": _JAVA,
    "scala": _JAVA
    | {"sys.env": False, "sys.env.get": False, "sys.env.getOrElse": True},
    "csharp": {
        "Environment.GetEnvironmentVariable": False,
        "System.Environment.GetEnvironmentVariable": False,
    },
    "ruby": {"ENV.fetch": True},
    "php": {"getenv": False, "env": True, "Illuminate.Support.Env.get": True},
    "elixir": {
        "System.get_env": True,
        "System.fetch_env": False,
        "System.fetch_env!": False,
    },
    "lua": {"os.getenv": False},
    "c": _C,
    "c++": _C,
    "javascript": _JS,
    "typescript": _JS,
    "tsx": _JS,
}
_PROCESS = """
((member_expression object: (identifier) @_process property: (property_identifier)
  @_env) @env (#eq? @_process "process") (#eq? @_env "env"))
((member_expression object: (_) @_meta property: (property_identifier) @_env) @env
  (#eq? @_meta "import.meta") (#eq? @_env "env"))
"""
# language: a word that a file without which needs no look, and what is read in.
_TABLES = {
    "javascript": (".env", _PROCESS),
    "typescript": (".env", _PROCESS),
    "tsx": (".env", _PROCESS),
    "ruby": (
        "ENV[",
        '((element_reference object: (constant) @env) (#eq? @env "ENV"))',
    ),
    "php": (
        "$_ENV[",
        '((subscript_expression . (variable_name) @env) (#eq? @env "$_ENV"))',
    ),
    "swift": (
        ".environment[",
        """((call_expression . (navigation_expression) @env)
          (#match? @env "^ProcessInfo[.]processInfo[.]environment$"))""",
    ),
}
_WORD = re.compile(r"\w+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CARGO = re.compile(r"CARGO_(?:PKG|CFG|MANIFEST|BIN|CRATE)_|OUT_DIR$")
_PLACEHOLDER = re.compile(r"\$\{([\w.\-\[\]]+)(?::([^}]*))?\}")
_OR = frozenset({"||", "??", "?:", "or"})
_OR_CALL = re.compile(r"\.unwrap_or(?:_else)?\((?:\|\w*\|\s*)?(.*)\)", re.DOTALL)


def settings(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a setting per read of a variable whose name is written."""
    text = analysis.source.text
    for name, has_default in _READERS.get(analysis.language, {}).items():
        # Asking the text first spares most files an index of their calls.
        if not all(part in text for part in _WORD.findall(name)):
            continue
        for use in analysis.uses.ending("call", name.rpartition(".")[2]):
            if analysis.uses.resolve(use.name) != name:
                continue
            call = read_call(analysis.source, use)
            default = call.value(1) if has_default else ""
            variable = call.text(0)
            if variable and _is_right(analysis, name, variable):
                yield _setting(analysis, variable, call.node, default)
    yield from _tables(analysis)
    if analysis.language in {"java", "kotlin"}:
        yield from _spring_values(analysis)


def _is_right(analysis: CodeAnalysis, reader: str, variable: str) -> bool:
    """Laravel's `env` has a name that others may have; cargo sets its own."""
    if not _VARIABLE.fullmatch(variable) or _CARGO.match(variable):
        return False
    is_laravel = analysis.language == "php" and reader == "env"
    return not is_laravel or variable.isupper()


def _setting(
    analysis: CodeAnalysis, name: str, node: Node, default: str = ""
) -> FactFacts:
    lines = node.start_point.row + 1, node.end_point.row + 1
    data = {"type": "str", "default": default or _fallback(analysis, node)}
    return FactFacts("setting", name, *lines, data)


def _fallback(analysis: CodeAnalysis, node: Node) -> str:
    """Return what is written for a variable that is not set, as `x` in `|| x`."""
    source, above = analysis.source, node.parent
    block = node.child_by_field_name("block")
    if block is not None and block.named_children:
        return value_shown(source, block.named_children[-1])
    if above is not None and above.child_count == 3 and above.child(0) == node:
        operator, right = above.children[1:]
        if operator.type in _OR or node_text(source, operator) in _OR:
            return value_shown(source, right)
    # PHP's `a ?: b` is a condition that leaves its middle out.
    if above is not None and above.type == "conditional_expression":
        first, *others = above.named_children
        return value_shown(source, others[-1]) if first == node and others else ""
    if analysis.language == "rust" and above is not None and above.parent is not None:
        after = shown(source, above.parent)[len(node_text(source, node)) :]
        match = _OR_CALL.fullmatch(after)
        return match[1] if match else ""
    return ""


def _tables(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield what is read in a table of the environment: `process.env.X`, `ENV["X"]`."""
    word, query = _TABLES.get(analysis.language, ("", ""))
    if not word or word not in analysis.source.text:
        return
    for node in analysis.find(query).get("env", ()):
        read = node.parent
        if read is None:
            continue
        if read.type == "variable_declarator":
            yield from _taken_apart(analysis, read)
            continue
        name = _key(analysis, read, node)
        if name and _VARIABLE.fullmatch(name) and not _is_set(read):
            yield _setting(analysis, name, read)


def _key(analysis: CodeAnalysis, read: Node, table: Node) -> str:
    """Return the name that a member access or subscript reads, '' for another."""
    last = read.named_children[-1]
    if last == table or read.child(0) != table:
        return ""
    if last.type == "property_identifier":
        return node_text(analysis.source, last)
    while last.type in {"call_suffix", "value_arguments", "value_argument"}:
        last = last.named_children[0]
    return literal_text(analysis.source, last) or ""


def _is_set(read: Node) -> bool:
    above = read.parent
    if above is None:
        return False
    is_target = "assignment" in above.type and above.child(0) == read
    operator = above.child(0)
    return is_target or (operator is not None and operator.type == "delete")


def _taken_apart(analysis: CodeAnalysis, declarator: Node) -> Iterator[FactFacts]:
    """Yield the names of `const {A, B = "x"} = process.env`."""
    pattern = declarator.child_by_field_name("name")
    if pattern is None or pattern.type != "object_pattern":
        return
    for part in pattern.named_children:
        if part.type == "rest_pattern":
            continue
        default = ""
        name = part.child_by_field_name("key") or part
        if part.type == "object_assignment_pattern":
            name, value = part.named_children[0], part.named_children[-1]
            default = value_shown(analysis.source, value)
        yield _setting(analysis, node_text(analysis.source, name), part, default)


def _spring_values(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the properties of `@Value("${name:default}")`."""
    for use in analysis.uses.ending("decorator", "Value"):
        name = "org.springframework.beans.factory.annotation.Value"
        if analysis.uses.resolve(use.name) != name:
            continue
        call = read_call(analysis.source, use)
        for match in _PLACEHOLDER.finditer(call.shown(0, "value")):
            yield FactFacts(
                "setting",
                match[1],
                call.start_line,
                call.end_line,
                {"type": "str", "default": match[2] or "", "framework": "spring"},
            )

"""Settings that Python reads from the environment."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.code.uses import NameUse
from devrag.parsing.facts.calls import literal_text, read_call
from devrag.parsing.types import FactFacts

_READERS = {"os.environ.get": "get", "os.getenv": "getenv", "decouple.config": "config"}
_ENV_CLASSES = {"environs.Env", "environs.FileAwareEnv", "environ.Env"}
_CAST_NAMES = (
    "str int bool float decimal list tuple dict json datetime date time timedelta url "
    "path log_level uuid enum dj_db_url dj_email_url dj_cache_url db db_url cache_url"
)
_CASTS = _CAST_NAMES.split()


def settings(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a setting per environment variable that is read."""
    for last in _READERS.values():
        for use in analysis.uses.ending("call", last):
            if analysis.uses.resolve(use.name) in _READERS:
                yield from _read(analysis, use, "str")
    yield from _subscripts(analysis)
    for name in _env_names(analysis):
        # `env("X")` itself reads a string, `env.int("X")` what its name says.
        yield from _calls_of(analysis, name, name, "str")
        for cast in _CASTS:
            yield from _calls_of(analysis, f"{name}.{cast}", cast, cast)


def _calls_of(
    analysis: CodeAnalysis, name: str, last: str, cast: str
) -> Iterator[FactFacts]:
    for use in analysis.uses.ending("call", last):
        if use.name == name:
            yield from _read(analysis, use, cast)


def _read(analysis: CodeAnalysis, use: NameUse, cast: str) -> Iterator[FactFacts]:
    call = read_call(analysis.source, use)
    if name := call.text(0):
        data = {"type": cast, "default": call.value(1, "default")}
        yield FactFacts("setting", name, call.start_line, call.end_line, data)


def _subscripts(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield `os.environ["X"]` where it is read, not where it is set."""
    source = analysis.source
    for node in analysis.captures.get("environ", ()):
        subscript = node.parent
        if subscript is None or subscript.parent is None:
            continue
        if analysis.uses.resolve(node_text(source, node)) != "os.environ":
            continue
        around = subscript.parent
        is_set = around.type == "delete_statement" or (
            around.type == "assignment"
            and around.child_by_field_name("left") == subscript
        )
        name = literal_text(source, subscript.child_by_field_name("subscript"))
        if name and not is_set:
            line = node.start_point.row + 1
            yield FactFacts("setting", name, line, line, {"type": "str", "default": ""})


def _env_names(analysis: CodeAnalysis) -> list[str]:
    """Return the variables that hold an environs or django-environ reader."""
    found = []
    for last in ("Env", "FileAwareEnv"):
        for use in analysis.uses.ending("call", last):
            call = use.node.parent
            statement = call.parent if call is not None else None
            if statement is None or statement.type != "assignment":
                continue
            left = statement.child_by_field_name("left")
            if left is not None and analysis.uses.resolve(use.name) in _ENV_CLASSES:
                found.append(node_text(analysis.source, left))
    return found

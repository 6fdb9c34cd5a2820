"""Commands of Symfony's console and of Laravel's artisan, one a class."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.parsing.code.definitions import Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.text import node_text
from devrag.parsing.facts.calls import literal_text, read_call
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.types import FactFacts

# What a file of commands imports, the framework, the method that runs a command.
_FRAMEWORKS = (
    ("Illuminate\\Console\\", "laravel", "handle"),
    ("Symfony\\Component\\Console\\", "symfony", "execute"),
)


def php_commands(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a command per class that names itself by call, property or attribute."""
    text = analysis.source.text
    known = next((f for f in _FRAMEWORKS if f[0] in text), None)
    if known is None:
        return
    _, framework, run = known
    called = {
        word: _called(analysis, f"set{word.title()}")
        for word in ("name", "description")
    }
    for owner in analysis.definitions:
        if owner.kind != "class" or not owner.about.bases:
            continue
        mark = next((m for m in marks_of(owner) if m.name == "AsCommand"), None)
        own = _texts(analysis, owner)
        name = (
            own.get("$signature")
            or called["name"].get(owner.qualified_name)
            or (mark.text("name", "") if mark else "")
            or own.get("$defaultName", "")
        )
        words = (name or "").partition("|")[0].split()
        if words:
            summary = (
                own.get("$description")
                or called["description"].get(owner.qualified_name)
                or (mark.text("description") if mark else "")
                or own.get("$defaultDescription", "")
            )
            data = {"framework": framework, "help": summary or "", "function": run}
            lines = owner.start_line, owner.end_line
            yield FactFacts("command", words[0], *lines, data)


def _called(analysis: CodeAnalysis, method: str) -> dict[str, str]:
    """Return the class → the text that it gives to a method of its own."""
    found: dict[str, str] = {}
    for use in analysis.uses.ending("call", method):
        owner = use.owner.parent if use.owner is not None else None
        text = read_call(analysis.source, use).text(0)
        if owner is not None and text:
            found.setdefault(owner.qualified_name, text)
    return found


def _texts(analysis: CodeAnalysis, owner: Definition) -> dict[str, str]:
    """Return the properties of a class that are plain strings."""
    body = owner.about.body
    found: dict[str, str] = {}
    for child in body.named_children if body is not None else ():
        for item in (
            child.named_children if child.type == "property_declaration" else ()
        ):
            value = item.child_by_field_name("default_value")
            name = item.child_by_field_name("name")
            text = literal_text(analysis.source, value)
            if name is not None and text:
                found[node_text(analysis.source, name)] = text
    return found

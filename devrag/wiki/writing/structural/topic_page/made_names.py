"""Rows of the public surface for generated functions, getters and re-exports."""

from __future__ import annotations

from collections.abc import Iterator

from devrag.wiki.analysis.calls_by_users import members_called
from devrag.wiki.analysis.prose import cited, first_sentence, full_stop
from devrag.wiki.analysis.script_members import (
    GENERATED,
    PASSED_ON,
    PROPERTY,
    ScriptMember,
    script_members,
)
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_MOST = 16
_CALLED = 6
_PASSES_ON = phrase("Re-exports {value} of the package {package}.")
_PASSES_ALL = phrase("Re-exports the package {package}.")
_PASSES_FILE = phrase("Re-exports what {package} exports.")


def made_names(ctx: PageContext, topic: Topic) -> Iterator[list[str]]:
    """Yield a row for each name, in the order of the files and their lines."""
    found = [
        member
        for file in topic.files
        if ctx.analysis.roles[file.id] == "code"
        for member in script_members(ctx.analysis, file.id)
    ]
    for member in found[:_MOST]:
        marker = ctx.book.cite(member.file, member.line, member.line + 1)
        name = f"`{_name(ctx, member)}`{marker}"
        yield [name, _kind(ctx, member), " ".join(_said(ctx, member))]


def _name(ctx: PageContext, member: ScriptMember) -> str:
    """Return a name as users write it: behind the file's own for what is passed on."""
    if member.kind != PASSED_ON:
        return member.name + ("()" if member.kind == GENERATED else "")
    stem = ctx.analysis.files[member.file].stem
    return f"{stem}.{member.name}" if stem != "index" else member.name


def _kind(ctx: PageContext, member: ScriptMember) -> str:
    kinds = {
        GENERATED: phrase("one function for each name"),
        PROPERTY: phrase("property"),
        PASSED_ON: phrase("re-exported"),
    }
    return ctx.say(kinds[member.kind])


def _said(ctx: PageContext, member: ScriptMember) -> Iterator[str]:
    """Yield what the comment above says, and where the name comes from."""
    above = member.said
    if above is not None:
        said = first_sentence(above.text, ctx.analysis.names)
        lines = (above.start_line, above.end_line)
        yield cited(said, ctx.book.cite(member.file, *lines)) if said else ""
    if member.kind == PASSED_ON:
        yield _origin(ctx, member)
    if member.kind == GENERATED:
        yield from _made(ctx, member)


def _origin(ctx: PageContext, member: ScriptMember) -> str:
    told = _PASSES_ON if member.value else _PASSES_ALL
    if member.package.startswith("."):
        told = _PASSES_FILE
    package = f"`{member.package}`"
    return full_stop(ctx.say(told, value=f"`{member.value}`", package=package))


def _made(ctx: PageContext, member: ScriptMember) -> Iterator[str]:
    """Yield what the loop goes through, with the functions that users call most."""
    yield ctx.say("The names are those in {value}.", value=f"`{member.value}`")
    owner = member.name.partition("[")[0]
    called = members_called(ctx.analysis, member.file, owner)[:_CALLED]
    if called:
        names = [f"`{owner}.{name}()`" for name, _, _ in called]
        marks = [ctx.book.cite(file, line, line) for _, file, line in called]
        shown = [name + mark for name, mark in zip(names, marks, strict=True)]
        yield ctx.say("Examples and tests call {names}.", names=ctx.listed(shown))

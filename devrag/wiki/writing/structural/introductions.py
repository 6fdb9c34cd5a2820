"""What a topic is that neither its code nor a document describes, from facts alone.

The object that it exports, and who uses that.
"""

from __future__ import annotations

from devrag.wiki.analysis.exported_objects import (
    COPIED,
    INHERITED,
    USED,
    ExportedObject,
    exported_object,
)
from devrag.wiki.analysis.prose import first_sentence, only_names
from devrag.wiki.analysis.purposes import block_comment_above
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_OBJECT = phrase("{path} exports the object {name} with {functions}")
_HEIR = phrase(
    "{path} exports the object {name}, which inherits from {base} and has {functions}"
)
_HOW = {
    COPIED: phrase("{told}; {user} puts them on the object that it makes."),
    INHERITED: phrase("{told}; {user} makes objects that inherit from it."),
    USED: phrase("{told}; {user} uses it."),
}


def introduce(ctx: PageContext, topic: Topic) -> str:
    """Return a sentence on what a topic is and who uses it, '' if neither is known."""
    code = [f for f in topic.files if ctx.analysis.roles[f.id] == "code"]
    largest = max(code, key=lambda f: (f.lines, -f.id), default=None)
    if largest is None:
        return ""
    found = exported_object(ctx.analysis, largest.id)
    return _object(ctx, found) if found is not None else ""


def _object(ctx: PageContext, found: ExportedObject) -> str:
    """Return the sentence on an object, with the function that does most with it."""
    name = f"`{found.name}`" + _said(ctx, found)
    told = ctx.say(
        _HEIR if found.base else _OBJECT,
        path=ctx.path(ctx.analysis.files[found.file]),
        name=name + ctx.book.cite(found.file, found.line, found.line),
        base=f"`{found.base}`",
        functions=ctx.counted(found.functions, "function"),
    )
    user = found.user
    if user is None:
        return ctx.say("{told}.", told=told)
    where = user.symbol.file
    named = ctx.symbol_name(user.symbol) + ctx.book.cite(where, user.line, user.line)
    return ctx.say(_HOW[user.how], told=told, user=named)


def _said(ctx: PageContext, found: ExportedObject) -> str:
    """Return what the comment above an object calls it, in parentheses."""
    lines = ctx.book.lines(found.file)
    above = block_comment_above(lines, found.line)
    said = first_sentence(above.text, ctx.analysis.names) if above else ""
    if above is None or not said or only_names(said, found.name):
        return ""
    marker = ctx.book.cite(found.file, above.start_line, above.end_line)
    return ctx.wording.aside(said.rstrip(".。")) + marker

"""Two definitions side by side: what each says, its first lines, who uses it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from textwrap import dedent

from django.utils.translation import gettext, ngettext

from devrag.ask.named.question import is_code_like
from devrag.ask.quotations import escaped, fenced
from devrag.ask.trace.citations import HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Named, find_named
from devrag.ask.types import Answer
from devrag.core.text import code_text, shorten
from devrag.navigation.symbols import called_by, callees, meant_by
from devrag.sources.models import GitRef, Symbol
from devrag.wiki.api import plain_sentence

_SAID = 240
_WHOLE = 14
_SIGNATURE_END = re.compile(r"(?:\{|:|=>)\s*$")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{3,40}")
_TYPES = frozenset({"class", "struct", "interface", "type", "enum", "trait"})


def compare_definitions(
    sides: tuple[str, str], source_ids: Collection[int]
) -> Answer | None:
    """Return both definitions, None where a side names none or several."""
    names = [_ARTICLE.sub("", side.strip("`() ")) for side in sides]
    if all(is_code_like(name) or name[:1].isupper() for name in names):
        found = [find_named(name, source_ids) for name in names]
    elif all(_WORD.fullmatch(name) for name in names):
        found = [_types_named(name, source_ids) for name in names]
    else:
        return None
    if any(len(each) != 1 for each in found):
        return None
    one, other = (each[0].body for each in found)
    if one.pk == other.pk:
        return None
    citations = Citations()
    citations.load({one.file_id, other.file_id})
    blocks = [
        block for each in (one, other) for block in tell_definition(each, citations)
    ]
    blocks += _relation(one, other)
    passages = tuple(citations.passages)
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "answered")


def _types_named(word: str, source_ids: Collection[int]) -> list[Named]:
    """Return the types that a word in prose means: `an option` may be `Option`."""
    name = word[0].upper() + word[1:]
    return [
        each
        for each in find_named(name, source_ids)
        if each.name == name and each.body.kind in _TYPES
    ]


def tell_definition(symbol: Symbol, citations: Citations) -> Iterator[str]:
    """Yield where a definition is, what it says, its first lines and its uses."""
    yield f"**`{code_text(symbol.qualified_name)}`**"
    said = gettext("`%(path)s`, line %(line)s") % {
        "path": code_text(symbol.file.path),
        "line": symbol.start_line,
    }
    end = _end_of_head(symbol, citations)
    said += citations.cite(
        symbol.file_id,
        (symbol.start_line, end),
        "definition",
        title=symbol.qualified_name,
        why=gettext("definition"),
        uuid=symbol.uuid,
    )
    summary = shorten(plain_sentence(symbol.docstring), _SAID)
    yield f"{said}: {escaped(summary)}" if summary else said
    lines = range(symbol.start_line, end + 1)
    head = "\n".join(citations.line(symbol.file_id, number) for number in lines)
    yield fenced(dedent(head).rstrip(), symbol.file.language)
    uses = len(called_by(_ref(symbol), symbol).uses)
    if uses:
        yield _used(uses)


def _end_of_head(symbol: Symbol, citations: Citations) -> int:
    """Return the last line shown: all of a short one, else the whole signature."""
    start, last = symbol.start_line, symbol.end_line
    if last - start < _WHOLE:
        return last
    signature = (
        number
        for number in range(start, min(last, start + _WHOLE) + 1)
        if _SIGNATURE_END.search(citations.line(symbol.file_id, number))
    )
    return min(last, max(next(signature, start), start + HEAD_LINES - 1))


def _used(count: int) -> str:
    return ngettext("Used in %(count)s place.", "Used in %(count)s places.", count) % {
        "count": count
    }


def _relation(one: Symbol, other: Symbol) -> Iterator[str]:
    """Yield that one calls the other."""
    for caller, callee in ((one, other), (other, one)):
        if caller.file.source_id == callee.file.source_id and callee.pk in meant_by(
            callees(_ref(caller), caller)
        ):
            yield gettext("`%(caller)s` calls `%(callee)s`.") % {
                "caller": code_text(caller.qualified_name),
                "callee": code_text(callee.qualified_name),
            }


def _ref(symbol: Symbol) -> GitRef:
    return GitRef.objects.get(source=symbol.file.source_id, is_current=True)

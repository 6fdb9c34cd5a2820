"""Two definitions side by side: what each says, its first lines, who uses it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent

from django.utils.translation import gettext, ngettext

from devrag.ask.named.question import is_code_like
from devrag.ask.quotations import escaped, fenced
from devrag.ask.reasons import AskedWords
from devrag.ask.telling_code import best_lines
from devrag.ask.trace.citations import HEAD_LINES, Citations
from devrag.ask.trace.endpoints import Named, find_named
from devrag.ask.types import Answer
from devrag.core.page_urls import symbol_url
from devrag.core.text import code_text, shorten
from devrag.navigation.symbols import called_by, callees, meant_by
from devrag.sources.models import GitRef, Symbol
from devrag.sources.selectors import CURRENT_VERSION
from devrag.wiki.api import Condition, condition_of, plain_sentence

_SAID = 240
_WHOLE = 14
_MOST_CALLS = 3  # of one by the other
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
    blocks += _relation(one, other, citations)
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


def tell_definition(
    symbol: Symbol, citations: Citations, asked: AskedWords | None = None
) -> Iterator[str]:
    """Yield where a definition is, what it says, its first lines and its uses.

    asked: the words of a question; the lines with most of them are shown as well.
    """
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
    if asked is not None:
        yield from _telling_lines(symbol, citations, end + 1, asked)
    uses = len(called_by(_ref(symbol), symbol).uses)
    if uses:
        yield f"[{_used(uses)}]({_uses_url(symbol)})"


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


def _telling_lines(
    symbol: Symbol, citations: Citations, start: int, asked: AskedWords
) -> Iterator[str]:
    """Yield the lines below the head that have more words of a question than it has."""
    lines = range(start, symbol.end_line + 1)
    text = "\n".join(citations.line(symbol.file_id, number) for number in lines)
    head = "\n".join(
        citations.line(symbol.file_id, number)
        for number in range(symbol.start_line, start)
    )
    found = best_lines(text, asked)
    if found is None or asked.count_in(head) >= asked.count_in(found.text):
        return
    first = start + found.first
    last = first + found.text.count("\n")
    mark = citations.cite(symbol.file_id, (first, last), "definition")
    place = gettext("from line %(line)s") % {"line": first}
    yield f"{place[:1].upper()}{place[1:]}:{mark}"
    yield fenced(dedent(found.text).rstrip(), symbol.file.language)


def _uses_url(symbol: Symbol) -> str:
    """Return the address of the list of uses on the page of a definition."""
    source = symbol.file.source
    names = source.product.name, source.name, CURRENT_VERSION
    return f"{symbol_url(*names, symbol.uuid)}#dr-used-by"


def _used(count: int) -> str:
    return ngettext("Used in %(count)s place.", "Used in %(count)s places.", count) % {
        "count": count
    }


def _relation(one: Symbol, other: Symbol, citations: Citations) -> Iterator[str]:
    """Yield that one calls the other, and under which condition."""
    for caller, callee in ((one, other), (other, one)):
        if caller.file.source_id != callee.file.source_id:
            continue
        found = meant_by(callees(_ref(caller), caller)).get(callee.pk)
        if found is None:
            continue
        lines = sorted({use.line for use in found.uses})
        code = caller.file.text.split("\n")
        for line in lines[:_MOST_CALLS]:
            condition = condition_of(code, line, caller.start_line)
            whole = condition.whole if condition else ()
            told = _call(caller, callee, whole)
            first = min([line, *(each.line for each in whole)])
            yield told + citations.cite(caller.file_id, (first, line), "definition")


def _call(caller: Symbol, callee: Symbol, conditions: Sequence[Condition]) -> str:
    """Return that one calls the other, with all that has to hold for it."""
    names = {
        "caller": code_text(caller.qualified_name),
        "callee": code_text(callee.qualified_name),
    }
    told = [said for each in conditions if (said := _condition(each))]
    if not told:
        return gettext("`%(caller)s` calls `%(callee)s`.") % names
    names["conditions"] = gettext(", ").join(told)
    return gettext("`%(caller)s` calls `%(callee)s` %(conditions)s.") % names


def _condition(condition: Condition) -> str:
    """Return a condition in words, "" for one that cannot be shown."""
    names = {
        "text": code_text(condition.text),
        "subject": code_text(condition.subject),
    }
    if not condition.text:
        return ""
    if condition.kind == "case" and condition.subject:
        return gettext("when `%(subject)s` is `%(text)s`") % names
    if condition.kind == "if":
        return gettext("when `%(text)s`") % names
    return gettext("unless `%(text)s`") % names if condition.kind == "unless" else ""


def _ref(symbol: Symbol) -> GitRef:
    return GitRef.objects.get(source=symbol.file.source_id, is_current=True)

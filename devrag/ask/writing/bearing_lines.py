"""Which lines of a long passage bear a sentence: pure.

They are whole blocks, such as a method, where these are short enough: what stands
before and after a line belongs to what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from devrag.ask.types import Passage
from devrag.wiki.api import best_window, is_name, shown_terms, terms_of
from devrag.wiki.checking.shown_names import names_in

# Of a passage that is cited whole, and of all lines of one that are cited, which is
# what a page shows of a citation; of the lines that are looked for at once.
WHOLE_LINES, _WINDOW = 80, 20
_LINES_AROUND = 3  # where there is no block, or a long one
_TO_BEGIN = 15  # lines up to where a block begins, which are cited, too
# A branch is cited with what it is a branch of, as long as this has no more lines.
_AROUND_BLOCK = 50
_NEAR = 8  # lines between two places that are cited as one
# Of the sentence, that the passage shows; of that, what the lines show.
_CLEAR, _BORNE = 0.5, 0.8
_CLOSING = ")]}"
# Where a sentence says that something is called.
_CALLS = re.compile(r"\b(?:calls?|called|calling)\b|呼", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"]([^“”\"]{8,})[”\"]")
_DEFINITION = r"\s*(?:[a-z]+ )*(?:class|def|func|fn|function|interface|struct) +{}\b"

LineRange = tuple[int, int]


def bearing_lines(sentence: str, passage: Passage) -> tuple[LineRange, ...]:
    """Return the places of a long passage that bear a sentence, else all of it.

    The first has its names and numbers, others what it quotes, and the definitions of
    these names.
    """
    whole = ((passage.start_line, passage.end_line),)
    lines = passage.text.rstrip("\n").split("\n")
    if len(lines) <= WHOLE_LINES or len(lines) != passage.line_count:
        return whole
    wanted = terms_of(sentence)
    terms = shown_terms(wanted, lines)
    if sum(terms.values()) < _CLEAR * sum(wanted.values()):
        return whole
    places = _places(sentence, terms, lines)
    shown = [line for first, last in places for line in lines[first : last + 1]]
    seen = shown_terms(terms, shown)
    is_lost = any(_is_needed(term, terms) for term in terms if term not in seen)
    if is_lost or len(shown) > WHOLE_LINES:
        return whole
    if sum(seen.values()) < _BORNE * sum(terms.values()):
        return whole
    at = passage.start_line
    return tuple((at + first, at + last) for first, last in places)


def _is_needed(term: str, terms: Mapping[str, float]) -> bool:
    return is_name(terms[term]) or term.isdigit()


def _places(
    sentence: str, terms: Mapping[str, float], lines: Sequence[str]
) -> list[LineRange]:
    """Return first and last line of each place, from 0, in their order."""
    found = [_with_block(lines, *best_window(terms, lines, _WINDOW))]
    for at in _fixed_lines(sentence, lines):
        if not any(first <= at <= last for first, last in found):
            found.append(_with_block(lines, at, at))
    return joined(found, _NEAR)


def _fixed_lines(sentence: str, lines: Sequence[str]) -> Iterator[int]:
    """Yield lines that a sentence quotes, that define what it names, and that call it.

    A name that several lines define or call leads nowhere.
    """
    for quoted in _QUOTED.findall(sentence):
        at = [n for n, line in enumerate(lines) if quoted in line]
        yield from at[:1]
    for name in names_in(sentence):
        last = re.escape(name.removesuffix("()").rpartition(".")[2])
        define = re.compile(_DEFINITION.format(last))
        defined = [n for n, line in enumerate(lines) if define.match(line)]
        if len(defined) == 1:
            yield defined[0]
        elif not defined and _CALLS.search(sentence):
            call = re.compile(rf"(?<!\w){last}\(")
            called = [n for n, line in enumerate(lines) if call.search(line)]
            yield from called if len(called) == 1 else ()


def joined(places: Iterable[LineRange], near: int = 0) -> list[LineRange]:
    """Return places in their order, those that overlap or are near as one."""
    found: list[LineRange] = []
    for first, last in sorted(places):
        if found and first <= found[-1][1] + near + 1:
            found[-1] = found[-1][0], max(found[-1][1], last)
        else:
            found.append((first, last))
    return found


def _with_block(lines: Sequence[str], first: int, last: int) -> LineRange:
    """Return the block that lines stand in, else these with a few around them.

    A block is known by its indentation: it begins with a line that is indented less
    than all others, such as a `def`, and ends before the next one like it.
    """
    begin = _head_of(lines, first, last)
    if begin is not None:
        end = _end_of(lines, begin, last)
        if end - begin < _AROUND_BLOCK:
            return _widened(lines, begin, end)
    begin, end = (
        max(0, first - _LINES_AROUND),
        min(len(lines) - 1, last + _LINES_AROUND),
    )
    above, below = _head_of(lines, first, first), _head_of(lines, last, last)
    if above is not None and first - above <= _TO_BEGIN:
        begin = min(begin, above)
    # What follows says under which further conditions the lines count.
    if (
        below is not None
        and (inner := _end_of(lines, below, last)) - begin < WHOLE_LINES
    ):
        end = max(end, inner)
    return begin, end


def _widened(lines: Sequence[str], begin: int, end: int) -> LineRange:
    """Return a block with those around it, as far as they are short.

    They hold the conditions under which its lines run.
    """
    while (around := _line_around(lines, begin)) is not None:
        last = _end_of(lines, around, end)
        if last - around >= _AROUND_BLOCK:
            break
        begin, end = around, last
    return begin, end


def _line_around(lines: Sequence[str], at: int) -> int | None:
    """Return the line above that is indented less, None for none."""
    above = range(at - 1, -1, -1)
    depth = _depth(lines[at]) - 1
    return next((n for n in above if _is_head(lines[n], depth)), None)


def _end_of(lines: Sequence[str], begin: int, last: int) -> int:
    """Return the last line of the block that begins with a line and has another."""
    end = last
    while end + 1 < len(lines) and not _is_head(lines[end + 1], _depth(lines[begin])):
        end += 1
    while not lines[end].strip():
        end -= 1
    return end


def _head_of(lines: Sequence[str], first: int, last: int) -> int | None:
    """Return the line that the block around lines begins with, None for none."""
    inner = [
        _depth(each)
        for each in lines[first + 1 : last + 1]
        # The end of a signature is indented less than what it is the end of.
        if each.strip() and each.strip()[0] not in _CLOSING
    ]
    if inner and min(inner) > _depth(lines[first]):
        return first
    if first == last and re.match(_DEFINITION.format(r"\w+"), lines[first]):
        return first
    depth = min([_depth(lines[first]), *inner])
    above = range(first - 1, -1, -1)
    return next((at for at in above if _is_head(lines[at], depth - 1)), None)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_head(line: str, depth: int) -> bool:
    """Return whether a line is indented so much at most and closes no bracket."""
    bare = line.strip()
    return bool(bare) and _depth(line) <= depth and bare[0] not in _CLOSING

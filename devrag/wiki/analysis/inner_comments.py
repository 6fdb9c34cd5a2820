"""The comments inside of a definition that tell, in order, what it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.passages import is_telling

_LEAST_WORDS = 6
_LONGEST = 420
_LINE = re.compile(
    r"^\s*(?://[/!]?|#(?![!\[]|include|define|if|endif|else|pragma)|--)\s?(?P<text>.*)$"
)
_OPEN = re.compile(r"^\s*/\*+!?\s?(?P<text>.*)$")
_CLOSE = re.compile(r"\s*\*+/\s*$")
_STRING = re.compile(r"^\s*[rRuU]?(\"\"\"|''')")
_STAR = re.compile(r"^\s*\*\s?")
_OF_ARGUMENTS = re.compile(
    r"\b(?:args?|arguments?|parameters?|optional|options may)\b|^(?:copy|settings?)\b",
    re.IGNORECASE,
)
_LONG_ARGUMENTS = 12  # words of a comment that tells more than that
_REMARK = re.compile(
    r"\b(TODO|FIXME|XXX|HACK|noqa|type: ignore|pylint|eslint|nolint|mypy|pragma|fmt:"
    r"|ruff|prettier|istanbul|c8 ignore|@ts-|NOLINT|region\b|copyright|clang-format)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class InnerComment:
    """A comment of whole lines, joined."""

    text: str
    start_line: int
    end_line: int


def inner_comments(
    lines: Sequence[str],
    start: int,
    end: int,
    skipped: Iterable[tuple[int, int]] = (),
    *,
    least_words: int = _LEAST_WORDS,
    longest: int = _LONGEST,
) -> list[InnerComment]:
    """Return the comments between these lines that are sentences.

    skipped: lines of definitions inside, whose comments are theirs. least_words: of a
    comment that tells something; longest: in characters.
    """
    hidden = list(skipped)
    found = _merged(_joined(lines, start + 1, min(end, len(lines))))
    return [
        comment
        for comment in found
        if not any(a <= comment.start_line <= b for a, b in hidden)
        and len(comment.text) <= longest
        and _says_something(comment.text, least_words)
    ]


def is_of_arguments(text: str) -> bool:
    """Return whether a comment only says how arguments are given or copied."""
    return bool(_OF_ARGUMENTS.search(text)) and len(text.split()) < _LONG_ARGUMENTS


def is_remark(text: str) -> bool:
    """Return whether a comment is meant for tools, or for those who change the code."""
    return bool(_REMARK.search(text))


def _says_something(text: str, least_words: int) -> bool:
    if is_remark(text):
        return False
    is_wordy = len(text.split()) >= least_words or not text.isascii()
    return is_wordy and (
        is_telling(text, least_words)
        if least_words < _LEAST_WORDS
        else is_telling(text)
    )


def _joined(lines: Sequence[str], first: int, last: int) -> Iterator[InnerComment]:
    at = first
    while at <= last:
        if string := _STRING.match(lines[at - 1]):
            at = _closed_at(lines, at, last, string.group(1)) + 1
            continue
        read = _line_comment if _LINE.match(lines[at - 1]) else _block_comment
        comment = read(lines, at, last)
        if comment is not None:
            yield comment
        at = comment.end_line + 1 if comment else at + 1


def _merged(found: Iterable[InnerComment]) -> Iterator[InnerComment]:
    """Join comments that stand directly below each other."""
    open_: InnerComment | None = None
    for comment in found:
        if open_ is not None and comment.start_line == open_.end_line + 1:
            text = f"{open_.text} {comment.text}"
            open_ = InnerComment(text, open_.start_line, comment.end_line)
            continue
        if open_ is not None:
            yield open_
        open_ = comment
    if open_ is not None:
        yield open_


def _closed_at(lines: Sequence[str], at: int, last: int, quote: str) -> int:
    """Return the line in which a string that begins here ends."""
    if lines[at - 1].count(quote) > 1:
        return at
    return next((n for n in range(at + 1, last + 1) if quote in lines[n - 1]), at)


def _line_comment(lines: Sequence[str], at: int, last: int) -> InnerComment:
    texts, end = [], at
    while end <= last and (match := _LINE.match(lines[end - 1])):
        texts.append(match["text"].strip())
        end += 1
    return InnerComment(" ".join(" ".join(texts).split()), at, end - 1)


def _block_comment(lines: Sequence[str], at: int, last: int) -> InnerComment | None:
    match = _OPEN.match(lines[at - 1])
    if not match:
        return None
    texts, end = [match["text"]], at
    while not _CLOSE.search(lines[end - 1]) and end < last:
        end += 1
        texts.append(_STAR.sub("", _CLOSE.sub("", lines[end - 1])))
    text = " ".join(_CLOSE.sub("", each).strip() for each in texts)
    return InnerComment(" ".join(text.split()), at, end)

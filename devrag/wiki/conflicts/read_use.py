"""Statements of how the product is used: routes, commands and options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.conflict_names import COMMAND, OPTION, ROUTE
from devrag.wiki.conflicts.lines import DocumentLine
from devrag.wiki.conflicts.types import StatementFacts

_ROUTE = re.compile(
    r"(?<![\w/])(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD)\s+`?(?P<path>/[\w{}<>:./$*\[\]-]*)"
)
_CURL = re.compile(
    r"\bcurl\b[^|\n]*?(?:-X\s*|--request\s+)(?P<method>[A-Z]+)\b[^|\n]*?"
    r"https?://(?:localhost|127\.0\.0\.1|[\w.-]*example\.\w+)(?::\d+)?(?P<path>/[\w{}<>:./$-]*)"
)
_SHELL = {"", "sh", "bash", "shell", "console", "text", "shell-session", "zsh", "none"}
_COMMAND = re.compile(
    r"^\s*(?:[$%>#]\s+)?(?:[A-Z_]+=\S+\s+)*(?:sudo\s+|python3? -m\s+|uv run\s+"
    r"|poetry run\s+|bundle exec\s+|npx\s+|(?:python3? )?\./|bin/)?"
    r"(?P<program>[a-z][\w.-]*)(?P<rest>(?:\s+\S+)*)\s*$"
)
_INLINE = re.compile(r"(?<!`)`{1,2}(?!`)([a-z$][^`\n]*\s[^`\n]+)`{1,2}(?!`)")
_WORD = re.compile(r"[a-z][\w:-]+")
_OPTION = re.compile(r"(?<!\S)(--[a-z][\w-]+)")
_ALONE = re.compile(r"(?<!`)`{1,2}(--[a-z][\w-]*\w)(?:[ =][^`]*)?`{1,2}(?!`)")
_ENDS = re.compile(r"\s(?:\||&&|;|>|<|#|\\)(?:\s|$)")


def routes_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield endpoints that are written with their method."""
    for line in lines:
        for pattern in (_ROUTE, _CURL):
            for match in pattern.finditer(line.text):
                path = match["path"].rstrip(".,:")
                if len(path) > 1:
                    yield _of(ROUTE, f"{match['method']} {path}", line)


def _of(
    kind: str, subject: str, line: DocumentLine, *names: str, value: str = ""
) -> StatementFacts:
    place = (line.number, line.number, line.text.strip())
    return StatementFacts(kind, subject, value, *place, names=names)


def _commands(line: DocumentLine) -> Iterator[tuple[str, str]]:
    """Yield (program, what follows) of the commands that a line shows."""
    if line.code is None:
        shown = [each.strip() for each in _INLINE.findall(line.text)]
    else:
        shown = [line.text] if line.code in _SHELL else []
    for text in shown:
        match = _COMMAND.match(_ENDS.split(text)[0])
        if match:
            yield match["program"], match["rest"].strip()


def commands_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield `program subcommand`, also of make."""
    for line in lines:
        for program, rest in _commands(line):
            word = rest.partition(" ")[0]
            if _WORD.fullmatch(word):
                yield _of(COMMAND, f"{program} {word}", line, *spellings(word))


def options_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield long options, of a program or alone in backticks."""
    for line in lines:
        for program, rest in _commands(line):
            before = rest.partition(" -- ")[0]
            for option in _OPTION.findall(before):
                yield _option(option, line, program)
        if line.code is None:
            for option in _ALONE.findall(line.text):
                yield _option(option, line, "")


def _option(option: str, line: DocumentLine, program: str) -> StatementFacts:
    bare = option.lstrip("-").removeprefix("no-")
    names = (option, f"--{bare}", *spellings(bare))
    subject = f"{program} {option}".strip()
    return _of(OPTION, subject, line, *names)


def spellings(name: str) -> tuple[str, ...]:
    """Return how code may write a name: `max-size`, `max_size`, `maxSize`."""
    parts = [part for part in re.split(r"[-_:]", name) if part]
    pascal = "".join(part[:1].upper() + part[1:] for part in parts)
    camel = pascal[:1].lower() + pascal[1:]
    found = (name, "-".join(parts), "_".join(parts), camel, pascal)
    return tuple(dict.fromkeys(found))

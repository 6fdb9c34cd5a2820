"""The programs in folders of examples, with what is said of each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.passages import is_telling
from devrag.wiki.analysis.purposes import Purpose
from devrag.wiki.analysis.roles import MARKUP_LANGUAGES
from devrag.wiki.analysis.survey import SurveyFile

_FOLDERS = {"example", "examples", "sample", "samples", "demo", "demos"}
_TESTS = re.compile(r"^(tests?|specs?|__tests__|fixtures|testdata|docs?)$")
_MAIN = {"index", "main", "app", "server", "cli"}
# `- [auth](./auth) - Authentication with login and password`
_LISTED = re.compile(
    r"^\s*[-*]\s+\[[^\]]+\]\((?:\./)?(?P<path>[\w./-]+?)/?\)\s*(?:[-–—:]\s*)(?P<said>\S.*)$"
)


@dataclass(frozen=True, slots=True)
class ExampleProgram:
    """A program. path: its folder or only file. file: where it begins.

    said: what a list of the examples or its own first comment says, in said_in.
    """

    path: str
    file: SurveyFile
    said: Purpose | None
    said_in: int


@cached_by_analysis
def example_programs(analysis: Analysis) -> tuple[ExampleProgram, ...]:
    """Return the programs of the folders of examples, by path."""
    held: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    listed: dict[tuple[str, str], tuple[int, Purpose]] = {}
    for file in analysis.with_role("example"):
        unit = _unit(file.path)
        if unit and file.kind == "code" and file.language not in MARKUP_LANGUAGES:
            held[file.source, unit].append(file)
        if unit == file.directory and file.stem.lower() == "readme":
            said = _introduction(analysis.lines.of(file.id))
            listed |= {(file.source, unit): (file.id, said)} if said else {}
    listed |= dict(_listed(analysis))
    return tuple(
        _program(analysis, unit, files, listed.get((source, unit)))
        for (source, unit), files in sorted(held.items())
    )


def _unit(path: str) -> str:
    """Return the folder or file right below a folder of examples, '' without one."""
    pieces = path.split("/")
    folders = pieces[:-1]
    at = next((n for n, piece in enumerate(folders) if piece in _FOLDERS), None)
    if at is None or any(map(_TESTS.match, folders[:at])):
        return ""
    return "/".join(pieces[: at + 2])


def _introduction(lines: Sequence[str]) -> Purpose | None:
    """Return the first paragraph of a program's README that is a sentence."""
    start = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            start = start or number
            continue
        text = " ".join(each.strip() for each in lines[start - 1 : number - 1])
        if start and is_telling(text) and text[-1:] in ".!":
            return Purpose(text, start, number - 1)
        start = 0
    return None


def _listed(
    analysis: Analysis,
) -> Iterator[tuple[tuple[str, str], tuple[int, Purpose]]]:
    """Yield what the READMEs of the folders say of each program."""
    for file in analysis.with_role("example", "doc"):
        is_list = file.kind == "doc" and file.stem.lower() in {"readme", "index"}
        if not is_list or not set(file.directory.split("/")) & _FOLDERS:
            continue
        for number, line in enumerate(analysis.lines.of(file.id), 1):
            if match := _LISTED.match(line):
                unit = f"{file.directory}/{match['path']}"
                said = Purpose(match["said"], number, number)
                yield (file.source, unit), (file.id, said)


def _program(
    analysis: Analysis,
    unit: str,
    files: list[SurveyFile],
    listed: tuple[int, Purpose] | None,
) -> ExampleProgram:
    name = unit.rpartition("/")[2]
    first = min(
        files,
        key=lambda f: (f.path.count("/"), f.stem not in _MAIN | {name}, f.path),
    )
    if listed is not None:
        return ExampleProgram(unit, first, listed[1], listed[0])
    return ExampleProgram(unit, first, analysis.purpose(first), first.id)

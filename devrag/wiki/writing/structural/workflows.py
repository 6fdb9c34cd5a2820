"""What continuous integration runs, a row for each workflow."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from devrag.wiki.analysis.prose import clean
from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.evidence.page_evidence import MOST_LINES
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.shell import (
    abbreviated,
    commands_in,
    is_telling,
    without_assignments,
)
from devrag.wiki.writing.structural.tables import table

_COMMANDS, _WORKFLOWS, _PLACES = 12, 16, 8
_BEGINNING = 20  # characters that tell a command from others
_FOLDS = re.compile(r"\brun:\s*>[-+]?\s*$")
_ABOVE = 4  # lines, of the step's name


def workflow_table(
    ctx: PageContext, is_shown: Callable[[str], bool] = is_telling
) -> list[str]:
    """Return a table of the workflows with the commands that are to be shown."""
    by_file: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in ctx.analysis.facts("ci"):
        by_file[fact.file].append(fact)
    rows: list[list[str]] = []
    for file, jobs in by_file.items():
        found = _commands(ctx, jobs, is_shown)
        if found and len(rows) < _WORKFLOWS:
            shown = ", ".join(list(found)[:_COMMANDS])
            more = ", …" if len(found) > _COMMANDS else ""
            marks = _cite(ctx, list(found.values())[:_COMMANDS])
            rows.append([_name(ctx, file, jobs), shown + more + marks])
    return table([ctx.say("Workflow"), ctx.say("What it runs")], rows)


def workflow_commands(ctx: PageContext) -> Iterator[tuple[str, str]]:
    """Yield the commands of all workflows, each with the citation of its lines."""
    for fact in ctx.analysis.facts("ci"):
        for command in _run_by(ctx, fact):
            place = _lines_of(ctx, fact, command)
            yield command, ctx.book.cite(fact.file, *place)


def _commands(
    ctx: PageContext, jobs: Sequence[SurveyFact], is_shown: Callable[[str], bool]
) -> dict[str, tuple[SurveyFact, str]]:
    """Return the commands as code, each once with its job and its text."""
    found: dict[str, tuple[SurveyFact, str]] = {}
    for fact in jobs:
        for command in map(without_assignments, _run_by(ctx, fact)):
            if is_shown(command) and (text := abbreviated(command)):
                found.setdefault(text, (fact, command))
    return found


def _run_by(ctx: PageContext, fact: SurveyFact) -> Iterator[str]:
    run = fact.data.get("run") or []
    steps = [run] if isinstance(run, str) else [str(step) for step in run]
    folded = _folded(ctx, fact)
    for step in steps:
        first = " ".join(step.partition("\n")[0].split())
        yield from commands_in(" ".join(step.split()) if first in folded else step)


def _folded(ctx: PageContext, fact: SurveyFact) -> set[str]:
    """Return the first lines of the scripts that are one command over several lines."""
    lines = ctx.analysis.lines.of(fact.file)[fact.start_line - 1 : fact.end_line]
    return {
        " ".join(below.split())
        for above, below in pairwise(lines)
        if _FOLDS.search(above)
    }


def _cite(ctx: PageContext, shown: Sequence[tuple[SurveyFact, str]]) -> str:
    places = dict.fromkeys(
        (fact.file, *_lines_of(ctx, fact, command)) for fact, command in shown
    )
    return "".join(ctx.book.cite(*place) for place in list(places)[:_PLACES])


def _lines_of(ctx: PageContext, fact: SurveyFact, command: str) -> tuple[int, int]:
    """Return the lines of a short job, of a long one those up to the command's end."""
    first, last = fact.start_line, fact.end_line
    if last - first < MOST_LINES:
        return first, last
    lines = ctx.analysis.lines.of(fact.file)[first - 1 : last]
    begin = command[:_BEGINNING]
    found = (
        n for n, line in enumerate(lines, first) if begin in " ".join(line.split())
    )
    at = next(found, first)
    return max(first, at - _ABOVE), at


def _name(ctx: PageContext, file: int, jobs: Sequence[SurveyFact]) -> str:
    path = ctx.path(ctx.analysis.files[file])
    titles = (str(fact.data.get("workflow") or "") for fact in jobs)
    title = clean(next(filter(None, titles), ""), ctx.analysis.names)
    when = [fact.data.get("schedule") or [] for fact in jobs]
    times = ", ".join(f"`{time}`" for time in next(filter(None, when), []))
    named = f"{title} ({path})" if title else path
    return ctx.say("{name}, at {times}", name=named, times=times) if times else named

"""The page on tests: how to run them, what each group exercises, what none does."""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.wiki.analysis import CODE_ROLES
from devrag.wiki.prose import cited
from devrag.wiki.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.build import make_targets, map_jobs
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.start import section_about

_TESTING = re.compile(r"\btest|テスト", re.IGNORECASE)
_RUNNER = re.compile(r"\b(pytest|tox|unittest|manage\.py test|npm test|test)\b")
_JOBS_SHOWN = 3
_GROUPS_SHOWN = 25
_DEPTH = 2
_PARTS_SHOWN = 6


def write_testing(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    tests = ctx.analysis.with_role("test")
    blocks = [f"# {ctx.page.title}", _size(ctx, tests)]
    how = [*section_about(ctx, _TESTING), *_commands(ctx)]
    if how:
        blocks += [ctx.say("## How to run them"), *how]
    return [*blocks, *_fixtures(ctx, tests), *_groups(ctx, tests), *_untested(ctx)]


def _size(ctx: PageContext, tests: list[SurveyFile]) -> str:
    cases = sum(
        1
        for file in tests
        for symbol in ctx.analysis.symbols_of.get(file.id, [])
        if symbol.name.startswith("test_") and symbol.kind in {"function", "method"}
    )
    told = (
        phrase("The tests are {cases} in {files} with {lines}.")
        if cases
        else phrase("The tests are {files} with {lines}.")
    )
    return ctx.say(
        told,
        cases=ctx.counted(cases, "test function"),
        files=ctx.counted(len(tests), "file"),
        lines=ctx.counted(sum(file.lines for file in tests), "line"),
    )


def _commands(ctx: PageContext) -> list[str]:
    """Return make targets and CI jobs that by name or command run tests."""
    targets = [
        fact for fact in ctx.analysis.facts("make_target") if _TESTING.search(fact.name)
    ]
    jobs = [
        fact
        for fact in ctx.analysis.facts("ci")
        if _RUNNER.search(" ".join([fact.name, str(fact.data.get("run") or "")]))
    ]
    made = make_targets(ctx, targets, "")[1:]
    listed = [f"- {text}" for text in map_jobs(ctx, jobs[:_JOBS_SHOWN])]
    return [*made, *(["\n".join(listed)] if listed else [])]


def _fixtures(ctx: PageContext, tests: list[SurveyFile]) -> list[str]:
    items = [
        f"- **{ctx.path(file)}**: {text}"
        for file in tests
        if file.stem == "conftest" and (text := ctx.file_purpose(file))
    ]
    return [ctx.say("## What they share"), "\n".join(items)] if items else []


def _groups(ctx: PageContext, tests: list[SurveyFile]) -> list[str]:
    groups: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
    for file in tests:
        folder = "/".join(file.directory.split("/")[:_DEPTH])
        groups[file.source, folder].append(file)
    items = []
    ranked = sorted(groups.items(), key=lambda g: (-len(g[1]), g[0]))
    for (_, folder), files in ranked:
        if text := _group(ctx, folder, files):
            items.append(text)
    if not items:
        return []
    return [ctx.say("## What they exercise"), "\n".join(items[:_GROUPS_SHOWN])]


def _group(ctx: PageContext, folder: str, files: list[SurveyFile]) -> str:
    ids = {file.id for file in files}
    reached: dict[int, int] = defaultdict(int)
    first: dict[int, tuple[int, int]] = {}
    for item in ctx.analysis.imports:
        part = ctx.analysis.part_of.get(item.target)
        if item.file in ids and part is not None:
            reached[part] += 1
            first.setdefault(part, (item.file, item.line))
    if not reached:
        return ""
    ranked = sorted(reached, key=lambda p: (-reached[p], p))
    shown = [ctx.part(p) for p in ranked[:_PARTS_SHOWN]]
    file, line = first[ranked[0]]
    told = ctx.say(
        "**{folder}** ({files}) exercises {parts}.",
        folder=f"`{folder}/`" if folder else ctx.say("The top directory"),
        files=ctx.counted(len(files), "file"),
        parts=ctx.listed(shown, len(ranked) - len(shown), "other part"),
    )
    return "- " + cited(told, ctx.book.cite(file, line, line))


def _untested(ctx: PageContext) -> list[str]:
    analysis = ctx.analysis
    reached = {i.target for i in analysis.imports if analysis.roles[i.file] == "test"}
    reached |= {
        analysis.symbols[use.target].file
        for use in analysis.uses
        if analysis.roles[use.file] == "test"
    }
    if not reached:
        return []
    missing = [
        index
        for index, part in enumerate(ctx.analysis.parts)
        if not any(file.id in reached for file in part.files)
        and any(ctx.analysis.symbols_of.get(file.id) for file in part.files)
        and any(ctx.analysis.roles[file.id] in CODE_ROLES for file in part.files)
    ]
    if not missing:
        return []
    told = ctx.say(
        "No test imports {parts}; tests may still reach it through other parts.",
        parts=ctx.listed([ctx.part(p) for p in missing[:12]]),
    )
    return [ctx.say("## What no test imports"), told]

"""The page on tests: how to run them, what each group exercises, what none does."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from devrag.wiki.analysis import CODE_ROLES
from devrag.wiki.imports import Import
from devrag.wiki.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.inventory import named
from devrag.wiki.writing.start import section_about
from devrag.wiki.writing.tables import table

_TESTING = re.compile(r"\btest|テスト", re.IGNORECASE)
_RUNNER = re.compile(r"\b(pytest|tox|unittest|manage\.py test|npm test|test)\b")
_GROUPS_SHOWN = 40
_PARTS_SHOWN = 4
_FILES_SHOWN = 4


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
    targets = [f for f in ctx.analysis.facts("make_target") if _TESTING.search(f.name)]
    jobs = [
        fact
        for fact in ctx.analysis.facts("ci")
        if _RUNNER.search(" ".join([fact.name, str(fact.data.get("run") or "")]))
    ]
    told = []
    if targets:
        told.append(
            ctx.say("Make runs them: {names}.", names=named(ctx, targets, "make "))
        )
    if jobs:
        told.append(
            ctx.say("In continuous integration run {names}.", names=named(ctx, jobs))
        )
    link = ctx.link(ctx.say("Build and run"), "build-and-run.md")
    more = [ctx.say("More on this: {link}.", link=link)] if told else []
    return [" ".join([*told, *more])] if told else []


def _fixtures(ctx: PageContext, tests: list[SurveyFile]) -> list[str]:
    items = [
        f"- **{ctx.path(file)}**: {text}"
        for file in tests
        if file.stem == "conftest" and (text := ctx.file_purpose(file))
    ]
    return [ctx.say("## What they share"), "\n".join(items)] if items else []


def _groups(ctx: PageContext, tests: list[SurveyFile]) -> list[str]:
    """Return a table of the folders with tests, the fullest first."""
    groups = _by_folder(tests)
    ordered = sorted(groups.items(), key=lambda g: (-len(g[1]), g[0]))
    rows = [
        [f"{_folder(ctx, *place)} ({ctx.counted(len(files), 'file')})", reached]
        for place, files in ordered
        if (reached := _exercised(ctx, files) or _named(ctx, files))
    ]
    head = [ctx.say("Where"), ctx.say("What they exercise")]
    return [ctx.say("## What they exercise"), *table(head, rows)] if rows else []


def _by_folder(tests: list[SurveyFile]) -> dict[tuple[str, str], list[SurveyFile]]:
    """Group tests by folder, as deep as a table of bearable length allows."""
    depth = max((file.directory.count("/") for file in tests), default=0) + 1
    while True:
        groups: dict[tuple[str, str], list[SurveyFile]] = defaultdict(list)
        for file in tests:
            folder = "/".join(file.directory.split("/")[:depth])
            groups[file.source, folder].append(file)
        if len(groups) <= _GROUPS_SHOWN or depth == 1:
            return groups
        depth -= 1


def _folder(ctx: PageContext, source: str, folder: str) -> str:
    if not folder:
        return ctx.say("The top directory")
    if ctx.analysis.has_several_sources:
        return ctx.say("`{path}` of {source}", path=f"{folder}/", source=source)
    return f"`{folder}/`"


def _exercised(ctx: PageContext, files: list[SurveyFile]) -> str:
    """Return the parts that the tests of a folder use, most used first."""
    ids = {file.id for file in files}
    reached: Counter[int] = Counter()
    first: dict[int, Import] = {}
    for tie in ctx.analysis.ties:
        part = ctx.analysis.part_of.get(tie.target)
        if tie.file in ids and part is not None:
            reached[part] += 1
            first.setdefault(part, tie)
    ranked = sorted(reached, key=lambda p: (-reached[p], p))
    shown = [ctx.part(p) + ctx.cite_tie(first[p]) for p in ranked[:_PARTS_SHOWN]]
    return ctx.listed(shown, len(ranked) - len(shown), "other part")


def _named(ctx: PageContext, files: list[SurveyFile]) -> str:
    """Return the first files' names: of tests that reach no part in a provable way."""
    held = [file for file in files if file.lines > 1]
    shown = [ctx.code(f.name) + ctx.cite_file(f) for f in held[:_FILES_SHOWN]]
    return ctx.listed(shown, len(held) - len(shown))


def _untested(ctx: PageContext) -> list[str]:
    analysis = ctx.analysis
    reached = {i.target for i in analysis.ties if analysis.roles[i.file] == "test"}
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
        "No test uses {parts} directly; tests may still reach it through other parts.",
        parts=ctx.listed([ctx.part(p) for p in missing[:12]]),
    )
    return [ctx.say("## What no test uses"), told]

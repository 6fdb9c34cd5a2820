"""How the tests are run: what documents, make, package managers and CI type."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.roles import is_of_build
from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.evidence.blocks import fenced
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.shell import (
    LONGEST_SCRIPT,
    abbreviated,
    of_recipe,
    plain,
    runs_tests,
)
from devrag.wiki.writing.structural.start import code_blocks, section_about
from devrag.wiki.writing.structural.workflows import workflow_commands, workflow_table

_TITLE = re.compile(r"\btest|テスト", re.IGNORECASE)
_NAME = re.compile(r"(^|[-_:/.])test", re.IGNORECASE)
_LINES_SHOWN = 12
_ALL = {"test", "tests", "check"}
# Without a choice of tests, and without what only CI knows.
_RUNS_ALL = re.compile(
    r"^(?:tox(?: r(?:un)?)?|nox|pytest|python3? -m pytest|go test(?: -\w+)* \./\.\.\."
    r"|cargo test|make (?:test|check)|npm (?:run )?test|yarn test|pnpm test|rake"
    r"(?: test| spec)?|rspec|mvn (?:test|verify)|\./gradlew (?:test|check)|dotnet test"
    r"|mix test|phpunit|swift test|ctest)$"
)


def how_to_test(ctx: PageContext) -> list[str]:
    """Return what runs tests, documents first."""
    said = section_about(ctx, _TITLE)
    main = _main_command(ctx, "\n".join(b for b in said if b.startswith("```")))
    if not any(block.startswith("```") for block in said):
        said += _documented(ctx)
    items = [*_targets(ctx), *_scripts(ctx)]
    listed = "\n".join(f"- {item}" for item in items)
    link = ctx.link_to("build")
    more = ctx.say("More on this: {link}.", link=link)
    workflows = workflow_table(ctx, runs_tests)
    told = [ctx.say("Continuous integration runs:"), *workflows] if workflows else []
    return [
        *main,
        *said,
        *([listed] if items else []),
        *told,
        *([more] if items else []),
    ]


def _main_command(ctx: PageContext, quoted: str) -> list[str]:
    """Return the command that runs all tests, [] where documents say it.

    quoted: the code of what they say of tests.
    """
    for command, marker in _candidates(ctx):
        if re.search(rf"^\W*{re.escape(command)}\s*$", quoted, re.MULTILINE):
            return []
        told = phrase("Run the tests with {command}.")
        return [cited(ctx.say(told, command=f"`{command}`"), marker)]
    return []


def _candidates(ctx: PageContext) -> Iterator[tuple[str, str]]:
    """Yield the commands that run all tests: of a target, a script, of CI."""
    for fact in ctx.analysis.facts("make_target"):
        recipe = of_recipe([str(line) for line in fact.data.get("run") or []])
        is_of_top = "/" not in ctx.analysis.files[fact.file].path
        if fact.name in _ALL and is_of_top and any(map(runs_tests, recipe)):
            yield (
                f"make {fact.name}",
                ctx.book.cite(fact.file, fact.start_line, fact.end_line),
            )
    for fact in filter(is_of_build, ctx.analysis.facts("command")):
        is_of_top = "/" not in ctx.analysis.files[fact.file].path
        if fact.name == "test" and fact.data.get("framework") == "npm" and is_of_top:
            yield "npm test", ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    for command, marker in workflow_commands(ctx):
        bare = plain(command)
        if runs_tests(bare) and _RUNS_ALL.match(bare):
            yield bare, marker


def _documented(ctx: PageContext) -> list[str]:
    """Return the lines of the guides' first code block with some that run tests."""
    for file, block in code_blocks(ctx):
        lines = block.text.split("\n")
        tests = [n for n, line in enumerate(lines) if runs_tests(line)][:_LINES_SHOWN]
        if tests:
            first = block.start_line + 1
            cite = ctx.book.cite(file.id, first + tests[0], first + tests[-1])
            told = ctx.say("{path} runs them by:", path=ctx.path(file))
            commands = "\n".join(lines[n].strip() for n in tests)
            return [cited(told, cite), fenced(commands, block.language)]
    return []


def _targets(ctx: PageContext) -> Iterator[str]:
    for fact in ctx.analysis.facts("make_target"):
        recipe = of_recipe([str(line) for line in fact.data.get("run") or []])
        run = next(filter(runs_tests, recipe), "")
        if run or _NAME.search(fact.name):
            yield _asked(ctx, fact, f"make {fact.name}", run)


def _scripts(ctx: PageContext) -> Iterator[str]:
    for fact in filter(is_of_build, ctx.analysis.facts("command")):
        run = str(fact.data.get("run") or "")
        if runs_tests(run) or _NAME.search(fact.name):
            asked = f"{fact.data.get('framework')} run {fact.name}"
            yield _asked(ctx, fact, asked, run)


def _asked(ctx: PageContext, fact: SurveyFact, asked: str, run: str) -> str:
    """Return what one types and what it runs, where that is short enough."""
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    command = abbreviated(run, LONGEST_SCRIPT)
    if not command:
        return f"**`{asked}`**{marker}"
    told = phrase("**`{asked}`**: {command}")
    return cited(ctx.say(told, asked=asked, command=command), marker)

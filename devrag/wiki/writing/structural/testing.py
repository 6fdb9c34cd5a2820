"""The page on tests: how to run them, what each group exercises, what none does."""

from __future__ import annotations

from collections import Counter, defaultdict

from devrag.wiki.analysis.analysis import CODE_ROLES
from devrag.wiki.analysis.imports import FileImport
from devrag.wiki.analysis.named_in_tests import NamedInTest, named_in_tests
from devrag.wiki.analysis.requested_routes import RequestedRoute, requested_routes
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table
from devrag.wiki.writing.structural.test_commands import how_to_test
from devrag.wiki.writing.structural.test_files import list_test_files
from devrag.wiki.writing.structural.topic_page.relations import linked_topics

_GROUPS_SHOWN = 40
_PARTS_SHOWN = 6
_FILES_COUNTED = 8
_FILES_SHOWN = 4
_UNTESTED_SHOWN = 12
_NONE_OF_ONE = phrase(
    "No test imports {parts} or names its definitions; tests may still reach it "
    "through other code."
)
_NONE_OF_SOME = phrase(
    "No test imports {parts} or names their definitions; tests may still reach "
    "them through other code."
)


def write_testing(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    tests = ctx.analysis.with_role("test")
    blocks = [f"# {ctx.page.title}", _size(ctx, tests)]
    if how := how_to_test(ctx):
        blocks += [ctx.say("## How to run them"), *how]
    return [
        *blocks,
        *_fixtures(ctx, tests),
        *_groups(ctx, tests),
        *list_test_files(ctx, tests),
        *_untested(ctx),
    ]


def count_tests(ctx: PageContext) -> Places:
    """Return the number of test files for the summary."""
    tests = ctx.analysis.with_role("test")
    return {"tests": ctx.counted(len(tests), "test file")}


def _size(ctx: PageContext, tests: list[SurveyFile]) -> str:
    ids = {file.id for file in tests}
    facts = [f for f in ctx.analysis.survey.facts if f.kind == "test" and f.file in ids]
    programs = sum(1 for file in tests if file.kind == "code")
    # Of runners that are not understood most files would show no test at all.
    is_known = len({fact.file for fact in facts}) * 2 >= programs
    told = (
        phrase("The tests comprise {cases} in {files} ({lines}).")
        if facts and is_known
        else phrase("The tests are in {files} ({lines}).")
    )
    return ctx.say(
        told,
        cases=ctx.counted(len(facts), "test case"),
        files=ctx.counted(len(tests), "file"),
        lines=ctx.counted(sum(file.lines for file in tests), "line"),
    )


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
        [_folder(ctx, *place) + _counted(ctx, files), reached]
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


def _counted(ctx: PageContext, files: list[SurveyFile]) -> str:
    """Return how many files a folder has, each cited; nothing of many."""
    if len(files) > _FILES_COUNTED:
        return ""
    markers = "".join(map(ctx.cite_file, files))
    return f" ({ctx.counted(len(files), 'file')}{markers})"


def _exercised(ctx: PageContext, files: list[SurveyFile]) -> str:
    """Return the parts that the tests of a folder use, most used first."""
    ids = {file.id for file in files}
    reached: Counter[int] = Counter()
    first: dict[int, FileImport] = {}
    for tie in ctx.analysis.ties:
        topic = ctx.analysis.topic_of.get(tie.target)
        if tie.file in ids and topic is not None:
            reached[topic] += 1
            first.setdefault(topic, tie)
    ranked = sorted(reached, key=lambda p: (-reached[p], p))[:_PARTS_SHOWN]
    named = _parts_named(ctx, ids, set(ranked))
    if not ranked:
        return ctx.listed(named) or _requested(ctx, ids)
    imported = linked_topics(
        ctx, [(p, p) for p in ranked], 0, {(p, p): tie for p, tie in first.items()}
    )
    if not named:
        return imported
    also = phrase("{imported}; by name also {named}")
    return ctx.say(also, imported=imported, named=ctx.listed(named))


def _parts_named(ctx: PageContext, tests: set[int], known: set[int]) -> list[str]:
    """Return further parts of which tests name a definition, each with the first."""
    first: dict[int, NamedInTest] = {}
    for each in named_in_tests(ctx.analysis):
        if each.test in tests and each.topic not in known:
            first.setdefault(each.topic, each)
    shown = sorted(first)[:_PARTS_SHOWN]
    return [f"{ctx.topic(p)} ({_cite_named(ctx, first[p])})" for p in shown]


def _cite_named(ctx: PageContext, named: NamedInTest) -> str:
    marker = ctx.cite_lines(named.test, named.line, named.line)
    return ctx.symbol_name(named.symbol) + marker + ctx.cite_symbol(named.symbol)


def _requested(ctx: PageContext, tests: set[int]) -> str:
    """Return the parts whose routes tests request, each with the first such route."""
    first: dict[int, RequestedRoute] = {}
    for route in requested_routes(ctx.analysis):
        for topic in route.topics if route.test in tests else ():
            first.setdefault(topic, route)
    return ctx.listed([_by_route(ctx, p, first[p]) for p in [*first][:_PARTS_SHOWN]])


def _by_route(ctx: PageContext, topic: int, route: RequestedRoute) -> str:
    fact = route.route
    proof = ctx.cite_lines(route.test, route.line, route.line)
    proof += ctx.cite_lines(fact.file, fact.start_line, fact.end_line)
    return f"{ctx.topic(topic)} (`{route.path}`{proof})"


def _named(ctx: PageContext, files: list[SurveyFile]) -> str:
    """Return the first files' names: of tests that reach no part in a provable way."""
    held = [f for f in files if f.lines > 1 and f.name != "__init__.py"]
    names = [ctx.code(f.name) for f in held]
    return ctx.listed_cited(names, lambda n: ctx.cite_file(held[n]), _FILES_SHOWN)


def _untested(ctx: PageContext) -> list[str]:
    analysis = ctx.analysis
    reached = {i.target for i in analysis.ties if analysis.roles[i.file] == "test"}
    if not reached:
        return []
    requested = {t for route in requested_routes(analysis) for t in route.topics}
    requested |= {each.topic for each in named_in_tests(analysis)}
    missing = [
        index
        for index, topic in enumerate(ctx.analysis.topics)
        if index not in requested
        and not any(file.id in reached for file in topic.files)
        and any(ctx.analysis.symbols_of.get(file.id) for file in topic.files)
        and any(ctx.analysis.roles[file.id] in CODE_ROLES for file in topic.files)
    ]
    if not missing:
        return []
    told = _NONE_OF_ONE if len(missing) == 1 else _NONE_OF_SOME
    text = ctx.say(told, parts=_listed(ctx, missing))
    return [ctx.say("## What no test names"), text]


def _listed(ctx: PageContext, topics: list[int]) -> str:
    shown = [ctx.topic(p) for p in topics[:_UNTESTED_SHOWN]]
    return ctx.listed(shown, len(topics) - len(shown))

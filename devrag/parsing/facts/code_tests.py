"""Tests, told by what the test runners of a language go by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.code.definitions import CALLABLE, Definition
from devrag.parsing.code.engine import CodeAnalysis
from devrag.parsing.code.uses import NameUse
from devrag.parsing.facts.calls import Call, read_arguments, read_call
from devrag.parsing.facts.marks import marks_of
from devrag.parsing.facts.scopes import SCOPE_LIMIT, Scopes
from devrag.parsing.types import FactFacts

_JS = r"(.*[.\-_](test|spec)|test[.\-_].*)\.[cm]?[jt]sx?|(__tests__|tests?|spec|e2e)/.*"
_JVM = r"(src/\w*[tT]est\w*|tests?)/.*|.*(Test|Tests|TestCase|IT|Spec|Suite)\.\w+"
_PLAIN = r"(tests?|testing)/.*|(test_.*|.*_(test|tests|unittest))\.\w+"
# language: the paths of tests, from the beginning of one of their parts to the end.
_PATHS = {
    "go": r".*_test\.go",
    "rust": r"(tests|benches)/.*",
    "java": _JVM,
    "kotlin": _JVM,
    "scala": _JVM,
    "csharp": r"(tests?|\w+(\.\w+)*\.(Unit|Integration)?Tests?)/.*|.*Tests?\.cs",
    "swift": r"\w*Tests/.*|.*Tests?\.swift",
    "ruby": r".*_(spec|test)\.rb|(spec|test)/.*",
    "php": r"[tT]ests?/.*|.*Test\.php",
    "elixir": r".*_test\.exs|test/.*",
    "lua": r".*_spec\.lua|(spec|tests?)/.*",
    "javascript": _JS,
    "typescript": _JS,
    "tsx": _JS,
}
_COMPILED = {
    language: re.compile(rf"(?:.*/)?(?:{pattern})")
    for language, pattern in _PATHS.items()
}
_OTHER = re.compile(rf"(?:.*/)?(?:{_PLAIN})")
# What a test carries: annotations, attributes.
_JUNIT = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory"})
_MARKS = {
    "java": _JUNIT,
    "kotlin": _JUNIT,
    "rust": frozenset({"test", "rstest", "test_case"}),
    "csharp": frozenset({"Fact", "Theory", "Test", "TestCase", "TestMethod"}),
    "php": frozenset({"Test"}),
    "swift": frozenset({"Test"}),
}
# What its name begins with, in a class whose base's name ends so.
_CLASSES = {
    "java": ("test", r"TestCase"),
    "php": ("test", r"TestCase"),
    "ruby": ("test_", r"(Test|TestCase|Spec)"),
    "swift": ("test", r"TestCase"),
}
_GO_TEST = re.compile(r"(Test|Fuzz|Example)(?![a-z])\w*")
_GO_TYPES = {"Test": ["*testing.T"], "Fuzz": ["*testing.F"], "Example": []}
_BDD = frozenset({"describe", "context", "suite", "test.describe"})
_CASES = frozenset({"it", "test", "specify"})
# language: calls that group tests, calls that are one.
_CALLS = {
    "javascript": (_BDD, _CASES),
    "typescript": (_BDD, _CASES),
    "tsx": (_BDD, _CASES),
    "ruby": (_BDD | {"RSpec.describe"}, _CASES),
    "elixir": (frozenset({"describe"}), frozenset({"test", "property"})),
    "php": (frozenset({"describe"}), frozenset({"it", "test"})),
    "lua": (frozenset({"describe"}), frozenset({"it"})),
    "scala": (frozenset({"describe"}), frozenset({"it", "test", "property"})),
}
_VARIANT = re.compile(r"\.(only|skip|todo|each|concurrent|failing|serial)\b.*")
_BETWEEN = " › "


def is_test_path(analysis: CodeAnalysis) -> bool:
    """Return whether a file holds tests or what only tests use."""
    pattern = _COMPILED.get(analysis.language, _OTHER)
    return pattern.fullmatch(analysis.source.path) is not None


def tests_anywhere(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield the functions that an annotation or attribute makes a test."""
    for definition in analysis.definitions:
        if definition.kind in CALLABLE and _is_marked(analysis, definition):
            yield _test(definition)


def tests(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield a test per function or call that a test runner would run."""
    for definition in analysis.definitions:
        if definition.kind in CALLABLE and (
            _is_marked(analysis, definition) or _is_named_so(analysis, definition)
        ):
            yield _test(definition)
    yield from _called(analysis)


def _is_marked(analysis: CodeAnalysis, definition: Definition) -> bool:
    wanted = _MARKS.get(analysis.language, frozenset())
    return any(mark.name in wanted for mark in marks_of(definition))


def _test(definition: Definition) -> FactFacts:
    data = {"doc": definition.about.docstring.partition("\n")[0]}
    lines = definition.start_line, definition.end_line
    return FactFacts("test", definition.qualified_name, *lines, data)


def _is_named_so(analysis: CodeAnalysis, definition: Definition) -> bool:
    name = definition.about.name
    if analysis.language == "go":
        return _is_go_test(analysis, definition, name)
    start, base = _CLASSES.get(analysis.language, ("", ""))
    holder = definition.parent
    if not start or holder is None or not name.startswith(start):
        return False
    return any(re.search(rf"{base}$", written) for written, _ in holder.about.bases)


def _is_go_test(analysis: CodeAnalysis, definition: Definition, name: str) -> bool:
    match = _GO_TEST.fullmatch(name)
    if match is None:
        return False
    types = [parameter.type for parameter in definition.about.parameters]
    if definition.kind == "method":
        is_suite = any(i.path.endswith(".suite") for i in analysis.uses.imports)
        return is_suite and match[1] == "Test" and not types
    return types == _GO_TYPES[match[1]]


def _called(analysis: CodeAnalysis) -> Iterator[FactFacts]:
    """Yield `it("…", …)` and its like, named with the groups around it."""
    groups, cases = _CALLS.get(analysis.language, (frozenset(), frozenset()))
    roots = {name.partition(".")[0] for name in groups | cases}
    scopes: Scopes[str] = Scopes()
    for use in analysis.uses.uses if cases else ():
        if use.kind != "call" or use.name.partition(".")[0] not in roots:
            continue
        name = _VARIANT.sub("", use.name)
        if name not in groups and name not in cases:
            continue
        call = _whole(analysis, use)
        title = call.text(0) or call.named(0)
        if name in groups:
            scopes.add(call.node, title[:SCOPE_LIMIT])
        elif title:
            titles = [*scopes.around(call.node), title]
            whole = _BETWEEN.join(filter(None, titles))
            data = {"doc": ""}
            yield FactFacts("test", whole, call.start_line, call.end_line, data)


def _whole(analysis: CodeAnalysis, use: NameUse) -> Call:
    """Return the call with its title: `test.each(…)("…")`, `test("…") {…}`."""
    call = read_call(analysis.source, use)
    above = call.node.parent
    if above is None or above.child_by_field_name("function") != call.node:
        return call
    outer = read_arguments(analysis.source, above)
    return outer if outer.text(0) else Call(call.source, above, call.positional)

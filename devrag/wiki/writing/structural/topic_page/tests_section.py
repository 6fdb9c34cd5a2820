"""What the tests of a topic check, by the names of their cases."""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.exported_objects import exported_object
from devrag.wiki.analysis.named_in_tests import tests_naming
from devrag.wiki.analysis.names import escape
from devrag.wiki.analysis.passages import stands_alone
from devrag.wiki.analysis.prose import first_sentence
from devrag.wiki.analysis.test_cases import TestCase, cases_of
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext

_FILES = 3
_FILES_NAMED = 3
_READ = 12  # test files that are looked at for telling names
_CASES = 3
_HEAD = 3  # words in which two cases that are told differ
_NAMESAKE = 3
_TEST_AFFIX = re.compile(r"^tests?_?|[._]?(tests?|spec)$", re.IGNORECASE)
_LONGEST = 140
_LEAST_NAME = 4
_WORD = re.compile(r"\w+")


def tests_of(ctx: PageContext, index: int) -> list[str]:
    """Return the section on what tests of the topic check."""
    uses = _uses(ctx.analysis, ctx.analysis.topics[index])
    if not uses:
        return []
    files = sorted(uses, key=lambda f: (-uses[f][0], ctx.analysis.files[f].path))
    own = _own_words(ctx.analysis, index)
    cases = [
        f"- {ctx.path(ctx.analysis.files[f])}: {said}"
        for f in files[:_READ]
        if _closest_topic(ctx.analysis).get(f) == index
        and (said := _cases(ctx, f, own))
    ][:_FILES]
    names = ctx.listed_cited(
        [ctx.path(ctx.analysis.files[f]) for f in files],
        lambda n: ctx.book.cite(files[n], uses[files[n]][1], uses[files[n]][1]),
        _FILES_NAMED,
        "other test file",
    )
    used = phrase("It is used by the tests in {names}.")
    named = phrase("Its definitions are named in the tests {names}.")
    is_imported = _are_imported(ctx.analysis, ctx.analysis.topics[index])
    told = ctx.say(used if is_imported else named, names=names)
    where = ctx.say("How to run them: {link}.", link=ctx.link_to("testing"))
    lead = [ctx.say("The names of the cases:")] if cases else []
    text = " ".join([told, where, *lead])
    return [ctx.say("## Tests"), text, *(["\n".join(cases)] if cases else [])]


@cached_by_analysis
def _closest_topic(analysis: Analysis) -> dict[int, int]:
    """Return test file → the topic that it has most to do with: its cases are there."""
    found: dict[int, tuple[int, int]] = {}
    for index, topic in enumerate(analysis.topics):
        for file, (weight, _) in _uses(analysis, topic).items():
            best = found.get(file)
            if best is None or weight > best[0]:
                found[file] = weight, index
    return {file: index for file, (_, index) in found.items()}


def _uses(analysis: Analysis, topic: Topic) -> dict[int, tuple[int, int]]:
    """Return test file → how much it has to do with the topic, and where first."""
    own = {file.id for file in topic.files}
    reached: dict[int, set[int]] = defaultdict(set)
    first: dict[int, int] = {}
    for item in analysis.ties:
        if item.target in own and analysis.roles[item.file] == "test":
            reached[item.file].add(item.target)
            first.setdefault(item.file, item.line)
    if not reached:  # what they call may come from a module that passes it on
        for each in tests_naming(analysis, analysis.topics.index(topic)):
            reached[each.test].add(each.symbol.file)
            first.setdefault(each.test, each.line)
    stems = {file.stem.strip("_").lower() for file in topic.files}
    objects = {
        found.name.lower()
        for file in topic.files
        if (found := exported_object(analysis, file.id)) is not None
    }
    files = analysis.files
    return {
        f: (
            len(hit) + _NAMESAKE * _is_namesake(files[f].stem, stems, objects),
            first[f],
        )
        for f, hit in reached.items()
    }


def _are_imported(analysis: Analysis, topic: Topic) -> bool:
    own = {file.id for file in topic.files}
    ties = (item for item in analysis.ties if item.target in own)
    return any(analysis.roles[item.file] == "test" for item in ties)


def _is_namesake(stem: str, stems: set[str], objects: set[str]) -> bool:
    """Return whether a test bears the name of a file, or of an object that one exports.

    `res.send` does where a file of the topic exports the object `res`.
    """
    name = _TEST_AFFIX.sub("", stem).lower()
    return name in stems or name.partition(".")[0] in objects


def _own_words(analysis: Analysis, index: int) -> set[str]:
    """Return the names of a topic's definitions, in lower case."""
    return {
        symbol.name.lower()
        for file in analysis.topics[index].files
        for symbol in analysis.symbols_of.get(file.id, ())
        if len(symbol.name) >= _LEAST_NAME
    }


def _cases(ctx: PageContext, file: int, own: set[str]) -> str:
    """Return the first cases of a file, those before that name what the topic has."""
    lines = ctx.book.lines(file)
    symbols = ctx.analysis.symbols_of.get(file, [])
    told: list[str] = []
    seen = set[tuple[str, ...]]()
    language = ctx.analysis.files[file].language
    found = [(case, _said(ctx, case)) for case in cases_of(language, symbols, lines)]
    found.sort(key=lambda each: not own & set(_WORD.findall(each[1].lower())))
    for case, said in found:
        head = tuple(said.lower().split()[:_HEAD])
        if said and head not in seen and len(told) < _CASES:
            seen.add(head)
            told.append(said + ctx.book.cite(file, case.line, case.line + 3))
    return "; ".join(told) + "." if told else ""


def _said(ctx: PageContext, case: TestCase) -> str:
    """Return what a case checks: its docstring's words, else those of its name."""
    if case.symbol is None or not case.symbol.docstring:
        return escape(case.words)
    said = first_sentence(case.symbol.docstring, ctx.analysis.names, limit=_LONGEST)
    is_told = said and stands_alone(said)
    return ctx.wording.continued(said.rstrip(".。")) if is_told else ""

"""The table of test files: how many cases each has, and what some of them check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from devrag.wiki.analysis.names import escape
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.test_cases import TestCase, cases_of
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.tables import table

_FEWEST, _SHOWN = 3, 100
_CASES, _APART = 2, 2  # words in which two cases differ


def list_test_files(ctx: PageContext, tests: Sequence[SurveyFile]) -> list[str]:
    """Return the files with cases by path, of very many those with most of them."""
    own = {file.id for file in tests}
    facts = (fact for fact in ctx.analysis.survey.facts if fact.kind == "test")
    counts = Counter(fact.file for fact in facts if fact.file in own)
    held = [file for file in tests if counts[file.id]]
    if len(held) < _FEWEST:
        return []
    most = sorted(held, key=lambda f: (-counts[f.id], f.path))[:_SHOWN]
    rows = [
        [ctx.path(file) + ctx.cite_file(file), f"{counts[file.id]:,}", _some(ctx, file)]
        for file in sorted(most, key=lambda f: (f.source, f.path))
    ]
    head = [ctx.say("File"), ctx.say("Cases"), ctx.say("Among them")]
    left = len(held) - len(most)
    told = phrase("There are {count} more of this kind.")
    more = [ctx.say(told, count=left)] if left else []
    return [ctx.say("## Test files"), *table(head, rows), *more]


def _some(ctx: PageContext, file: SurveyFile) -> str:
    """Return the first cases of a file that differ, each cited."""
    symbols = ctx.analysis.symbols_of.get(file.id, [])
    found = cases_of(file.language, symbols, ctx.book.lines(file.id))
    chosen: dict[tuple[str, ...], TestCase] = {}
    for case in found:
        chosen.setdefault(tuple(case.words.lower().split()[:_APART]), case)
    shown = list(chosen.values())[:_CASES]
    return "; ".join(
        escape(case.words) + ctx.book.cite(file.id, case.line, case.line)
        for case in shown
    )

"""What the tests of a topic check, by the names of their cases."""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.wiki.analysis.passages import stands_alone
from devrag.wiki.analysis.prose import first_sentence
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.structural.context import PageContext

_FILES = 4
_CASES = 5
_LEAST_WORDS = 4
_LONGEST = 12
_PREFIX = re.compile(r"^(test|should|it)[_ ]?(?=[a-z_A-Z])", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|_+")


def tests_of(ctx: PageContext, index: int) -> list[str]:
    """Return the section on what tests of the topic check."""
    topic = ctx.analysis.topics[index]
    uses = _uses(ctx, topic)
    if not uses:
        return []
    files = sorted(uses, key=lambda f: (-uses[f][0], ctx.analysis.files[f].path))
    cases = [
        f"- {ctx.path(ctx.analysis.files[f])}: {said}"
        for f in files[: 2 * _FILES]
        if (said := _cases(ctx, f))
    ][:_FILES]
    shown = [
        ctx.path(ctx.analysis.files[f]) + ctx.book.cite(f, uses[f][1], uses[f][1])
        for f in files[:3]
    ]
    names = ctx.listed(shown, len(files) - len(shown), "other test file")
    told = ctx.say("It is exercised by {names}.", names=names)
    where = ctx.say("How to run them: {link}.", link=ctx.link_to("testing"))
    lead = [ctx.say("Cases that tests check, by their names:")] if cases else []
    listed = ["\n".join(cases)] if cases else []
    return [ctx.say("## Tests"), f"{told} {where}", *lead, *listed]


def _uses(ctx: PageContext, topic: Topic) -> dict[int, tuple[int, int]]:
    """Return test file → how many of the topic's files it uses, and where first."""
    own = {file.id for file in topic.files}
    reached: dict[int, set[int]] = defaultdict(set)
    first: dict[int, int] = {}
    for item in ctx.analysis.ties:
        if item.target in own and ctx.analysis.roles[item.file] == "test":
            reached[item.file].add(item.target)
            first.setdefault(item.file, item.line)
    stems = {file.stem.strip("_").lower() for file in topic.files}
    return {
        f: (len(hit) + 3 * _is_namesake(ctx.analysis.files[f].stem, stems), first[f])
        for f, hit in reached.items()
    }


def _is_namesake(stem: str, stems: set[str]) -> bool:
    bare = re.sub(r"^tests?_?|_?(tests?|spec)$", "", stem, flags=re.IGNORECASE)
    return bare.lower() in stems


def _cases(ctx: PageContext, file: int) -> str:
    own = [
        s
        for s in ctx.analysis.symbols_of.get(file, [])
        if s.kind in {"function", "method"}
    ]
    told: list[str] = []
    seen = set[str]()
    for symbol in own:
        said = _sentence(ctx, symbol)
        head = " ".join(said.split()[:3])
        if said and head not in seen and len(told) < _CASES:
            seen.add(head)
            told.append(said + ctx.book.cite(file, symbol.start_line, symbol.start_line + 3))
    return "; ".join(told) + "." if told else ""


def _sentence(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return what a test checks in words, '' where its name is no sentence."""
    if not _PREFIX.match(symbol.name):
        return ""
    if symbol.docstring and (
        said := first_sentence(symbol.docstring, ctx.analysis.names, limit=120)
    ):
        if stands_alone(said):
            return ctx.wording.continued(said.rstrip(".。"))
    words = [w.lower() for w in _HUMP.split(_PREFIX.sub("", symbol.name)) if w]
    return " ".join(words) if _LEAST_WORDS <= len(words) <= _LONGEST else ""

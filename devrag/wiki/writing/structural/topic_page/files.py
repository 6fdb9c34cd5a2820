"""The files of a topic, a line each, by directory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from devrag.wiki.analysis.survey import SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.analysis.visibility import is_exposed
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.topic_page.told import Told

_ROLES = {"code", "doc", "config", "build"}
_SHOWN = 24
_NAMES = 8
_NAMES_BESIDE = 4  # of a file that says what it is for
_NAMED = 8


def files_of(ctx: PageContext, index: int, told: Told) -> list[str]:
    """Return the section on the topic's files."""
    topic = ctx.analysis.topics[index]
    items: list[str] = []
    plain: list[SurveyFile] = []
    for file in _by_folder(ctx, topic):
        text = _line(ctx, file, told) if len(items) < _SHOWN else ""
        if text:
            items.append(f"- {text}")
        elif file.lines > 1:
            plain.append(file)
    if not items and not plain:
        return []
    listed = ["\n".join(items)] if items else []
    return [ctx.say("## Files"), *listed, *_rest(ctx, plain)]


def _by_folder(ctx: PageContext, topic: Topic) -> list[SurveyFile]:
    """Return the files, the directories with the most used ones first."""
    rank = ctx.analysis.file_rank
    told = [f for f in topic.files if ctx.analysis.roles[f.id] in _ROLES]
    weight: dict[tuple[str, str], float] = defaultdict(float)
    for file in told:
        weight[file.source, file.directory] += rank[file.id]
    return sorted(
        told,
        key=lambda f: (
            -weight[f.source, f.directory],
            f.source,
            f.directory,
            -rank[f.id],
            f.path,
        ),
    )


def _line(ctx: PageContext, file: SurveyFile, told: Told) -> str:
    """Return what a file says of itself, unless it is told; else what it defines."""
    name = f"**{ctx.path(file)}**"
    if said := ctx.file_purpose(file):
        names = _names(ctx, file, _NAMES_BESIDE, told.symbols)
        defined = ctx.say("It defines {names}.", names=names) if names else ""
        return f"{name}: {said} {defined}".rstrip()
    names = _names(ctx, file, _NAMES)
    return ctx.say("{file} defines {names}.", file=name, names=names) if names else ""


def _names(
    ctx: PageContext, file: SurveyFile, most: int, known: Collection[int] = ()
) -> str:
    """Return the most used definitions of a file, cited, those with words left out."""
    own = [s for s in ctx.defined_at(file) if s.id not in known]
    rank = ctx.analysis.symbol_rank
    hidden = {s.id for s in own if not is_exposed(ctx.analysis, s)}
    own.sort(key=lambda s: (s.id in hidden, -rank[s.id], s.start_line))
    shown = [ctx.symbol_name(s) for s in own]
    return ctx.listed_cited(shown, lambda n: _cite(ctx, own[n]), most) if own else ""


def _cite(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Cite the line in which a definition is named."""
    line = ctx.declaration(symbol).named
    return ctx.book.cite(symbol.file, line, line)


def _rest(ctx: PageContext, plain: list[SurveyFile]) -> list[str]:
    if not plain:
        return []
    names = [ctx.path(file) for file in plain]
    listed = ctx.listed_cited(names, lambda n: ctx.cite_file(plain[n]), _NAMED)
    return [ctx.say("Also here: {names}.", names=listed)]

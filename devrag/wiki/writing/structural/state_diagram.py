"""State machines as diagrams: which states there are and what leads where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.cached import cached_by_analysis
from devrag.wiki.analysis.model_relations import bare_name, fields_of
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.survey import SurveyFact, SurveySymbol
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import MOST_NODES, fence, message

_MACHINES = 3
_ENUMERATION = re.compile(r"(?:Enum|Flag|Choices)$")
_ANY = "*"
_TOLD = {
    True: phrase(
        "{name} knows {states} and begins with `{initial}`; an arrow leads from a "
        "state to one that may follow it."
    ),
    False: phrase(
        "{name} knows {states}; an arrow leads from a state to one that may follow it."
    ),
}


def states_of_topic(ctx: PageContext, topic: Topic) -> list[str]:
    """Return the section on the machines that a part's files declare."""
    own = {file.id for file in topic.files}
    return _section(ctx, [f for f in ctx.analysis.facts("states") if f.file in own])


def states_of_models(ctx: PageContext, models: Sequence[SurveyFact]) -> list[str]:
    """Return the section on the machines of these models, or of their fields' types."""
    found = [fact for fact in ctx.analysis.facts("states") if _is_of(ctx, fact, models)]
    return _section(ctx, found)


def _is_of(ctx: PageContext, fact: SurveyFact, models: Iterable[SurveyFact]) -> bool:
    """Return whether a machine stands in a model, or its enumeration is of one."""
    word = str(fact.data.get("enum") or "")
    enum = _enumeration(ctx, word) if word else None
    for model in models:
        is_inside = fact.file == model.file and (
            model.start_line <= fact.start_line <= model.end_line
        )
        names = enum.qualified_name.split(".") if enum else []
        kinds = " ".join(field.get("type", "") for field in fields_of(model))
        is_typed = enum is not None and bool(re.search(rf"\b{word}\b", kinds))
        if is_inside or is_typed or bare_name(model.name) in names[:-1]:
            return True
    return False


def _section(ctx: PageContext, facts: Iterable[SurveyFact]) -> list[str]:
    known = [
        fact
        for fact in facts
        if len(fact.data["states"]) < MOST_NODES
        and (not fact.data["enum"] or _enumeration(ctx, fact.data["enum"]))
    ]
    known.sort(key=lambda fact: -len(fact.data["transitions"]))
    blocks = [block for fact in known[:_MACHINES] for block in _told(ctx, fact)]
    return [ctx.say("## States and what leads where"), *blocks] if blocks else []


def _enumeration(ctx: PageContext, name: str) -> SurveySymbol | None:
    """Return the only enumeration of the index with this name."""
    analysis = ctx.analysis
    found = [
        symbol
        for symbol in analysis.symbols_named.get(name, ())
        if symbol.kind == "enum" or symbol.id in _enumerations(analysis)
    ]
    return found[0] if len(found) == 1 else None


@cached_by_analysis
def _enumerations(analysis: Analysis) -> frozenset[int]:
    """Return the classes that inherit from a type of enumerations."""
    return frozenset(
        reference.symbol
        for reference in analysis.survey.references
        if reference.symbol is not None
        and reference.kind == "inherit"
        and _ENUMERATION.search(reference.name)
    )


def _told(ctx: PageContext, fact: SurveyFact) -> list[str]:
    initial = fact.data["initial"]
    told = ctx.say(
        _TOLD[bool(initial)],
        name=ctx.code(fact.data["enum"] or fact.name.partition(".")[0]),
        states=ctx.counted(len(fact.data["states"]), "state"),
        **({"initial": initial} if initial else {}),
    )
    marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
    return [cited(told, marker), _chart(ctx, fact)]


def _chart(ctx: PageContext, fact: SurveyFact) -> str:
    steps = fact.data["transitions"]
    events: dict[tuple[str, str], list[str]] = {}
    for step in steps:
        events.setdefault((step["from"], step["to"]), []).append(step["event"])
    names = {state: message(state) for state in fact.data["states"]}
    if any(start == _ANY for start, _ in events):
        names[_ANY] = ctx.say("any state")
    ids = {state: f"s{number}" for number, state in enumerate(names)}
    lines = [f'  state "{name}" as {ids[state]}' for state, name in names.items()]
    if fact.data["initial"] in ids:
        lines.append(f"  [*] --> {ids[fact.data['initial']]}")
    for (start, end), listed in events.items():
        said = message(", ".join(filter(None, listed)))
        label = f" : {said}" if said else ""
        lines.append(f"  {ids[start]} --> {ids[end]}{label}")
    return fence("\n".join(["stateDiagram-v2", *lines]))

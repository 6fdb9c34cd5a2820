"""How models relate: entities with keys where they are stored, else classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from devrag.wiki.analysis.model_relations import (
    Tie,
    bare_name,
    fields_of,
    is_stored,
    relation_in,
    ties_of,
)
from devrag.wiki.analysis.survey import SurveyFact, field_names
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import fence

_FIELDS_DRAWN = 6
_MODELS_DRAWN = 12
_NAMES_DRAWN = 3
_FEWEST = 2
_OTHER_SIDE = {"one-to-many", "many-to-many"}
_OTHER_SIDE |= {"relationship", "has_one", "has_many", "hasOne"}
_MARKS = {"PK", "FK", "UK"}
_ENDS = {
    # kind: (how many of the owner, how many of the target at most)
    "many-to-one": ("}o", "|"),
    "one-to-one": ("|o", "|"),
    "many-to-many": ("}o", "{"),
}
_ALTERNATIVE = re.compile(r"\s*\|\s*None\b|\bNone\s*\|\s*")
_BEHIND = re.compile(r"[(\[<{].*|[|,;].*", re.DOTALL)
_ODD = re.compile(r"\W+")
_LEFT_OUT = phrase("The {count} models with the fewest ties are not drawn.")
_Models = Mapping[str, SurveyFact]


def relations_drawn(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    """Return the section that draws how models relate; none where hardly any do."""
    stored = _by_name([fact for fact in facts if is_stored(fact)])
    others = _by_name([fact for fact in facts if not is_stored(fact)])
    drawn = [*_entities(ctx, stored), *_classes(ctx, others)]
    return [ctx.say("## How they relate"), *drawn] if drawn else []


def _by_name(facts: Sequence[SurveyFact]) -> dict[str, SurveyFact]:
    """Return models by their bare names; of several the one that tells most."""
    told = sorted(facts, key=lambda fact: len(fields_of(fact)))
    return {bare_name(fact.name): fact for fact in told}


def most_tied_first(facts: Sequence[SurveyFact]) -> list[SurveyFact]:
    """Order models by how many others they refer to or are referred to by."""
    models = _by_name(facts)
    pairs = _references(models) | {(tie.owner, tie.target) for tie in ties_of(models)}
    ties = Counter(name for pair in pairs for name in pair)
    return sorted(facts, key=lambda fact: -ties[bare_name(fact.name)])


def _entities(ctx: PageContext, models: _Models) -> list[str]:
    """Draw stored models with their keys, and how many belong to how many."""
    ties = ties_of(models)
    drawn, left = _most_tied([(tie.owner, tie.target) for tie in ties])
    kept = [tie for tie in ties if {tie.owner, tie.target} <= drawn]
    if len(kept) < _FEWEST:
        return []
    lines = ["erDiagram"]
    for name in sorted(drawn):
        lines += [f"  {_quoted(name)} {{", *_attributes(models[name]), "  }"]
    lines += [_line(tie) for tie in kept]
    told = ctx.say(
        "A line forks where there are many and has a circle where there may be none. "
        "Fields whose names tell more than the model they lead to stand on it."
    )
    return [" ".join([told, *_not_drawn(ctx, left)]), fence("\n".join(lines))]


def _line(tie: Tie) -> str:
    owner, target = _ENDS[tie.kind]
    least = "|" if tie.is_required else "o"
    ends = f"{owner}--{least}{target}"
    said = _quoted(_label(tie))
    return f"  {_quoted(tie.owner)} {ends} {_quoted(tie.target)} : {said}"


def _label(tie: Tie) -> str:
    """Return the fields of a tie, nothing where the other model's name says it."""
    if len(tie.names) == 1 and _letters(tie.names[0]) == _letters(tie.target):
        return ""
    more = ", …" if len(tie.names) > _NAMES_DRAWN else ""
    return ", ".join(tie.names[:_NAMES_DRAWN]) + more


def _letters(name: str) -> str:
    return name.lower().replace("_", "").removesuffix("id")


def _attributes(fact: SurveyFact) -> list[str]:
    """Return the first columns, keys before others."""
    marked = []
    for field in fields_of(fact):
        relation = relation_in(fact, field)
        if {relation, field.get("type", "")} & _OTHER_SIDE:
            continue
        marks = ["PK"] if field.get("key") == "primary" else []
        marks += ["FK"] if relation else []
        marked.append((field, marks))
    marked.sort(key=lambda item: item[1] == [])
    rows = [
        f"    {_word(_kind(field.get('type', '')))} {_word(field['name'])} "
        + ", ".join(marks)
        for field, marks in marked[:_FIELDS_DRAWN]
    ]
    return [row.rstrip() for row in rows]


def _kind(written: str) -> str:
    """Return the outermost word of a type: `Mapped[int | None]` → `int`."""
    return _BEHIND.sub("", _ALTERNATIVE.sub("", written)).strip()


def _word(text: str) -> str:
    """Return a word that Mermaid takes for a type or name."""
    bare = _ODD.sub("_", text).strip("_")
    return bare if bare[:1].isalpha() and bare not in _MARKS else f"_{bare}"


def _quoted(name: str) -> str:
    return '"{}"'.format(re.sub(r'["%\\\n]', "", name))


def _classes(ctx: PageContext, models: _Models) -> list[str]:
    """Draw what is exchanged as classes that refer to each other."""
    relations = _references(models)
    if len(relations) < _FEWEST:
        return []
    drawn, left = _most_tied(sorted(relations))
    ids = {name: f"m{number}" for number, name in enumerate(sorted(drawn))}
    lines = ["classDiagram"]
    for name, key in ids.items():
        fields = [f for f in field_names(models[name]) if f.isidentifier()]
        lines += [f'  class {key}["{name}"] {{']
        lines += [f"    {field}" for field in fields[:_FIELDS_DRAWN]]
        lines += ["  }"]
    kept = sorted((a, b) for a, b in relations if a in drawn and b in drawn)
    lines += [f"  {ids[a]} --> {ids[b]}" for a, b in kept]
    told = ctx.say(
        "An arrow points from the model that refers to the one it refers to."
    )
    return [" ".join([told, *_not_drawn(ctx, left)]), fence("\n".join(lines))]


def _references(models: _Models) -> set[tuple[str, str]]:
    """Return (model, other model that one of its fields refers to)."""
    found: set[tuple[str, str]] = set()
    for name, fact in models.items():
        for field in fields_of(fact):
            target = bare_name(field.get("to", ""))
            if target in models and target != name:
                found.add((name, target))
    return found


def _most_tied(pairs: Collection[tuple[str, str]]) -> tuple[set[str], int]:
    """Return models that hang together, and how many more have ties.

    Beginning at the one with most, always the one that is tied to most of them.
    """
    ties = Counter(name for pair in pairs for name in set(pair))
    drawn: set[str] = set()
    while len(drawn) < min(_MODELS_DRAWN, len(ties)):
        near = Counter(
            name
            for pair in pairs
            if len(drawn & set(pair)) == 1
            for name in pair
            if name not in drawn
        )
        rest = sorted(ties.keys() - drawn)
        drawn.add(max(rest, key=lambda name: (near[name], ties[name])))
    return drawn, len(ties) - len(drawn)


def _not_drawn(ctx: PageContext, left: int) -> list[str]:
    if not left:
        return []
    return [ctx.say(_LEFT_OUT, count=left)]

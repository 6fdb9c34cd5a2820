"""The most important hierarchy of a part, drawn as classes and what they inherit."""

from __future__ import annotations

from collections import Counter, defaultdict

from devrag.wiki.analysis.hierarchies import Hierarchy, hierarchy_of
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import fence, label

_METHODS = 4
_BESIDE = 4  # arrows
_LEFT_OUT = phrase("The {count} classes of lower rank are not drawn.")
_POSSIBLE = phrase(
    "Types that do not name an interface but have all of its methods are drawn as "
    "possible implementations."
)


def class_diagram(ctx: PageContext, topic: Topic) -> list[str]:
    """Return the section that draws who inherits or implements whom."""
    found = hierarchy_of(ctx.analysis, topic)
    if found is None:
        return []
    top = found.classes[0]
    heirs = [heir for heir in found.subtypes if heir.base == top.id]
    lines = (ctx.book.cite(h.file, h.line, h.line) for h in heirs)
    told = ctx.say(
        "An arrow leads from a class to what it inherits, a dashed one to the "
        "interface that it implements: {count} of those drawn build on {top}.",
        count=len(heirs),
        top=ctx.code(top.name),
    )
    notes = [cited(told, "".join(dict.fromkeys(lines)))]
    if any(heir.is_possible for heir in found.subtypes):
        notes.append(ctx.say(_POSSIBLE))
    if found.left_out:
        notes.append(ctx.say(_LEFT_OUT, count=found.left_out))
    return [ctx.say("## Who inherits whom"), " ".join(notes), _chart(ctx, found)]


def _chart(ctx: PageContext, found: Hierarchy) -> str:
    classes = sorted(found.classes, key=lambda s: (s.name, s.qualified_name))
    ids = {symbol.id: f"c{number}" for number, symbol in enumerate(classes)}
    methods, names = _methods(ctx, found), _names(ctx, found)
    # Many heirs beside each other would be too wide to be read.
    is_flat = len(found.subtypes) > _BESIDE
    lines = ["classDiagram", *(["  direction LR"] if is_flat else [])]
    for symbol in classes:
        head = f'  class {ids[symbol.id]}["{label(names[symbol.id])}"]'
        inner = ["    <<interface>>"] if symbol.kind == "interface" else []
        inner += [f"    {name}()" for name in methods[symbol.id]]
        lines += [f"{head} {{", *inner, "  }"] if inner else [head]
    arrows = (
        f"  {ids[heir.base]} {'<|..' if heir.is_implementing else '<|--'} "
        f"{ids[heir.symbol]}"
        for heir in found.subtypes
    )
    return fence("\n".join([*lines, *sorted(arrows)]))


def _names(ctx: PageContext, found: Hierarchy) -> dict[int, str]:
    """Return the classes' names, with the end of their path where two share one."""
    count = Counter(symbol.name for symbol in found.classes)
    places = {
        s.id: "/".join(ctx.analysis.files[s.file].path.split("/")[-2:])
        for s in found.classes
    }
    return {
        s.id: s.name if count[s.name] == 1 else f"{s.name} ({places[s.id]})"
        for s in found.classes
    }


def _methods(ctx: PageContext, found: Hierarchy) -> dict[int, list[str]]:
    """Return for each base its public methods, those first that heirs have, too."""
    own: dict[int, list[str]] = defaultdict(list)
    for symbol in found.classes:
        for other in ctx.analysis.symbols_of[symbol.file]:
            is_public = other.kind == "method" and other.is_public
            if (
                is_public
                and other.qualified_name.rpartition(".")[0] == symbol.qualified_name
            ):
                own[symbol.id].append(other.name)
    shown: dict[int, list[str]] = defaultdict(list)
    for base in sorted({heir.base for heir in found.subtypes}):
        heirs = [heir.symbol for heir in found.subtypes if heir.base == base]
        names = list(dict.fromkeys(n for n in own[base] if n.isidentifier()))
        names.sort(key=lambda name: -sum(name in own[heir] for heir in heirs))
        shown[base] = names[:_METHODS]
    return shown

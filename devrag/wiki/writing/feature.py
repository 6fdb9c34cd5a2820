"""The page of one part: what it is for, what is in it, who uses and tests it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.calls import Use
from devrag.wiki.imports import Import
from devrag.wiki.packages import Part
from devrag.wiki.prose import cited
from devrag.wiki.survey import SurveyFile
from devrag.wiki.wording import phrase
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.contracts import ties_of_part
from devrag.wiki.writing.diagrams import MOST_NODES, flowchart, readable
from devrag.wiki.writing.inventory import fact_items
from devrag.wiki.writing.mentions import first_of, first_paragraphs
from devrag.wiki.writing.paths import best_path, tell
from devrag.wiki.writing.summaries import front_file, part_summary, purpose

_FILES_SHOWN = 8
_SYMBOLS_SHOWN = 10
_SYMBOLS_PER_FILE = 3
_NAMES_SHOWN = 6
_USES_SHOWN = 5
_USES = {
    "call": (
        phrase("{name} is used by {where}."),
        phrase("{name} is used by {where} and in {others}."),
    ),
    "inherit": (
        phrase("{name} is the base of {where}."),
        phrase("{name} is the base of {where} and in {others}."),
    ),
    "decorator": (
        phrase("{name} decorates {where}."),
        phrase("{name} decorates {where} and in {others}."),
    ),
}


def write_feature(ctx: PageContext) -> list[str]:
    """Return the page's blocks."""
    index = ctx.page.part or 0
    part = ctx.analysis.parts[index]
    return [
        f"# {ctx.page.title}",
        *purpose(ctx, part),
        *_position(ctx, index),
        *_nested(ctx),
        *_contents(ctx, part),
        *_diagram(ctx, part),
        *_usage(ctx, index),
        *ties_of_part(ctx, index),
        *_path(ctx, index),
        *_facts(ctx, part),
        *_tests(ctx, part),
    ]


def _position(ctx: PageContext, index: int) -> list[str]:
    edges = ctx.analysis.part_edges
    used_by = {
        part: targets[index] for part, targets in edges.items() if index in targets
    }
    uses = edges.get(index, {})
    sentences = []
    if used_by:
        pairs = [(part, index) for part in ranked(used_by)]
        parts = linked_parts(ctx, pairs, 0)
        sentences.append(ctx.say("It is used by {parts}.", parts=parts))
    if uses:
        pairs = [(index, part) for part in ranked(uses)]
        parts = linked_parts(ctx, pairs, 1)
        sentences.append(ctx.say("It builds on {parts}.", parts=parts))
    return [" ".join(sentences)] if sentences else []


def ranked(weights: Mapping[int, float]) -> list[int]:
    """Return the keys, heaviest first."""
    return sorted(weights, key=lambda key: (-weights[key], key))


def linked_parts(ctx: PageContext, pairs: Sequence[tuple[int, int]], side: int) -> str:
    """Return the parts on one side of these imports, each with a line that shows it."""
    shown = [
        ctx.part(pair[side]) + cite_import(ctx, *pair) for pair in pairs[:_NAMES_SHOWN]
    ]
    return ctx.listed(shown, len(pairs) - len(shown), "other part")


def cite_import(ctx: PageContext, source: int, target: int) -> str:
    """Cite the first import by which one part uses another."""
    for item in ctx.analysis.imports:
        home = ctx.analysis.part_of.get(item.file)
        if home == source and ctx.analysis.part_of.get(item.target) == target:
            return ctx.book.cite(item.file, item.line, item.line)
    return ""


def _nested(ctx: PageContext) -> list[str]:
    """Return the pages below this one, each with its first sentence."""
    items = []
    for page in ctx.plan.pages:
        if page.parent == ctx.page.path and page.part is not None:
            said = part_summary(ctx, page.part)
            items.append(f"- {ctx.part(page.part)}{f': {said}' if said else ''}")
    title = ctx.say("## What has a page of its own")
    return [title, "\n".join(items)] if items else []


def _contents(ctx: PageContext, part: Part) -> list[str]:
    if len(part.files) == 1:
        return _definitions(ctx, part)
    shown = {"code", "doc", "config", "build"}
    files = [f for f in ctx.by_rank(part.files) if ctx.analysis.roles[f.id] in shown]
    front = front_file(part)
    items: list[str] = []
    plain: list[SurveyFile] = []
    for file in files:
        text = _said_of(ctx, file) if len(items) < _FILES_SHOWN else ""
        if file is front:
            continue
        symbols = _top_symbols(ctx, file) if len(items) < _FILES_SHOWN else ""
        if text or symbols:
            items.append(f"- **{_local(ctx, part, file)}**: {text or symbols}")
            if text and symbols:
                items[-1] += f" {symbols}"
        elif file.lines > 1:
            plain.append(file)
    blocks = [ctx.say("## What is in it"), "\n".join(items)] if items else []
    return [*blocks, *_rest(ctx, part, plain)]


def _said_of(ctx: PageContext, file: SurveyFile) -> str:
    if ctx.analysis.roles[file.id] != "doc":
        return ctx.file_purpose(file)
    paragraphs = first_paragraphs(ctx, file, 1)
    return first_of(paragraphs[0]) if paragraphs else ""


def _local(ctx: PageContext, part: Part, file: SurveyFile) -> str:
    inside = file.path.removeprefix(f"{part.path}/") if part.path else file.path
    return ctx.code(inside) if ctx.analysis.names.knows(inside) else ctx.path(file)


def _top_symbols(ctx: PageContext, file: SurveyFile) -> str:
    rank = ctx.analysis.symbol_rank
    own = [
        s
        for s in ctx.analysis.symbols_of.get(file.id, [])
        if s.is_public and s.docstring and ctx.is_top_level(s) and s.kind != "module"
    ]
    own.sort(key=lambda s: (-rank[s.id], s.start_line))
    return " ".join(
        f"{ctx.symbol_name(symbol)}: {text}"
        for symbol in own[:_SYMBOLS_PER_FILE]
        if (text := ctx.symbol_purpose(symbol))
    )


def _definitions(ctx: PageContext, part: Part) -> list[str]:
    items: list[str] = []
    for symbol in ctx.defined_in(part):
        text = ctx.symbol_purpose(symbol)
        if text and len(items) < _SYMBOLS_SHOWN:
            items.append(f"- **{ctx.symbol_name(symbol)}**: {text}")
    return [ctx.say("## What is in it"), "\n".join(items)] if items else []


def _rest(ctx: PageContext, part: Part, plain: list[SurveyFile]) -> list[str]:
    if not plain:
        return []
    names = [_local(ctx, part, file) for file in plain[:_NAMES_SHOWN]]
    listed = ctx.listed(names, len(plain) - len(names))
    first = ctx.analysis.symbols_of.get(plain[0].id, [])
    marker = ctx.cite_symbol(first[0]) if first else ""
    return [cited(ctx.say("Beside these there are {names}.", names=listed), marker)]


def _diagram(ctx: PageContext, part: Part) -> list[str]:
    labels = _nodes(ctx, part)
    if len(labels) > MOST_NODES:
        return _folders(ctx, part)
    edges, note = readable(labels, ctx.analysis.file_edges, ctx.wording)
    if sum(len(targets) for targets in edges.values()) < 2:
        return []
    told = [_most_imported(ctx, labels), ctx.say("An arrow means “imports”."), note]
    return [
        ctx.say("## How its files depend on each other"),
        " ".join(filter(None, told)),
        flowchart(labels, edges),
    ]


def _nodes(ctx: PageContext, part: Part) -> dict[int, str]:
    own = {file.id: file for file in part.files}
    edges = ctx.analysis.file_edges
    touched = {a for a in own if any(b in own for b in edges.get(a, ()))}
    touched |= {b for a in own for b in edges.get(a, ()) if b in own}
    return {
        i: own[i].path.removeprefix(f"{part.path}/") if part.path else own[i].path
        for i in sorted(touched)
        if own[i].name != "__init__.py" or own[i].lines > 20
    }


def _most_imported(ctx: PageContext, labels: dict[int, str]) -> str:
    importers: dict[int, list[int]] = defaultdict(list)
    for source in labels:
        for target in ctx.analysis.file_edges.get(source, ()):
            if target in labels:
                importers[target].append(source)
    top = max(importers, key=lambda t: (len(importers[t]), -t), default=None)
    if top is None or len(importers[top]) < 2:
        return ""
    markers = "".join(
        ctx.book.cite(item.file, item.line, item.line)
        for source in importers[top][:2]
        for item in [_import_between(ctx, source, top)]
    )
    told = ctx.say(
        "{file} is imported by {importers} of the {files} files here.",
        file=ctx.path(ctx.analysis.files[top]),
        importers=len(importers[top]),
        files=len(labels),
    )
    return cited(told, markers)


def _import_between(ctx: PageContext, source: int, target: int) -> Import:
    return next(
        i for i in ctx.analysis.imports if i.file == source and i.target == target
    )


def _folders(ctx: PageContext, part: Part) -> list[str]:
    """Draw a big part by its folders instead of its files."""
    folder: dict[int, str] = {}
    for file in part.files:
        inside = file.path.removeprefix(f"{part.path}/") if part.path else file.path
        folder[file.id] = inside.split("/")[0]
    names = sorted(set(folder.values()))
    order = {name: number for number, name in enumerate(names)}
    edges: dict[int, dict[int, float]] = defaultdict(dict)
    for source, targets in ctx.analysis.file_edges.items():
        for target in targets:
            if source in folder and target in folder:
                a, b = order[folder[source]], order[folder[target]]
                edges[a][b] = edges[a].get(b, 0.0) + 1
    labels = {
        n: names[n]
        for n in order.values()
        if edges.get(n) or any(n in t for t in edges.values())
    }
    drawn, note = readable(labels, edges, ctx.wording)
    if len(labels) > MOST_NODES or sum(len(t) for t in drawn.values()) < 2:
        return []
    return [
        ctx.say("## How its pieces depend on each other"),
        " ".join(filter(None, [ctx.say("An arrow means “imports”."), note])),
        flowchart(labels, drawn),
    ]


def _usage(ctx: PageContext, index: int) -> list[str]:
    grouped = _outer_uses(ctx, index)
    ranked = sorted(grouped, key=lambda t: (-len(grouped[t]), t))[:_USES_SHOWN]
    items = [_use_item(ctx, target, grouped[target]) for target in ranked]
    return [ctx.say("## How the rest uses it"), "\n".join(items)] if items else []


def _outer_uses(ctx: PageContext, index: int) -> dict[int, list[Use]]:
    analysis = ctx.analysis
    grouped: dict[int, list[Use]] = defaultdict(list)
    for use in analysis.uses:
        target = analysis.symbols[use.target]
        if analysis.part_of.get(target.file) != index:
            continue
        home = analysis.part_of.get(use.file)
        if home is not None and home != index:
            grouped[use.target].append(use)
    return grouped


def _use_item(ctx: PageContext, target: int, uses: Iterable[Use]) -> str:
    symbol = ctx.analysis.symbols[target]
    files = ctx.analysis.files
    found = sorted(uses, key=lambda u: (files[u.file].path, u.line))
    first = found[0]
    caller = ctx.analysis.symbols.get(first.source or 0)
    marker = ctx.book.cite(first.file, first.line, first.line)
    where = ctx.path(ctx.analysis.files[first.file])
    if caller is not None:
        name = ctx.symbol_name(caller)
        where = ctx.say("{name} in {path}", name=name, path=where)
    more = len({u.file for u in found}) - 1
    alone, among = _USES.get(first.kind, _USES["call"])
    told = ctx.say(
        among if more else alone,
        name=ctx.symbol_name(symbol),
        where=where,
        others=ctx.counted(more, "other file"),
    )
    return "- " + cited(told, marker)


def _path(ctx: PageContext, index: int) -> list[str]:
    path = best_path(ctx.analysis, index, set())
    return [ctx.say("## A way into it"), *tell(ctx, path)] if path else []


def _facts(ctx: PageContext, part: Part) -> list[str]:
    own = {file.id for file in part.files}
    blocks: list[str] = []
    for title, kinds in (
        (
            ctx.say("## Routes, commands and tasks"),
            ("route", "command", "task", "entry_point"),
        ),
        (ctx.say("## Its data"), ("model",)),
        (ctx.say("## Settings it reads"), ("setting",)),
    ):
        facts = [f for f in ctx.analysis.facts(*kinds) if f.file in own]
        if facts:
            blocks += [title, *fact_items(ctx, facts)]
    return blocks


def _tests(ctx: PageContext, part: Part) -> list[str]:
    own = {file.id for file in part.files}
    reached: dict[int, set[int]] = defaultdict(set)
    first: dict[int, int] = {}
    for item in ctx.analysis.imports:
        if item.target in own and ctx.analysis.roles[item.file] == "test":
            reached[item.file].add(item.target)
            first.setdefault(item.file, item.line)
    ranked = sorted(
        reached, key=lambda f: (-len(reached[f]), ctx.analysis.files[f].path)
    )
    if not ranked:
        return []
    shown = [
        ctx.path(ctx.analysis.files[f]) + ctx.book.cite(f, first[f], first[f])
        for f in ranked[:3]
    ]
    names = ctx.listed(shown, len(ranked) - len(shown), "other test file")
    link = ctx.link(ctx.say("Testing"), "testing.md")
    told = ctx.say("It is exercised by {names}.", names=names)
    where = ctx.say("How to run them: {link}.", link=link)
    return [ctx.say("## Tests"), f"{told} {where}"]

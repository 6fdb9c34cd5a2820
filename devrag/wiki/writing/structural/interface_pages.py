"""Pages on what can be called, what is stored and what can be set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from devrag.wiki.analysis.product_form import started
from devrag.wiki.analysis.settings import settings_of
from devrag.wiki.analysis.survey import SurveyFact
from devrag.wiki.planning.page_kind import Places
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.inventory import (
    IN_MEMORY,
    by_name,
    counts,
    counts_of,
    fact_item,
    fact_items,
    words_of,
)
from devrag.wiki.writing.structural.model_diagrams import (
    most_tied_first,
    relations_drawn,
)
from devrag.wiki.writing.structural.routes import route_tables
from devrag.wiki.writing.structural.state_diagram import states_of_models
from devrag.wiki.writing.structural.tables import table

_Tell = Callable[[PageContext, Sequence[SurveyFact]], list[str]]
_AGAIN_SHOWN = 12
_ROWS = 90
_LISTED = 24


def write_interfaces(ctx: PageContext) -> list[str]:
    """Return the page on commands, routes, tasks and what is started."""
    by_kind: dict[str, list[SurveyFact]] = defaultdict(list)
    for fact in started(ctx.analysis):
        by_kind[fact.kind].append(fact)
    told = ctx.say(
        "The code is started or called from outside through {entry_points}.",
        entry_points=count_entry_points(ctx)["found"],
    )
    return [
        f"# {ctx.page.title}",
        told,
        *_section(ctx.say("## How it is started"), _starts(ctx, by_kind)),
        *_section(ctx.say("## Commands"), _commands(ctx, by_kind["command"])),
        *_section(ctx.say("## Routes"), _by_part(ctx, by_kind["route"], route_tables)),
        *_section(ctx.say("## Background tasks"), _by_part(ctx, by_kind["task"])),
    ]


def count_entry_points(ctx: PageContext) -> Places:
    """Return how many entry points there are for the summary."""
    return {"found": counts_of(ctx, started(ctx.analysis))}


def _section(title: str, blocks: Sequence[str]) -> list[str]:
    return [title, *blocks] if any(blocks) else []


def _starts(ctx: PageContext, by_kind: Mapping[str, Sequence[SurveyFact]]) -> list[str]:
    """Return what starts the product; a file that only can be run is told by words."""
    items = []
    for fact in by_kind["entry_point"]:
        file = ctx.analysis.files[fact.file]
        said = ctx.file_purpose(file)
        is_script = fact.data.get("type") in {"script", "main"}
        if is_script and said:
            items.append(f"- **{ctx.path(file)}**: {said}")
        elif not is_script or not by_kind["command"]:
            items.append(fact_item(ctx, fact))
    return ["\n".join(list(dict.fromkeys(items))[:_LISTED])] if items else []


def _commands(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    """Return a table of the commands, each once, with what it does."""
    rows: dict[str, list[str]] = {}
    for fact in facts:
        marker = ctx.book.cite(fact.file, fact.start_line, fact.end_line)
        said = words_of(ctx, fact)
        if fact.name not in rows or (said and not rows[fact.name][1]):
            rows[fact.name] = [ctx.code(fact.name) + marker, said]
    shown = list(rows.values())[:_ROWS]
    blocks = table([ctx.say("Command"), ctx.say("What it does")], shown)
    if blocks and settings_of(ctx.analysis):
        link = ctx.link_to("configuration")
        blocks.append(ctx.say("Options of the commands: {link}.", link=link))
    return blocks


def _by_part(
    ctx: PageContext, facts: Sequence[SurveyFact], told: _Tell = fact_items
) -> list[str]:
    groups = _grouped(ctx, facts)
    if len(groups) < 2:
        return told(ctx, facts)
    blocks: list[str] = []
    for topic in sorted(groups):
        title = (
            ctx.topic_title(topic) if topic >= 0 else ctx.say("Files without a topic")
        )
        blocks += [f"### {title}", *told(ctx, groups[topic])]
    return blocks


def _grouped(
    ctx: PageContext, facts: Sequence[SurveyFact]
) -> dict[int, list[SurveyFact]]:
    """Group facts by part, -1 for what is in none."""
    groups: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in facts:
        groups[ctx.analysis.topic_of.get(fact.file, -1)].append(fact)
    return groups


def write_data_model(ctx: PageContext) -> list[str]:
    """Return the page on data, with diagrams of how models relate.

    What is kept or exchanged comes first; values that code hands on go by their names.
    """
    facts, again = _each_table_once(ctx.analysis.facts("model"))
    values = [f for f in facts if f.data.get("framework") in IN_MEMORY]
    lasting = [f for f in facts if f.data.get("framework") not in IN_MEMORY] or values
    told = phrase("The code declares {models}, listed by topic below.")
    return [
        f"# {ctx.page.title}",
        ctx.say(told, models=counts_of(ctx, lasting)),
        *relations_drawn(ctx, lasting),
        *states_of_models(ctx, lasting),
        ctx.say("## The models"),
        *_by_part(ctx, most_tied_first(lasting)),
        *_declared_again(ctx, again),
        *(_values(ctx, values) if lasting is not values else []),
    ]


def count_models(ctx: PageContext) -> Places:
    """Return how many models there are for the summary."""
    return {"found": counts(ctx, "model")}


def _each_table_once(
    facts: Sequence[SurveyFact],
) -> tuple[list[SurveyFact], list[SurveyFact]]:
    """Part facts from tables that another file declares too, for other databases.

    The file that declares most tables counts: a schema rather than its migrations.
    """
    tables = [fact for fact in facts if fact.data.get("framework") == "sql"]
    held = Counter(fact.file for fact in tables)
    chosen: dict[str, SurveyFact] = {}
    for fact in tables:
        known = chosen.setdefault(_bare(fact), fact)
        if held[fact.file] > held[known.file]:
            chosen[_bare(fact)] = fact
    again = [fact for fact in tables if chosen[_bare(fact)] is not fact]
    left_out = set(map(id, again))
    return [fact for fact in facts if id(fact) not in left_out], again


def _bare(fact: SurveyFact) -> str:
    return fact.name.rpartition(".")[2].lower()


def _declared_again(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    by_file: dict[int, list[SurveyFact]] = defaultdict(list)
    for fact in facts:
        by_file[fact.file].append(fact)
    if not by_file:
        return []
    files = sorted(
        by_file, key=lambda f: (-len(by_file[f]), ctx.analysis.files[f].path)
    )
    shown = [
        ctx.path(ctx.analysis.files[file]) + _first_and_last(ctx, by_file[file])
        for file in files[:_AGAIN_SHOWN]
    ]
    names = ctx.listed(shown, len(files) - len(shown))
    told = phrase("Tables of the same names are declared in {files}.")
    return [ctx.say(told, files=names)]


def _first_and_last(ctx: PageContext, facts: Sequence[SurveyFact]) -> str:
    marks = {fact.start_line: fact for fact in (facts[0], facts[-1])}
    return "".join(ctx.book.cite(f.file, line, line) for line, f in marks.items())


def _values(ctx: PageContext, facts: Sequence[SurveyFact]) -> list[str]:
    rows = []
    for topic, own in sorted(_grouped(ctx, facts).items()):
        where = ctx.topic(topic) if topic >= 0 else ctx.say("Files without a topic")
        rows.append([where, ctx.listed([by_name(ctx, fact) for fact in own])])
    if not rows:
        return []
    told = ctx.say("Beside these {count} classes only hold values.", count=len(facts))
    head = [ctx.say("Part"), ctx.say("Classes")]
    return [ctx.say("## Values that code hands on"), told, *table(head, rows)]

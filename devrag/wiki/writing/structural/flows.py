"""Flows as prose, numbered steps and a sequence diagram of those who take part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from devrag.wiki.analysis.boundaries import (
    DATABASE,
    FILE,
    NETWORK,
    PROCESS,
    QUEUE,
    STREAM,
    Boundary,
)
from devrag.wiki.analysis.flow_calls import Call, named_by
from devrag.wiki.analysis.flows import Flow, flows_of
from devrag.wiki.analysis.prose import cited
from devrag.wiki.analysis.survey import SurveySymbol
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import Message, fence, sequence_diagram

_CALL_LINES = 2  # beyond the first: a call over several lines
_LONGEST_MESSAGE = 48
_BEGINS = {
    "route": phrase("A request to {entry}"),
    "command": phrase("The command {entry}"),
    "task": phrase("The task {entry}"),
    "entry_point": phrase("The program {entry}"),
    "": phrase("A call of {entry}"),
}
_ACTORS = {
    "route": phrase("HTTP client"),
    "command": phrase("Command line"),
    "task": phrase("Task queue"),
    "entry_point": phrase("Command line"),
    "": phrase("Calling code"),
}
_ENDS = {
    NETWORK: phrase("{begin} reaches the network this way:"),
    DATABASE: phrase("{begin} reaches the database this way:"),
    QUEUE: phrase("{begin} reaches the queue this way:"),
    PROCESS: phrase("{begin} starts another process this way:"),
    FILE: phrase("{begin} reaches the file system this way:"),
    STREAM: phrase("{begin} reaches the caller's stream this way:"),
    "": phrase("{begin} reaches {last} this way:"),
}
_LEAVES = {
    NETWORK: phrase("There `{call}` hands it to the network."),
    DATABASE: phrase("There `{call}` asks the database."),
    QUEUE: phrase("There `{call}` hands it to the queue."),
    PROCESS: phrase("There `{call}` starts the other process."),
    FILE: phrase("There `{call}` accesses the file system."),
    STREAM: phrase("There `{call}` reads or writes the caller's stream."),
}
_OUTSIDE = {
    NETWORK: phrase("Network"),
    DATABASE: phrase("Database"),
    QUEUE: phrase("Queue"),
    PROCESS: phrase("Other process"),
    FILE: phrase("File system"),
    STREAM: phrase("Caller's stream"),
}
_OTHER_SYSTEMS = {NETWORK, DATABASE, QUEUE}
_RETURNED = re.compile(r"->\s*([\w.\[\], |]+?)\s*:?$")
_NOTHING = {"None", "void", "Any", ""}


def flow_of_topic(
    ctx: PageContext, topic: int, *, is_walked: bool = False
) -> list[str]:
    """Return the flow that teaches most about a topic as blocks; [] without one.

    What is traced in one sentence, the numbered steps, and a sequence diagram.
    is_walked: the page tells functions step by step, beside which a flow is worth its
    place only where it leads out of the product.
    """
    flow = flows_of(ctx.analysis).of_topic(topic)
    is_shown = flow is not None and not (is_walked and flow.end is None)
    return told_flow(ctx, flow) if flow and is_shown else []


def main_flows(
    ctx: PageContext, *, is_beside_tree: bool = False, kept: int = 0
) -> list[str]:
    """Return the flows that show most of the product, as blocks.

    One that a topic's page tells step by step is drawn, with the way there.
    is_beside_tree: what the main function calls is told; of other flows only those
    count that reach another system, after so many that are kept.
    """
    every = flows_of(ctx.analysis)
    blocks = []
    for number, flow in enumerate(every.main()):
        is_far = flow.end is not None and flow.end.kind in _OTHER_SYSTEMS
        if is_beside_tree and not is_far and number >= kept:
            continue
        topic = every.topic_of(flow)
        if topic is None:
            blocks += told_flow(ctx, flow)
        else:
            blocks += _drawn_flow(ctx, flow, topic)
    return blocks


def _drawn_flow(ctx: PageContext, flow: Flow, topic: int) -> list[str]:
    symbols = [ctx.analysis.symbols[s] for s in flow.symbols]
    told = ctx.say(
        "From {first} to {last}, as {page} tells step by step:",
        first=_entry_name(ctx, flow),
        last=ctx.symbol_name(symbols[-1]),
        page=ctx.topic(topic),
    )
    return [told, _chart(ctx, flow, symbols)]


def _entry_name(ctx: PageContext, flow: Flow) -> str:
    name = flow.entry.name if flow.entry else ""
    return ctx.code(name) if name else ctx.symbol_name(flow.start)


def told_flow(ctx: PageContext, flow: Flow) -> list[str]:
    """Return a flow as blocks."""
    symbols = [ctx.analysis.symbols[s] for s in flow.symbols]
    items = [f"1. {_first_step(ctx, flow)}"]
    for number, call in enumerate(flow.calls, 2):
        items.append(f"{number}. {_step(ctx, call)}")
    if flow.end is not None:
        items[-1] += f" {_leaving(ctx, symbols[-1], flow.end)}"
    return [_traced(ctx, flow, symbols), "\n".join(items), _chart(ctx, flow, symbols)]


def _traced(ctx: PageContext, flow: Flow, symbols: list[SurveySymbol]) -> str:
    kind = flow.entry.kind if flow.entry else ""
    begin = ctx.say(_BEGINS.get(kind, _BEGINS[""]), entry=_entry_name(ctx, flow))
    return ctx.say(
        _ENDS[flow.end.kind if flow.end else ""],
        begin=begin,
        last=ctx.symbol_name(symbols[-1]),
    )


def _first_step(ctx: PageContext, flow: Flow) -> str:
    symbol = flow.start
    told = ctx.say(
        "{name} in {path}.",
        name=ctx.symbol_name(symbol),
        path=ctx.path(ctx.analysis.files[symbol.file]),
    )
    fact = flow.entry
    entry = ctx.book.cite(fact.file, fact.start_line, fact.end_line) if fact else ""
    told = cited(told, entry + ctx.cite_symbol(symbol))
    return ctx.joined([told, ctx.symbol_purpose(symbol)])


def _step(ctx: PageContext, call: Call) -> str:
    """Return who is called, with the line of the call, and what it is for."""
    caller, callee = (ctx.analysis.symbols[s] for s in (call.caller, call.callee))
    line = ctx.book.cite(caller.file, call.line, call.line + _CALL_LINES)
    line += ctx.cite_member(caller)
    names = {
        "caller": ctx.symbol_name(caller),
        "name": ctx.symbol_name(callee),
        "path": ctx.path(ctx.analysis.files[callee.file]),
    }
    if call.is_possible:
        return _possible_step(ctx, call, line, names)
    if callee.file == caller.file:
        told = ctx.say("{caller} calls {name}.", **names)
    else:
        told = ctx.say("{caller} calls {name} in {path}.", **names)
    told = cited(told, line + ctx.cite_member(callee))
    return ctx.joined([told, ctx.symbol_purpose(callee)])


def _possible_step(
    ctx: PageContext, call: Call, line: str, names: Mapping[str, str]
) -> str:
    """Return which method is named, and which may run: that of an implementation."""
    callee = ctx.analysis.symbols[call.callee]
    named = named_by(ctx.analysis, call)
    if named is None:
        told = ctx.say("{caller} may call {name} in {path}.", **names)
    else:
        called = ctx.symbol_name(named)
        said = ctx.say("{caller} calls {name}.", **{**names, "name": called})
        line = f"{cited(said, line + ctx.cite_member(named))} "
        told = ctx.say("{name} in {path} is a possible implementation.", **names)
        return f"{line}{cited(told, ctx.cite_member(callee))}" + _for(ctx, callee)
    return cited(told, line + ctx.cite_member(callee)) + _for(ctx, callee)


def _for(ctx: PageContext, symbol: SurveySymbol) -> str:
    said = ctx.symbol_purpose(symbol)
    return f" {said}" if said else ""


def _leaving(ctx: PageContext, last: SurveySymbol, end: Boundary) -> str:
    call = " ".join(end.call.split()).replace("`", "")
    marker = ctx.book.cite(last.file, end.line, end.line + _CALL_LINES)
    return cited(ctx.say(_LEAVES[end.kind], call=call), marker)


def _chart(ctx: PageContext, flow: Flow, symbols: list[SurveySymbol]) -> str:
    """Draw the flow between classes, modules and what is outside."""
    kind = flow.entry.kind if flow.entry else ""
    actor = ctx.say(_ACTORS.get(kind, _ACTORS[""]))
    people = [_participant(ctx, symbol) for symbol in symbols]
    outside = ctx.say(_OUTSIDE[flow.end.kind]) if flow.end else ""
    if flow.end and flow.end.kind not in {FILE, PROCESS, STREAM}:
        outside = f"{outside} ({flow.end.system})"
    first = flow.entry.name if flow.entry and kind == "route" else _called(symbols[0])
    messages = [Message(actor, people[0], first)]
    messages += [
        Message(a, b, _called(symbol))
        for (a, b), symbol in zip(pairwise(people), symbols[1:], strict=True)
    ]
    if flow.end:
        said = flow.end.call.rpartition(".")[2][:_LONGEST_MESSAGE]
        messages.append(Message(people[-1], outside, f"{said}()"))
    if returned := _returned(symbols[0]):
        messages.append(Message(people[0], actor, returned, "-->>"))
    return fence(sequence_diagram(messages, actor=actor))


def _called(symbol: SurveySymbol) -> str:
    return f"new {symbol.name}()" if symbol.kind == "class" else f"{symbol.name}()"


def _participant(ctx: PageContext, symbol: SurveySymbol) -> str:
    """Return the class that a symbol is of, else its file."""
    if symbol.kind in {"class", "interface"}:
        return symbol.name
    owner = symbol.qualified_name.rpartition(".")[0].rpartition(".")[2]
    if symbol.kind == "method" and owner:
        return owner
    return ctx.analysis.files[symbol.file].name


def _returned(symbol: SurveySymbol) -> str:
    """Return the type that a signature promises, '' where it is none or long."""
    match = _RETURNED.search(" ".join(symbol.signature.split()))
    found = match.group(1).strip() if match else ""
    return "" if found in _NOTHING or len(found) > _LONGEST_MESSAGE else found

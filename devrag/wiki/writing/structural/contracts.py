"""How the sources of a product work together: calls, queues, packages, tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from devrag.wiki.analysis.contracts.types import Contract, ContractLocation
from devrag.wiki.analysis.prose import cited
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import fence, label
from devrag.wiki.writing.structural.message_flow import message_flow

_SHOWN_PER_KIND = 12
_ROUTES_SHOWN = 6
_KINDS = {
    "http": ("HTTP", phrase("### Calls over HTTP")),
    "queue": (phrase("queue"), phrase("### Tasks and queues")),
    "package": (phrase("package"), phrase("### Shared packages")),
    "table": (phrase("table"), phrase("### Shared tables")),
}
_SENTENCES = {
    "http": phrase("{user} calls {name}, a route of {provider}."),
    "queue": phrase("{user} sends {name}, which {provider} receives."),
    "package": phrase("{user} asks for {name}, which {provider} publishes."),
    "table": phrase(
        "{user} and {provider} declare the table {name} with like columns."
    ),
}


def ties_of_sources(ctx: PageContext) -> list[str]:
    """Return the section on all ties, with a diagram of the sources."""
    contracts = ctx.analysis.contracts
    if not contracts:
        return []
    blocks = [ctx.say("## How the sources work together"), _intro(ctx, contracts)]
    blocks += [_drawn(ctx, contracts), *message_flow(ctx, contracts)]
    for kind, (_, title) in _KINDS.items():
        own = [contract for contract in contracts if contract.kind == kind]
        if own:
            blocks += [ctx.say(title), *_items(ctx, own)]
    return blocks


def ties_of_topic(ctx: PageContext, topic: int) -> list[str]:
    """Return the section on the ties that begin or end in a part."""
    home = ctx.analysis.topic_of
    own = [
        contract
        for contract in ctx.analysis.contracts
        if topic in (home.get(contract.user.file), home.get(contract.provider.file))
    ]
    return [ctx.say("## Ties to other sources"), *_items(ctx, own)] if own else []


def _intro(ctx: PageContext, contracts: Sequence[Contract]) -> str:
    return ctx.say(
        "The code shows {ties} between the sources. An arrow points from the one "
        "that relies on the other; only what can mean nothing else is counted.",
        ties=ctx.counted(len(contracts), "tie"),
    )


def _drawn(ctx: PageContext, contracts: Sequence[Contract]) -> str:
    edges: Counter[tuple[str, str, str]] = Counter()
    for contract in contracts:
        ends = (_source(ctx, contract.user), _source(ctx, contract.provider))
        edges[(*ends, contract.kind)] += 1
    sources = sorted({name for a, b, _ in edges for name in (a, b)})
    ids = {name: f"s{number}" for number, name in enumerate(sources)}
    lines = ["flowchart LR"]
    lines += [f'  {ids[name]}["{label(name)}"]' for name in sources]
    for (user, provider, kind), count in sorted(edges.items()):
        what = ctx.say(_KINDS[kind][0]) + (f" × {count}" if count > 1 else "")
        lines.append(f'  {ids[user]} -->|"{what}"| {ids[provider]}')
    return fence("\n".join(lines))


def _source(ctx: PageContext, place: ContractLocation) -> str:
    return ctx.analysis.files[place.file].source


def _items(ctx: PageContext, contracts: Sequence[Contract]) -> list[str]:
    """Return a line per tie; of the routes that one file calls in another, one."""
    groups: dict[tuple[str, int, int, str], list[Contract]] = defaultdict(list)
    for each in contracts:
        alone = "" if each.kind == "http" else each.name
        groups[each.kind, each.user.file, each.provider.file, alone].append(each)
    told = list(groups.values())
    items = [
        f"- {_item(ctx, own[0]) if len(own) == 1 else _routes(ctx, own)}"
        for own in told[:_SHOWN_PER_KIND]
    ]
    more = sum(len(own) for own in told[_SHOWN_PER_KIND:])
    left = ctx.counted(more, "more tie")
    rest = ctx.say("There are {ties} of this kind.", ties=left) if more > 0 else ""
    return ["\n".join(items), rest]


def _routes(ctx: PageContext, contracts: Sequence[Contract]) -> str:
    first = contracts[0]
    return ctx.say(
        "{user} calls routes of {provider}: {names}.",
        user=ctx.path(ctx.analysis.files[first.user.file]),
        provider=ctx.path(ctx.analysis.files[first.provider.file]),
        names=ctx.listed_cited(
            [ctx.code(c.name) for c in contracts],
            lambda n: _places(ctx, contracts[n]),
            _ROUTES_SHOWN,
        ),
    )


def _item(ctx: PageContext, contract: Contract) -> str:
    told = ctx.say(
        _SENTENCES[contract.kind],
        user=ctx.path(ctx.analysis.files[contract.user.file]),
        provider=ctx.path(ctx.analysis.files[contract.provider.file]),
        name=ctx.code(contract.name),
    )
    return cited(told, _places(ctx, contract))


def _places(ctx: PageContext, contract: Contract) -> str:
    places = (contract.user, contract.provider)
    return "".join(ctx.book.cite(p.file, p.start_line, p.end_line) for p in places)

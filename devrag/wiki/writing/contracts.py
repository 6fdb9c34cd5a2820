"""How the sources of a product work together: calls, queues, packages, tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from devrag.wiki.contracts.types import Contract, Place
from devrag.wiki.prose import cited
from devrag.wiki.wording import phrase
from devrag.wiki.writing.context import PageContext
from devrag.wiki.writing.diagrams import fence, label

_SHOWN_PER_KIND = 12
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
    blocks.append(_drawn(ctx, contracts))
    for kind, (_, title) in _KINDS.items():
        own = [contract for contract in contracts if contract.kind == kind]
        if own:
            blocks += [ctx.say(title), *_items(ctx, own)]
    return blocks


def ties_of_part(ctx: PageContext, part: int) -> list[str]:
    """Return the section on the ties that begin or end in a part."""
    home = ctx.analysis.part_of
    own = [
        contract
        for contract in ctx.analysis.contracts
        if part in (home.get(contract.user.file), home.get(contract.provider.file))
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


def _source(ctx: PageContext, place: Place) -> str:
    return ctx.analysis.files[place.file].source


def _items(ctx: PageContext, contracts: Sequence[Contract]) -> list[str]:
    items = [f"- {_item(ctx, contract)}" for contract in contracts[:_SHOWN_PER_KIND]]
    more = len(contracts) - len(items)
    left = ctx.counted(more, "more tie")
    rest = ctx.say("There are {ties} of this kind.", ties=left) if more > 0 else ""
    return ["\n".join(items), rest]


def _item(ctx: PageContext, contract: Contract) -> str:
    user, provider = contract.user, contract.provider
    told = ctx.say(
        _SENTENCES[contract.kind],
        user=ctx.path(ctx.analysis.files[user.file]),
        provider=ctx.path(ctx.analysis.files[provider.file]),
        name=ctx.code(contract.name),
    )
    return cited(
        told,
        "".join(
            ctx.book.cite(p.file, p.start_line, p.end_line) for p in (user, provider)
        ),
    )

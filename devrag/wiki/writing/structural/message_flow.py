"""Messages between the sources of a product as a sequence diagram: HTTP and queues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devrag.wiki.analysis.contracts.types import Contract, ContractLocation
from devrag.wiki.wording import phrase
from devrag.wiki.writing.structural.context import PageContext
from devrag.wiki.writing.structural.diagrams import Message, fence, sequence_diagram

_MESSAGES, _PER_PAIR = 14, 3
_FEWEST = 2
_KINDS = ("http", "queue")
_READS = phrase(
    "Who sends what to whom: a request over HTTP waits for its answer, a message in a "
    "queue does not."
)


def message_flow(ctx: PageContext, contracts: Sequence[Contract]) -> list[str]:
    """Return the diagram of the messages, those of the outermost source first."""
    sent = [contract for contract in contracts if contract.kind in _KINDS]
    chosen = list(_by_pair(ctx, _outermost_first(ctx, sent)))[:_MESSAGES]
    if len(chosen) < _FEWEST:
        return []
    messages = [
        Message(
            _source(ctx, contract.user),
            _source(ctx, contract.provider),
            contract.name,
            "->>" if contract.kind == "http" else "-)",
        )
        for contract in chosen
    ]
    return [
        ctx.say("### Messages between the sources"),
        ctx.say(_READS),
        fence(sequence_diagram(messages)),
    ]


def _source(ctx: PageContext, place: ContractLocation) -> str:
    return ctx.analysis.files[place.file].source


def _outermost_first(ctx: PageContext, contracts: Sequence[Contract]) -> list[Contract]:
    """Order by the sender: who is asked by no other comes first, then whom it asks."""
    asks: dict[str, list[str]] = {}
    for contract in contracts:
        user, provider = _source(ctx, contract.user), _source(ctx, contract.provider)
        asks.setdefault(user, []).append(provider)
    asked = {name for names in asks.values() for name in names}
    order: list[str] = []
    for start in sorted(asks, key=lambda name: (name in asked, name)):
        near = [start]
        while near:
            name = near.pop(0)
            if name not in order:
                order.append(name)
                near += sorted(asks.get(name, ()))
    place = {name: number for number, name in enumerate(order)}
    return sorted(
        contracts,
        key=lambda c: (place[_source(ctx, c.user)], c.kind, c.user.file, c.name),
    )


def _by_pair(ctx: PageContext, contracts: Sequence[Contract]) -> Iterator[Contract]:
    """Yield at most a few messages of each pair of sources, each name once."""
    seen: dict[tuple[str, str, str], set[str]] = {}
    for contract in contracts:
        ends = _source(ctx, contract.user), _source(ctx, contract.provider)
        names = seen.setdefault((*ends, contract.kind), set())
        if contract.name not in names and len(names) < _PER_PAIR:
            names.add(contract.name)
            yield contract

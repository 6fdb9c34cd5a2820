"""Queues: a message that one source sends and another is there to receive."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from devrag.wiki.analysis.contracts.arguments import arguments_of, literal, named
from devrag.wiki.analysis.contracts.types import Contract, ContractLocation, Ground
from devrag.wiki.analysis.survey import SurveyReference

_KEYS = ("queue", "topics?", "routing_key", "queues", "channel", "destination")
# The call's last name: whose it must be.
_SENDS = {
    "sendToQueue": r"",
    "basic_publish": r"",
    "publish": r"(producer|publisher|channel|bus|broker|redis|client|nc|nats)$",
    "produce": r"producer$",
    "send": r"(producer|kafka\w*)$",
    "convertAndSend": r"",
}
_RECEIVES = {
    "basic_consume": r"",
    "consume": r"channel$",
    "subscribe": r"(consumer|channel|bus|broker|redis|client|nc|nats|pubsub)$",
    "KafkaListener": r"",
    "RabbitListener": r"",
    "JmsListener": r"",
}
_TELLING = re.compile(r"^(?=.+?[.:/_-]\w)[A-Za-z]\w*(?:[.:/-]\w+)*$")


def queue_contracts(ground: Ground) -> list[Contract]:
    """Return tasks asked for by name, and queues that one other source reads."""
    return [*_tasks(ground), *_messages(ground)]


def _tasks(ground: Ground) -> Iterator[Contract]:
    tasks = defaultdict(list)
    for fact in ground.facts("task"):
        if fact.data.get("framework") == "celery":
            tasks[fact.name].append(fact)
    seen = set()
    for reference in ground.uses("call") if tasks else ():
        if reference.name.rpartition(".")[2] not in {"send_task", "signature"}:
            continue
        lines = ground.lines(reference.file)
        arguments = arguments_of(lines, reference.line, reference.name)
        name = (literal(arguments[0]) if arguments else None) or ""
        found = tasks.get(name, [])
        sources = {ground.source(fact.file) for fact in found}
        is_clear = len(sources) == 1 and ground.source(reference.file) not in sources
        if is_clear and (reference.file, name) not in seen:
            seen.add((reference.file, name))
            fact = found[0]
            provider = ContractLocation(fact.file, fact.start_line, fact.end_line)
            yield Contract("queue", name, _at(reference), provider)


def _messages(ground: Ground) -> Iterator[Contract]:
    senders, receivers = _named(ground, _SENDS), _named(ground, _RECEIVES)
    for name in sorted(senders.keys() & receivers.keys()):
        sends, receives = senders[name], receivers[name]
        if len(receives) == 1:
            (source, receiver) = next(iter(receives.items()))
            for sender in (s for other, s in sends.items() if other != source):
                yield Contract("queue", name, sender, receiver)


def _named(
    ground: Ground, calls: dict[str, str]
) -> dict[str, dict[str, ContractLocation]]:
    """Return the queue's name → source → the first place that names it."""
    found: dict[str, dict[str, ContractLocation]] = defaultdict(dict)
    for kind in ("call", "decorator"):
        for reference in ground.uses(kind):
            receiver, _, last = reference.name.rpartition(".")
            if last not in calls or not re.search(calls[last], receiver, re.I):
                continue
            lines = ground.lines(reference.file)
            arguments = arguments_of(lines, reference.line, reference.name)
            given = literal(arguments[0]) if arguments else None
            name = named(arguments, *_KEYS) or given or ""
            if _TELLING.match(name):
                source = ground.source(reference.file)
                found[name].setdefault(source, _at(reference))
    return found


def _at(reference: SurveyReference) -> ContractLocation:
    return ContractLocation(reference.file, reference.line, reference.line)

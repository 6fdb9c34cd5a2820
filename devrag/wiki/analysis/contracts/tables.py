"""Tables: the same table, by name and columns, declared in two sources."""

from __future__ import annotations

import re
from collections import defaultdict

from devrag.wiki.analysis.contracts.types import Contract, ContractLocation, Ground
from devrag.wiki.analysis.survey import SurveyFact, field_names

_NAMED = re.compile(
    r"(?:__tablename__|db_table|table_name|tableName|\$table)\s*[:=]\s*[\"'](\w+)[\"']"
    r"|@Table\s*\(\s*name\s*=\s*\"(\w+)\""
)
_LEAST_SHARED = 2


def table_contracts(ground: Ground) -> list[Contract]:
    """Return tables of which two sources have at least half of the columns alike."""
    tables: dict[str, list[SurveyFact]] = defaultdict(list)
    for fact in ground.facts("model"):
        if name := _table_of(ground, fact):
            tables[name.lower()].append(fact)
    found = []
    for name, facts in sorted(tables.items()):
        first = {ground.source(f.file): f for f in reversed(facts)}
        if len(first) == 2:
            user, provider = _ordered(list(first.values()))
            if _is_alike(user, provider):
                found.append(Contract("table", name, _at(user), _at(provider)))
    return found


def _table_of(ground: Ground, fact: SurveyFact) -> str:
    if fact.data.get("framework") == "sql":
        return fact.name.rpartition(".")[2]
    if table := fact.data.get("table"):
        return str(table)
    lines = ground.lines(fact.file)[max(0, fact.start_line - 3) : fact.end_line]
    match = _NAMED.search("\n".join(lines))
    return (match.group(1) or match.group(2)) if match else ""


def _ordered(pair: list[SurveyFact]) -> list[SurveyFact]:
    """Return who maps a table before who defines it in SQL."""
    return sorted(pair, key=lambda fact: fact.data.get("framework") == "sql")


def _is_alike(a: SurveyFact, b: SurveyFact) -> bool:
    one, two = ({n.lower() for n in field_names(fact)} for fact in (a, b))
    shared = len(one & two)
    return shared >= _LEAST_SHARED and 2 * shared >= min(len(one), len(two))


def _at(fact: SurveyFact) -> ContractLocation:
    return ContractLocation(fact.file, fact.start_line, fact.end_line)

"""Which stored models are tied, and how many of one belong to how many of the other.

A key is told by the model that holds it. The other side's word for the same tie (a list
of what points here) counts where no key is known, and where it says that there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from devrag.wiki.analysis.survey import SurveyFact

STORED = frozenset(
    {
        "activerecord",
        "bson",
        "bun",
        "db",
        "diesel",
        "django",
        "doctrine",
        "ecto",
        "ef",
        "gorm",
        "jpa",
        "laravel",
        "mikro-orm",
        "mongodb",
        "sea-orm",
        "sequelize",
        "sql",
        "sqlalchemy",
        "sqlx",
        "typeorm",
    }
)
_USERS = {"AbstractUser", "AbstractBaseUser"}
_WORD_START = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
Models = Mapping[str, SurveyFact]


@dataclass(frozen=True, slots=True)
class Tie:
    """owner holds the key (of many-to-many the first by name); kind: as in the facts.

    names: the fields that tell of it.
    """

    owner: str
    target: str
    kind: str
    is_required: bool
    names: tuple[str, ...]


def is_stored(fact: SurveyFact) -> bool:
    """Return whether a model is kept in a database, by what it is declared with."""
    framework = fact.data.get("framework")
    is_table = framework == "sqlmodel" and bool(fact.data.get("table"))
    return framework in STORED or is_table


def bare_name(name: str) -> str:
    """Return the last part of a model's name."""
    return name.replace("::", ".").rpartition(".")[2]


def fields_of(fact: SurveyFact) -> list[dict[str, str]]:
    """Return a model's fields where its detector gave them as mappings."""
    return [f for f in fact.data.get("fields") or [] if isinstance(f, dict)]


def relation_in(fact: SurveyFact, field: Mapping[str, str]) -> str:
    """Return a field's relation; of a table's column that refers to another, its own.

    Such a column is alone for its row where it is unique or the whole primary key.
    """
    if fact.data.get("framework") != "sql" or not field.get("to"):
        return field.get("relation", "")
    keys = [f for f in fields_of(fact) if f.get("key") == "primary"]
    is_alone = field.get("unique") or [dict(field)] == keys
    return "one-to-one" if is_alone else "many-to-one"


def ties_of(models: Models) -> list[Tie]:
    """Return the ties among models by their bare names, each told once."""
    told = list(_told(models))
    held: dict[tuple[str, str], Tie] = {}
    for tie in (tie for tie in told if tie.kind == "many-to-one"):
        _join(held, tie)
    for tie in (tie for tie in told if tie.kind == "one-to-one"):
        _join_single(held, tie)
    for tie in (tie for tie in told if tie.kind == "one-to-many"):
        if (tie.target, tie.owner) not in held:
            held[tie.target, tie.owner] = Tie(
                tie.target, tie.owner, "many-to-one", False, tie.names
            )
    joined: dict[tuple[str, str], Tie] = {}
    for tie in (tie for tie in told if tie.kind == "many-to-many"):
        if (tie.target, tie.owner) not in joined:
            _join(joined, tie)
    ties = [*held.values(), *joined.values()]
    return sorted(ties, key=lambda tie: (tie.owner, tie.target, tie.kind))


def _join(ties: dict[tuple[str, str], Tie], tie: Tie) -> None:
    known = ties.setdefault((tie.owner, tie.target), tie)
    if known is not tie:
        is_required = known.is_required and tie.is_required
        names = (*known.names, *tie.names)
        known = replace(known, is_required=is_required, names=names)
        ties[tie.owner, tie.target] = known


def _join_single(ties: dict[tuple[str, str], Tie], tie: Tie) -> None:
    """Add a tie of one to one, or let it say so of the key on the other side."""
    turned = ties.get((tie.target, tie.owner))
    if turned is None or tie.owner == tie.target:
        _join(ties, tie)
    elif len(turned.names) == 1:
        ties[tie.target, tie.owner] = replace(turned, kind="one-to-one")


def _told(models: Models) -> Iterator[Tie]:
    """Yield what each model's fields tell of the others."""
    known = _Known(models)
    for name, fact in sorted(models.items()):
        for field in fields_of(fact):
            relation = relation_in(fact, field)
            target = known.target(field) if relation else ""
            if target and known.target({"to": field.get("through", "")}) == "":
                is_required = bool(field.get("required"))
                yield Tie(name, target, relation, is_required, (field["name"],))


class _Known:
    """The models by what fields may call them: class, table, setting of the user."""

    def __init__(self, models: Models) -> None:
        self._names = {name.lower(): name for name in models}
        for name, fact in models.items():
            tables = [str(fact.data.get("table") or ""), _snake(name)]
            for table in filter(None, tables):
                self._names.setdefault(table.lower(), name)
        users = [n for n, f in models.items() if _is_user(f)]
        if len(users) == 1:
            self._names["auth_user_model"] = users[0]

    def target(self, field: Mapping[str, str]) -> str:
        """Return the model that a field leads to, '' for none of these."""
        to = bare_name(field.get("to", ""))
        asked = [to] if to else _singulars(field.get("name", ""))
        return next(filter(None, (self._names.get(n.lower()) for n in asked)), "")


def _is_user(fact: SurveyFact) -> bool:
    return any(bare_name(str(base)) in _USERS for base in fact.data.get("bases") or [])


def _snake(name: str) -> str:
    return _WORD_START.sub("_", name).lower()


def _singulars(name: str) -> list[str]:
    """Return what one of `order_lines` may be called: only a known name counts."""
    bare = name.replace("_", "")
    forms = [(r"ies$", "y"), (r"(?<=s|x|h)es$", ""), (r"s$", "")]
    return [re.sub(end, one, bare) for end, one in forms if re.search(end, bare)]

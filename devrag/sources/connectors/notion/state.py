"""What the mirror remembers of a page beside its text, as the version of its item.

The tree of pages is known from it without a request: a run reads what changed, and a
run that was killed goes on below pages that were read before.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Self

from devrag.sources.connectors.pages.types import Versions

_SEPARATOR = "/"


@dataclass(frozen=True, slots=True)
class State:
    """A page or data source as it was read.

    parent: id of what it lies in, '' at the top. path: without its ending. children:
    ids of pages and databases in its blocks. copies: ids of synced blocks of other
    pages that are shown on it. database: of a data source. values, comments: marks of
    its properties and comments. is_settled: it was read well after its last change, so
    that another one would have another time.
    """

    edited: str
    title: str
    path: str
    parent: str = ""
    children: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    database: str = ""
    values: str = ""
    comments: str = ""
    is_settled: bool = True

    def write(self) -> str:
        """Return it as the version of an item."""
        known = {key: value for key, value in asdict(self).items() if value != ()}
        return json.dumps(known, ensure_ascii=False)

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Return what `write` wrote; None for anything else."""
        try:
            found = json.loads(written)
            names = {each.name for each in fields(cls)}
            values = {key: found[key] for key in names if key in found}
            for key in ("children", "copies"):
                values[key] = tuple(values.get(key, ()))
            return cls(**values)
        except (ValueError, TypeError):
            return None


def read_states(known: Versions) -> dict[str, State]:
    """Return what the mirror remembers, by id; attachments are left out."""
    found = {}
    for item_id in known.ids_below(""):
        if _SEPARATOR not in item_id and (
            state := State.read(known.version_of(item_id))
        ):
            found[item_id] = state
    return found


def attachment_id(node_id: str, part: str) -> str:
    """Return the id of what is attached to a page: below that of the page."""
    return f"{node_id}{_SEPARATOR}{part}"


def attachments_of(known: Versions, node_id: str) -> list[str]:
    """Return the ids of the attachments of a page that the mirror has."""
    return known.ids_below(f"{node_id}{_SEPARATOR}")

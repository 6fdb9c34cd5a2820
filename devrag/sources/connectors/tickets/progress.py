"""How far a run is in each of its lists, and where the next one begins. Pure.

Written as text it is both: the cursor of a batch, and the mark of a run that ended.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from devrag.sources.documents import read_time

_BETWEEN_LISTINGS = timedelta(days=1)
# A change may become visible after others that were made later than it.
_MARGIN = timedelta(minutes=5)


@dataclass(slots=True)
class Progress:
    """Where each list is, by its name.

    at: the time of the last change that was read. tags: from where on the list was
    asked for, and the ETag of its answer. following: what asks for the next page of a
    list that has no times to ask for. done: lists that this run has read. listed: when
    everything was. began: when the listing began that is under way, None in a run that
    asks for changes alone.
    """

    at: dict[str, datetime] = field(default_factory=dict)
    tags: dict[str, tuple[str, str]] = field(default_factory=dict)
    following: dict[str, dict[str, str]] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    listed: datetime | None = None
    began: datetime | None = None

    @classmethod
    def resume(cls, since: str, cursor: str) -> Self | None:
        """Return where a run is: after a cursor, else after a mark; None at first."""
        return cls._read(cursor) or cls._read(since)

    @classmethod
    def begin(cls, now: datetime, before: Self | None = None) -> Self:
        """Return the beginning of a run that lists everything."""
        return cls(listed=before.listed if before else None, began=now)

    def is_listing_due(self, now: datetime) -> bool:
        """Return whether a run of changes should list everything.

        Once a day; also where the clock went back.
        """
        if self.is_whole:
            return False
        if self.listed is None or self.listed > now:
            return True
        return now - self.listed >= _BETWEEN_LISTINGS

    @property
    def is_whole(self) -> bool:
        """Whether this run lists everything."""
        return self.began is not None

    def since(self, name: str) -> str:
        """Return the time from which on changes are asked for, '' for all."""
        at = self.at.get(name)
        return f"{at - _MARGIN:%Y-%m-%dT%H:%M:%SZ}" if at else ""

    def note(self, name: str, written: str, now: datetime) -> None:
        """Note the time of a change; one of the future hides no others."""
        when = read_time(written)
        if when is not None and when.year > 1:
            at = self.at.get(name)
            self.at[name] = max(min(when, now), at) if at else min(when, now)

    def tag(self, name: str, since: str) -> str:
        """Return the ETag of what is asked for from a time on, '' for none known."""
        before, etag = self.tags.get(name, ("", ""))
        return etag if before == since else ""

    def rename(self, name: str, new: str) -> None:
        """Take the time of one list for that of another, if there is one."""
        if name in self.at:
            self.at[new] = self.at.pop(name)

    def finish(self, name: str) -> None:
        """Note that a list was read to its end."""
        self.following.pop(name, None)
        self.done.append(name)

    def mark(self) -> str:
        """Return the mark of this run, which has ended; never an empty one."""
        return self._written(done=[], following={}, listed=self.began or self.listed)

    def cursor(self) -> str:
        """Return what this run goes on from."""
        return self._written(
            done=self.done,
            following=self.following,
            listed=self.listed,
            began=self.began,
        )

    # -- text ---------------------------------------------------------------------

    def _written(self, **rest: Any) -> str:
        at = {name: when.isoformat() for name, when in self.at.items()}
        times = {
            key: when.isoformat() if when else ""
            for key in ("listed", "began")
            for when in (rest.pop(key, None),)
        }
        return json.dumps({"at": at, "tags": self.tags, **rest, **times})

    @classmethod
    def _read(cls, written: str) -> Self | None:
        """Return what `_written` wrote; None for anything else."""
        try:
            found = json.loads(written)
            at = {name: read_time(when) for name, when in found["at"].items()}
            return cls(
                {name: when.astimezone(UTC) for name, when in at.items() if when},
                {name: (since, tag) for name, (since, tag) in found["tags"].items()},
                _texts(found["following"]),
                [str(name) for name in found["done"]],
                read_time(found["listed"]),
                read_time(found["began"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return None


def _texts(found: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {
        name: {key: str(value) for key, value in each.items()}
        for name, each in found.items()
    }

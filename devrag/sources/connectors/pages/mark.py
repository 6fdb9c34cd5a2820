"""Where a run begins, and when everything was listed last."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from devrag.sources.documents import read_time

_BETWEEN_LISTINGS = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mark:
    """When the last run began, and the last with a listing; by the server's clock."""

    at: datetime | None = None
    listed: datetime | None = None

    @classmethod
    def read(cls, written: str) -> Mark:
        """Return a mark as `write` wrote it; an empty one for anything else."""
        try:
            found = json.loads(written)
            return cls(read_time(found["at"]), read_time(found["listed"]))
        except (ValueError, KeyError, TypeError):
            return cls()

    def write(self) -> str:
        """Return the mark as text."""
        at, listed = self.at or datetime.now(UTC), self.listed or self.at
        found = {"at": at.isoformat(), "listed": (listed or at).isoformat()}
        return json.dumps(found)

    def is_listing_due(self, now: datetime) -> bool:
        """Return whether everything is to be listed; also when the clock went back."""
        if self.at is None or self.listed is None or self.at > now:
            return True
        return now - self.listed >= _BETWEEN_LISTINGS

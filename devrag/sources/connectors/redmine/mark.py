"""Where a run begins: after the last change that was seen, by the server's clock."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from devrag.sources.connectors.redmine.markup import Format
from devrag.sources.documents import read_time

_BETWEEN_LISTINGS = timedelta(days=1)
# A change may become visible after others that were made later than it.
_MARGIN = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Mark:
    """at: the last change seen. listed: when everything was. usual: the format."""

    at: datetime | None = None
    listed: datetime | None = None
    usual: Format = "textile"

    @classmethod
    def read(cls, written: str) -> Mark:
        """Return a mark as `write` wrote it; an empty one for anything else."""
        try:
            found = json.loads(written)
            usual: Format = "markdown" if found["usual"] == "markdown" else "textile"
            return cls(read_time(found["at"]), read_time(found["listed"]), usual)
        except (ValueError, KeyError, TypeError):
            return cls()

    def write(self) -> str:
        """Return the mark as text; never an empty one."""
        times = {"at": self.at, "listed": self.listed}
        written = {key: when.isoformat() if when else "" for key, when in times.items()}
        return json.dumps({**written, "usual": self.usual})

    def is_listing_due(self, now: datetime) -> bool:
        """Return whether everything is to be listed; also when the clock went back."""
        if self.listed is None or self.listed > now:
            return True
        return now - self.listed >= _BETWEEN_LISTINGS

    def since(self) -> str:
        """Return the time from which on issues are asked for, '' for all."""
        if self.at is None:
            return ""
        return f"{(self.at - _MARGIN).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"

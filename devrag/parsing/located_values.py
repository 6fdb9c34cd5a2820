"""Data of JSON, TOML and YAML files with the lines that it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Placed:
    """A value: text, list or mapping of Placed; lines are 1-based and inclusive.

    Numbers and the like are the text that the file has for them.
    """

    value: str | list[Placed] | dict[str, Placed]
    start_line: int
    end_line: int

    def __reduce__(self) -> Any:
        """Pickle by position; NOTHING stays the same object, by which it is known."""
        if self is NOTHING:
            return "NOTHING"
        return Placed, (self.value, self.start_line, self.end_line)

    def get(self, key: str) -> Placed | None:
        """Return the value under a key, None when there is none."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def at(self, *keys: str) -> Placed:
        """Return what lies under keys inside each other, an empty text for nothing."""
        found: Placed | None = self
        for key in keys:
            found = found.get(key) if found is not None else None
        return found if found is not None else NOTHING

    def items(self) -> Iterator[tuple[str, Placed]]:
        """Yield the pairs of a mapping, nothing for other values."""
        if isinstance(self.value, dict):
            yield from self.value.items()

    def values(self) -> list[Placed]:
        """Return the values of a mapping, none for other values."""
        return list(self.value.values()) if isinstance(self.value, dict) else []

    def listed(self) -> list[Placed]:
        """Return the items of a list, none for other values."""
        return self.value if isinstance(self.value, list) else []

    def plain(self) -> Any:
        """Return the value as str, list and dict."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def texts(self) -> list[str]:
        """Return the value as a list of texts: one, or a sequence's scalars."""
        if isinstance(self.value, str):
            return [self.value] if self.value else []
        return [item.value for item in self.listed() if isinstance(item.value, str)]

    def text(self) -> str:
        """Return a scalar's text, '' for other values."""
        return self.value if isinstance(self.value, str) else ""


NOTHING = Placed("", 1, 1)

"""Which versions of sources a word index holds, and which it should hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexedVersions:
    """Source id → (ref id, sequence): held by the index, and wanted by now."""

    held: Mapping[int, tuple[int, int]]
    wanted: Mapping[int, tuple[int, int]]

    def is_behind(self, source_ids: Collection[int]) -> bool:
        """Return whether the index lacks the newest version of a source."""
        asked = self.wanted.keys() & set(source_ids)
        return any(self.wanted[key] != self.held.get(key) for key in asked)

    def has_others(self, source_ids: Collection[int]) -> bool:
        """Return whether the index may hold texts of other sources.

        A source that is being added is wanted before it is held.
        """
        return not self.held.keys() | self.wanted.keys() <= set(source_ids)

"""What changed between two manifests. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiffResult:
    """Paths by what happened to them, each tuple sorted (S4-3.5-3)."""

    added: tuple[str, ...]
    modified: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Say whether nothing at all changed."""
        return not (self.added or self.modified or self.removed)


def diff_manifest(old: Mapping[str, str], new: Mapping[str, str]) -> DiffResult:
    """Compare two manifests of path → digest; a rename is removed plus added."""
    common = sorted(new.keys() & old.keys())
    return DiffResult(
        added=tuple(sorted(new.keys() - old.keys())),
        modified=tuple(path for path in common if old[path] != new[path]),
        removed=tuple(sorted(old.keys() - new.keys())),
        unchanged=tuple(path for path in common if old[path] == new[path]),
    )

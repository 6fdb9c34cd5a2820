"""Modules of which a file imports every name: `from x import *`, `using A.B;`."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from devrag.navigation.types import Lookup, NameUsage, family

# There who imports everything passes on everything.
PASSING = frozenset(["python", "javascript", "rust"])


class OpenedModules:
    """Which modules are opened where; all of a version are read on first use."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._behind: dict[str, frozenset[str]] = {}

    def by(self, use: NameUsage) -> frozenset[str]:
        """Return the modules whose names stand in the use's file as if its own."""
        opened = self._by_file.get(use.file, ())
        if not opened or family(use.language) not in PASSING:
            return frozenset(opened)
        return frozenset(opened).union(*(self.behind(module) for module in opened))

    def behind(self, module: str) -> frozenset[str]:
        """Return the modules that this one passes on whole, and those behind them."""
        if module not in self._behind:
            found = set(self._by_module.get(module, ()))
            waiting = list(found)
            while waiting:
                onward = self._by_module.get(waiting.pop(), set()) - found
                found |= onward
                waiting += onward
            self._behind[module] = frozenset(found - {module})
        return self._behind[module]

    @cached_property
    def _by_file(self) -> dict[int, set[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for item in self._lookup.re_exports("*"):
            found[item.file].add(item.target.removesuffix(".*"))
        return dict(found)

    @cached_property
    def _by_module(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for item in self._lookup.re_exports("*"):
            if family(item.language) in PASSING:
                found[item.module].add(item.target.removesuffix(".*"))
        return dict(found)

"""Which full names an imported one stands for, as each language finds its modules.

Exactly the one that is written, mostly. Folders above a package are in a file's module
and not in imports of Python and Lua; in Go the module's own path, which go.mod says, is
in imports and not in modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from devrag.navigation.types import Lookup, NameUsage, SymbolCandidate, family

# How imports begin that are relative to a root which the build knows (`@/`, `~/`).
_BUILD_ROOT = "@."
_GO_COPIES = ("vendor", "src")
_LUA_ROOTS = ("lua", "src", "lib")


class ImportNames:
    """Finds what imported names mean in one version."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._packages: dict[str, bool] = {}
        self._go_names: dict[str, tuple[str, ...]] = {}

    def meant(
        self, use: NameUsage, name: str, named: Iterable[SymbolCandidate]
    ) -> Sequence[SymbolCandidate]:
        """Return those that the name stands for; the own source's before others'."""
        own: list[SymbolCandidate] = []
        others: list[SymbolCandidate] = []
        for each in named:
            (own if each.source == use.source else others).append(each)
        written = self.written(use, name)
        for pool in (own, others):
            exact = [each for each in pool if each.full_name in written]
            found = exact or [e for e in pool if self._is_below(use, name, e)]
            if found:
                return found
        return ()

    def written(self, use: NameUsage, name: str) -> tuple[str, ...]:
        """Return the full names that the name stands for as it is written."""
        if use.language == "go":
            return self._in_go(name)
        if use.language != "rust":
            return (name,)
        # Paths begin in the module itself or with a crate.
        root, _, rest = name.partition(".")
        if root == "crate":
            return (name, f"{use.module.partition('.')[0]}.{rest}")
        return (name, f"{use.module}.{name}")

    def _in_go(self, name: str) -> tuple[str, ...]:
        """Return the name below the source's root, none for another module's."""
        if name not in self._go_names:
            self._go_names[name] = tuple(islice(self._go_folders(name), 1))
        return self._go_names[name]

    def _go_folders(self, name: str) -> Iterator[str]:
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            root = ".".join(parts[:end])
            for each in self._lookup.definitions(parts[end - 1]):
                if each.language == "gomod" and each.qualified_name == root:
                    yield ".".join(filter(None, [each.module, *parts[end:]]))

    def _is_below(self, use: NameUsage, name: str, each: SymbolCandidate) -> bool:
        """Return whether it has that name seen from a folder of the source."""
        kin = family(use.language)
        if kin == "python":
            return self._is_in_folder(use, name, each)
        if kin == "go":
            return _before(each.full_name, name).endswith(_GO_COPIES)
        if kin == "javascript":
            return _is_aliased(name, each.full_name)
        return kin == "lua" and _is_required(name, each)

    def _is_in_folder(self, use: NameUsage, name: str, each: SymbolCandidate) -> bool:
        """Return whether Python, looking from some folder, finds it by that name.

        Not from inside a package; and a module that stands alone only from its own
        folder, for there are others of its name.
        """
        folder = _before(each.full_name, name)
        if not folder or len(folder) >= len(each.module) or self._is_package(folder):
            return False
        is_inside = use.module.startswith(f"{folder}.")
        return is_inside or "." in each.module[len(folder) + 1 :]

    def _is_package(self, folder: str) -> bool:
        if folder not in self._packages:
            self._packages[folder] = any(
                each.kind == "module" and each.qualified_name == folder
                for each in self._lookup.definitions(folder.rpartition(".")[2])
            )
        return self._packages[folder]


def _before(full: str, name: str) -> str:
    """Return what stands before the name at the end of a full name, '' if none does."""
    return full[: -len(name) - 1] if full.endswith(f".{name}") else ""


def _is_aliased(name: str, full: str) -> bool:
    below = name.removeprefix(_BUILD_ROOT)
    return below != name and (full == below or full.endswith(f".{below}"))


def _is_required(name: str, each: SymbolCandidate) -> bool:
    """Return whether Lua finds it so: a module is the table that its file returns."""
    head = name.rpartition(".")[0]
    wanted = name if each.kind == "module" else head
    if each.kind != "module" and each.qualified_name.count(".") > 1:
        return False
    root = _before(each.module, wanted).rpartition(".")[2]
    return bool(wanted) and (each.module == wanted or root in _LUA_ROOTS)

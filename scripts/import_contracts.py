"""A contract of import-linter: a package's other modules are its own affair."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

_MOST = 8


class PublicModulesContract(Contract):
    """Packages are imported by others through a few modules only.

    root: the package whose packages are looked at. public: lines `package: module …`;
    modules that are named with `*` are public with all that is below them. Packages
    without a line are public as a whole. None has more than eight.
    """

    root = fields.StringField()
    public = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find imports of modules that are not public."""
        surfaces = dict(map(_parse, self.public))
        found = [
            (module, imported)
            for module in sorted(graph.modules)
            for imported in sorted(graph.find_modules_directly_imported_by(module))
            if self._is_private(module, imported, surfaces)
        ]
        wide = [name for name, modules in surfaces.items() if len(modules) > _MOST]
        metadata = {"found": found, "wide": wide}
        return ContractCheck(kept=not (found or wide), metadata=metadata)

    def _is_private(
        self, module: str, imported: str, surfaces: dict[str, set[str]]
    ) -> bool:
        package, _, rest = imported.removeprefix(f"{self.root}.").partition(".")
        is_own = f"{module}.".startswith(f"{self.root}.{package}.")
        if is_own or package not in surfaces or not rest:
            return False
        names = rest.split(".")
        above = {".".join(names[:n]) + ".*" for n in range(1, len(names))}
        return not {rest, f"{rest}.*", *above} & surfaces[package]

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import with the way out."""
        for package in check.metadata["wide"]:
            output.print_error(f"{package} has more than {_MOST} public modules.")
        for module, imported in check.metadata["found"]:
            output.print_error(f"{module} imports {imported}, which is not public.")
        output.print_error("Import what the package's api offers, or add it there.")


def _parse(line: str) -> tuple[str, set[str]]:
    package, _, modules = line.partition(":")
    return package.strip(), set(modules.split())

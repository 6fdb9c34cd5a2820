"""Packages: what one source publishes and another asks for in its manifest."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from devrag.indexing.parser import parser
from devrag.parsing.data import NOTHING, Placed, RequestKind, UnreadableData
from devrag.wiki.analysis.contracts.types import Contract, ContractLocation, Ground
from devrag.wiki.analysis.survey import SurveyFile

# Manifest: its manager, where its package's name stands.
_MANIFESTS = {
    "package.json": ("npm", ("name",)),
    "composer.json": ("composer", ("name",)),
    "pyproject.toml": ("pip", ("project", "name")),
    "Cargo.toml": ("cargo", ("package", "name")),
}
_GO_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


def package_contracts(ground: Ground) -> list[Contract]:
    """Return dependencies that only one other source publishes."""
    published: dict[tuple[str, str], dict[str, ContractLocation]] = defaultdict(dict)
    for file in ground.files.values():
        for manager, name, place in _published(ground, file):
            published[manager, _same(manager, name)].setdefault(file.source, place)
    found: dict[tuple[str, str, str], Contract] = {}
    for fact in ground.facts("dependency") if published else ():
        manager = str(fact.data.get("manager") or "")
        makers = published.get((manager, _same(manager, fact.name)), {})
        own = ground.source(fact.file)
        if len(makers) == 1 and own not in makers:
            user = ContractLocation(fact.file, fact.start_line, fact.end_line)
            provider = next(iter(makers.values()))
            key = (own, manager, fact.name)
            found.setdefault(key, Contract("package", fact.name, user, provider))
    return list(found.values())


def _same(manager: str, name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower() if manager == "pip" else name


def _published(
    ground: Ground, file: SurveyFile
) -> Iterator[tuple[str, str, ContractLocation]]:
    if file.name == "go.mod":
        lines = ground.lines(file.id)
        for number, line in enumerate(lines, 1):
            if match := _GO_MODULE.match(line):
                yield "go", match.group(1), ContractLocation(file.id, number, number)
    elif file.name in _MANIFESTS:
        manager, keys = _MANIFESTS[file.name]
        found = _read(file.path, ground.texts.text(file.id)).at(*keys)
        if name := found.text():
            yield (
                manager,
                name,
                ContractLocation(file.id, found.start_line, found.start_line),
            )


def _read(path: str, text: str) -> Placed:
    kind = RequestKind.JSON if path.endswith(".json") else RequestKind.TOML
    try:
        return parser().load(kind, path, text)
    except UnreadableData:
        return NOTHING  # a manifest that nothing can read publishes nothing

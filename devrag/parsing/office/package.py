"""Parts of an OPC package (docx, pptx, xlsx) and what they refer to."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from devrag.parsing.office.archive import Archive
from devrag.parsing.office.errors import broken
from devrag.parsing.office.markup import parse_xml


@dataclass(frozen=True, slots=True)
class Relation:
    """kind: the last word of its type, such as `hyperlink`. target: a part's name, or
    an address (is_external), which is only written down and never fetched.
    """

    kind: str
    target: str
    is_external: bool


class Package:
    """Reads parts as trees; what is missing or not XML raises Unusable."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._relations: dict[str, dict[str, Relation]] = {}

    def main_part(self) -> str:
        """Return the name of the document itself."""
        for relation in self.relations("").values():
            if relation.kind == "officeDocument" and not relation.is_external:
                return relation.target
        raise broken("no document in it")

    def tree(self, part: str) -> Element:
        """Return the root element of a part."""
        return parse_xml(self.archive.read(part))

    def relations(self, part: str) -> dict[str, Relation]:
        """Return what a part refers to, by id; '' is the package."""
        if part not in self._relations:
            self._relations[part] = self._read_relations(part)
        return self._relations[part]

    def related(self, part: str, kind: str) -> Iterator[str]:
        """Yield the parts of a kind that a part refers to and that are there."""
        for relation in self.relations(part).values():
            is_wanted = relation.kind.lower() == kind.lower()
            if is_wanted and not relation.is_external:
                yield from [relation.target] * (relation.target in self.archive)

    def related_tree(self, part: str, kind: str) -> Element | None:
        """Return the first such part as a tree, None where there is none."""
        name = next(self.related(part, kind), "")
        return self.tree(name) if name else None

    def target(self, part: str, relation_id: str | None) -> str:
        """Return the part that an id stands for, '' where it is not there."""
        relation = self.relations(part).get(relation_id or "")
        if relation is None or relation.is_external:
            return ""
        return relation.target if relation.target in self.archive else ""

    def address(self, part: str, relation_id: str | None) -> str:
        """Return the address outside the document that an id stands for."""
        relation = self.relations(part).get(relation_id or "")
        return relation.target if relation and relation.is_external else ""

    def _read_relations(self, part: str) -> dict[str, Relation]:
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        if path not in self.archive:
            return {}
        return {
            each.get("Id", ""): _relation(each, folder)
            for each in self.tree(path).iter("Relationship")
        }


def _relation(element: Element, folder: str) -> Relation:
    target = element.get("Target", "")
    kind = element.get("Type", "").rpartition("/")[2]
    if element.get("TargetMode") == "External":
        return Relation(kind, target, is_external=True)
    path = target if target.startswith("/") else posixpath.join("/", folder, target)
    return Relation(kind, posixpath.normpath(path).lstrip("/"), is_external=False)

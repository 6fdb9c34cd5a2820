"""What a model's page was made of, section by section; kept with the page.

The next run asks the model only for sections that would be given something else, and
for an order of the page only once other facts are to be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.wiki.check import Finding
from devrag.wiki.evidence import EvidenceItem
from devrag.wiki.fingerprint import evidence_digest
from devrag.wiki.location import normalised

UNTOLD = "section"  # the gate of a section that the model could not tell


@dataclass(frozen=True, slots=True)
class Given:
    """Lines that a section was given beside what its facts cite.

    place: `source/path`. content_hash: of the file. size: in lines that hold words;
    digest: of these.
    """

    place: str
    content_hash: str
    start_line: int
    end_line: int
    size: int
    digest: str

    @classmethod
    def of(cls, item: EvidenceItem) -> Given:
        """Return an item as the next run may know it again."""
        place = f"{item.source}/{item.path}"
        lines = item.start_line, item.end_line
        size = len(normalised(item.excerpt))
        return cls(place, item.content_hash, *lines, size, evidence_digest(item))


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A section as the outline has it. covers: the ids of its facts.

    key: of all that the model was given for it. findings: what gates cut from it.
    """

    title: str
    about: str
    covers: tuple[str, ...]
    given: tuple[Given, ...]
    key: str
    findings: tuple[Finding, ...] = ()

    @property
    def is_told(self) -> bool:
        """Say whether an answer of the model could be used."""
        return all(finding.gate != UNTOLD for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Record:
    """The order of a page. key: of what that order was made for."""

    key: str
    sections: tuple[SectionRecord, ...]

    def with_findings(self, findings: Iterable[tuple[Finding, ...]]) -> Record:
        """Return the record with what gates cut from each section."""
        told = zip(self.sections, findings, strict=True)
        sections = (replace(section, findings=found) for section, found in told)
        return replace(self, sections=tuple(sections))

    @property
    def digest(self) -> str:
        """Return what is equal when the model would be given the same all over."""
        return sha256_hex("\x1f".join([self.key, *(s.key for s in self.sections)]))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """Read what `dataclasses.asdict` made of it."""
        return cls(data["key"], tuple(map(_section, data["sections"])))


def _section(data: Mapping[str, Any]) -> SectionRecord:
    return SectionRecord(
        title=data["title"],
        about=data["about"],
        covers=tuple(data["covers"]),
        given=tuple(Given(**given) for given in data["given"]),
        key=data["key"],
        findings=tuple(Finding(**finding) for finding in data["findings"]),
    )

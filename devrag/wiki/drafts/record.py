"""What a model's page was made of, section by section; kept with the page.

The next run asks the model only for sections that would be given something else, and
for an order of the page only once other facts are to be told.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.digests import evidence_digest
from devrag.wiki.evidence.location import normalised
from devrag.wiki.evidence.page_evidence import EvidenceItem

UNTOLD = "section"  # the gate of a section that the model could not tell

# How many of a section's blocks the model wrote, and what gates cut from it.
Outcome = tuple[int, tuple[Finding, ...]]


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


_OF_GIVEN = {field.name for field in fields(Given)}


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A section as the outline has it. covers: the ids of its facts.

    key: of all that the model was given for it, '' where it is to be asked whatever it
    is given. around: of that without facts and evidence; parts: digests of these, one
    each. sizes: counts of lines among its facts, which are no part of the key.
    rest: a digest of the facts that the prompt had no room for. told: how many of its
    blocks the model wrote, facts follow; -1 when that is unknown. findings: what gates
    cut from it.
    """

    title: str
    about: str
    covers: tuple[str, ...]
    given: tuple[Given, ...]
    key: str
    around: str = ""
    parts: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    rest: str = ""
    told: int = -1
    findings: tuple[Finding, ...] = ()

    @property
    def is_told(self) -> bool:
        """Return whether an answer of the model could be used."""
        return all(finding.gate != UNTOLD for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Record:
    """The order of a page. key: of what that order was made for.

    terms: words whose spelling the sources' own glossaries fixed for it.
    """

    key: str
    sections: tuple[SectionRecord, ...]
    terms: tuple[str, ...] = ()

    def with_outcomes(self, outcomes: Iterable[Outcome]) -> Record:
        """Return the record with what became of each section."""
        sections = (
            replace(section, told=told, findings=findings)
            for section, (told, findings) in zip(self.sections, outcomes, strict=True)
        )
        return replace(self, sections=tuple(sections))

    @property
    def outcomes(self) -> list[Outcome]:
        return [(section.told, section.findings) for section in self.sections]

    def asking_for(self, places: Container[int]) -> Record:
        """Return the record with these sections to be asked for, by their places."""
        sections = (
            replace(section, key="") if place in places else section
            for place, section in enumerate(self.sections)
        )
        return replace(self, sections=tuple(sections))

    def unparted(self) -> Record:
        """Return the record of a page whose blocks are not all as they were told."""
        sections = (replace(section, told=-1) for section in self.sections)
        return replace(self, sections=tuple(sections))

    @property
    def digest(self) -> str:
        """Return what is equal when the model would be given the same all over."""
        parts = (f"{section.key}{section.rest}" for section in self.sections)
        return sha256_hex("\x1f".join([self.key, *parts]))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """Read what `dataclasses.asdict` made of it, of an earlier release too.

        A section that was kept in another form than now is asked for again.
        """
        sections = tuple(map(_section, data["sections"]))
        return cls(data["key"], sections, tuple(data.get("terms", ())))


def _section(data: Mapping[str, Any]) -> SectionRecord:
    known = [given for given in data["given"] if given.keys() == _OF_GIVEN]
    return SectionRecord(
        title=data["title"],
        about=data["about"],
        covers=tuple(data["covers"]),
        given=tuple(Given(**given) for given in known),
        key=data["key"] if len(known) == len(data["given"]) else "",
        around=data.get("around", ""),
        parts=tuple(data.get("parts", ())),
        sizes=tuple(data.get("sizes", ())),
        rest=data.get("rest", ""),
        told=data.get("told", -1),
        findings=tuple(Finding(**finding) for finding in data["findings"]),
    )

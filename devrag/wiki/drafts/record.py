"""What a model's page was made of, section by section; kept with the page.

The next run asks the model only for sections that would be given something else, and
for an order of the page only once other facts are to be told.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.wiki.checking.validators import Finding
from devrag.wiki.evidence.digests import evidence_digest
from devrag.wiki.evidence.location import normalised
from devrag.wiki.evidence.page_evidence import EvidenceItem

UNTOLD = "section"  # the gate of a section that the model could not tell


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a section.

    told: how many blocks it has, -1 when that is unknown. shown: which of them are
    facts as they are, by place and key. rest: a digest of these. findings: what gates
    cut.
    """

    told: int = 0
    shown: tuple[tuple[int, str], ...] = ()
    rest: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """Lines that a section was given beside what its facts cite.

    place: `source/path`. content_hash: of the file. size: in lines that hold words;
    digest: of these. name: of the definition, or the headings, that they are.
    """

    place: str
    content_hash: str
    start_line: int
    end_line: int
    size: int
    digest: str
    name: str = ""

    @classmethod
    def of(cls, item: EvidenceItem, name: str = "") -> Given:
        """Return an item as the next run may know it again."""
        place = f"{item.source}/{item.path}"
        lines = item.start_line, item.end_line
        size = len(normalised(item.excerpt))
        return cls(place, item.content_hash, *lines, size, evidence_digest(item), name)


_OF_GIVEN = {each.name for each in fields(Given)}


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A section as it was planned.

    key: of all that the model was given for it, '' where it is to be asked whatever it
    is given. around: of that without facts and evidence; parts: digests of these, one
    each.
    """

    title: str
    about: str
    given: tuple[Given, ...]
    key: str
    around: str = ""
    parts: tuple[str, ...] = ()
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def is_told(self) -> bool:
        """Return whether an answer of the model could be used."""
        return all(finding.gate != UNTOLD for finding in self.outcome.findings)


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
            replace(section, outcome=outcome)
            for section, outcome in zip(self.sections, outcomes, strict=True)
        )
        return replace(self, sections=tuple(sections))

    @property
    def outcomes(self) -> list[Outcome]:
        return [section.outcome for section in self.sections]

    def asking_for(self, places: Container[int]) -> Record:
        """Return the record with these sections to be asked for, by their places."""
        sections = (
            replace(section, key="") if place in places else section
            for place, section in enumerate(self.sections)
        )
        return replace(self, sections=tuple(sections))

    def unparted(self) -> Record:
        """Return the record of a page whose blocks are not all as they were told."""
        outcomes = (replace(each, told=-1, shown=()) for each in self.outcomes)
        return self.with_outcomes(outcomes)

    @property
    def digest(self) -> str:
        """Return what is equal when the model would be given the same all over."""
        parts = (f"{section.key}{section.outcome.rest}" for section in self.sections)
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
        given=tuple(Given(**given) for given in known),
        key=data["key"] if len(known) == len(data["given"]) else "",
        around=data.get("around", ""),
        parts=tuple(data.get("parts", ())),
        outcome=_outcome(data.get("outcome")),
    )


def _outcome(data: Mapping[str, Any] | None) -> Outcome:
    """Read what became of a section; of an earlier release that is unknown."""
    if data is None:
        return Outcome(told=-1)
    return Outcome(
        told=data["told"],
        shown=tuple((place, key) for place, key in data["shown"]),
        rest=data["rest"],
        findings=tuple(Finding(**finding) for finding in data["findings"]),
    )

"""What a model designs: pages with the question each answers, and their sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from devrag.wiki.analysis.topics.types import DocumentSection


@dataclass(frozen=True, slots=True)
class SectionDesign:
    """A section before it is written. question: what it answers."""

    title: str
    question: str


@dataclass(frozen=True, slots=True)
class PageDesign:
    """A page before it is written: the question it answers, section by section."""

    question: str = ""
    sections: tuple[SectionDesign, ...] = ()


@dataclass(frozen=True, slots=True)
class DesignedPage:
    """A page with its members. files: ids of code; parent: place of the page above.

    is_given: people named it and chose its files.
    """

    title: str
    design: PageDesign
    files: frozenset[int]
    documents: tuple[DocumentSection, ...] = ()
    parent: int | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class WikiDesign:
    """The designs of a version's pages by path.

    problem: why the model's last answer was not used.
    """

    pages: Mapping[str, PageDesign] = field(default_factory=dict)
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is stored with a run and with a version."""
        pages = {path: asdict(page) for path, page in self.pages.items()}
        return {"pages": pages, "problem": self.problem}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WikiDesign:
        """Read what `as_json` wrote."""
        pages = {
            path: PageDesign(
                page["question"],
                tuple(SectionDesign(**section) for section in page["sections"]),
            )
            for path, page in data["pages"].items()
        }
        return cls(pages, data["problem"])

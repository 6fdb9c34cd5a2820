"""A tie between two sources, and what finders look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFact,
    SurveyFile,
    SurveyReference,
    Texts,
)


@dataclass(frozen=True, slots=True)
class ContractLocation:
    """Lines of a file."""

    file: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Contract:
    """`user` relies on `provider`. kind: http, queue, package, table.

    name: what both name: `GET /orders/{id}`, a task, a package, a table.
    """

    kind: str
    name: str
    user: ContractLocation
    provider: ContractLocation


@dataclass(frozen=True)
class Ground:
    """The survey without what is hidden; calls and facts by their file."""

    survey: Survey
    texts: Texts
    hidden: frozenset[int]
    _lines: dict[int, list[str]] = field(default_factory=dict)

    @cached_property
    def files(self) -> dict[int, SurveyFile]:
        """Id → file, without what is hidden."""
        return {f.id: f for f in self.survey.files if f.id not in self.hidden}

    def source(self, file: int) -> str:
        """Return the name of a file's source."""
        return self.files[file].source

    def facts(self, kind: str) -> Iterator[SurveyFact]:
        """Yield facts of a kind."""
        return (f for f in self.survey.facts if f.kind == kind and f.file in self.files)

    def uses(self, kind: str) -> Iterator[SurveyReference]:
        """Yield references of a kind."""
        return (
            r for r in self.survey.references if r.kind == kind and r.file in self.files
        )

    def lines(self, file: int) -> list[str]:
        """Return a file's lines; only files that finders look into are read."""
        if file not in self._lines:
            self._lines.clear()  # references come file by file
            self._lines[file] = self.texts.text(file).split("\n")
        return self._lines[file]

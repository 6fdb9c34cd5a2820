"""What the wiki knows of a product: files, symbols, references and facts of the index.

Plain values, so that everything up to publishing is a pure function. `selectors` fills
them from the database; lines are 1-based and inclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class SurveyFile:
    """One file of a source's current manifest. kind: code, doc, config, data.

    module: as in FileFacts, what its top-level symbols are in. document_kind: page,
    ticket or attachment of a wiki or tracker, '' for other files.
    """

    id: int
    source: str
    path: str
    language: str
    kind: str
    lines: int
    title: str = ""
    module: str = ""
    content_hash: str = ""
    version_identifier: str = ""
    is_generated: bool = False
    document_kind: str = ""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def directory(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        return self.name.partition(".")[0] or self.name

    @property
    def is_readme(self) -> bool:
        return self.stem.lower() == "readme"


@dataclass(frozen=True, slots=True)
class SurveySymbol:
    """A definition. parent: id of the enclosing symbol. kinds, value_types: as in
    parsing.types.

    id: its number in the survey, by source, path and place: no key of a row.
    """

    id: int
    file: int
    kind: str
    name: str
    qualified_name: str
    start_line: int
    end_line: int
    signature: str = ""
    docstring: str = ""
    parent: int | None = None
    value_types: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_public(self) -> bool:
        return not self.name.startswith("_")


@dataclass(frozen=True, slots=True)
class SurveyReference:
    """A use of a name. symbol: id of the enclosing symbol, None at module level.

    target, via: as in ReferenceFacts, the target empty where it is the name.
    """

    file: int
    kind: str
    name: str
    line: int
    symbol: int | None = None
    target: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True)
class SurveyFact:
    """An entry point, route, command, task, model, setting, dependency and so on."""

    file: int
    kind: str
    name: str
    start_line: int
    end_line: int
    data: Mapping[str, Any] = field(default_factory=dict)


def field_names(fact: SurveyFact) -> list[str]:
    """Return a model's field names, whichever shape the detector gave them."""
    raw = fact.data.get("fields") or []
    listed = list(raw) if not isinstance(raw, str) else raw.split(",")
    names = [str(f.get("name", "") if isinstance(f, dict) else f) for f in listed]
    return [name.strip() for name in names if name.strip()]


class Texts(Protocol):
    """Where a file's text is read from when an excerpt is needed."""

    def text(self, file_id: int) -> str:
        """Return the file's text with `\\n` line ends, '' when none is stored."""
        ...


@dataclass(frozen=True, slots=True)
class Survey:
    """All that the index holds of one product's current state."""

    product: str
    title: str
    files: tuple[SurveyFile, ...]
    symbols: tuple[SurveySymbol, ...]
    references: tuple[SurveyReference, ...]
    facts: tuple[SurveyFact, ...]

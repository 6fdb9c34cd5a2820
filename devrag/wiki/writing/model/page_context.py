"""What a model's page is made of: evidence by number, facts to show, the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from devrag.search.types import Hit
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.evidence.blocks import MarkdownBlock
from devrag.wiki.evidence.page_evidence import EvidenceBook, EvidenceItem
from devrag.wiki.writing.model.budget import WHOLE_PAGE, EvidenceBudget
from devrag.wiki.writing.model.facts import FactSection
from devrag.wiki.writing.model.queries import PseudoQuery
from devrag.wiki.writing.model.terms import spellings_of

Find = Callable[[PseudoQuery], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class SurveyLines:
    """Lines of a file in the survey. name: of the definition or heading they are."""

    file: int
    start_line: int
    end_line: int
    name: str = ""

    @property
    def size(self) -> int:
        return self.end_line - self.start_line + 1


@dataclass(slots=True)
class ModelPageContext:
    """A page's evidence, and the facts that it may show by their keys.

    names: of items, the definition or the headings that they are. cut: places that were
    found and had no room. spellings: the sources' own words whose spelling alone tells
    them. budget: what a request is given of all this.
    """

    book: EvidenceBook
    kinds: Mapping[int, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    showable: Mapping[str, MarkdownBlock] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    budget: EvidenceBudget = WHOLE_PAGE

    def hold(self, place: SurveyLines) -> EvidenceItem:
        """Return the item of these lines."""
        item = self.book.hold(place.file, place.start_line, place.end_line)
        if place.name:
            self.names[item.id] = place.name
        return item

    def labelled(self, item: EvidenceItem) -> tuple[str, str]:
        """Return an item's label in a prompt, and its lines."""
        kind, name = self.kinds.get(item.file, ""), self.names.get(item.id, "")
        label = f"{item.id} {kind} {item.source}/{item.path}"
        return f"{label} {name}".rstrip(), item.excerpt

    def numbered(self) -> dict[str, str]:
        """Return the facts that may be shown: F1, F2 … → key."""
        return {f"F{n}": key for n, key in enumerate(self.showable, 1)}


def page_context_of(
    analysis: Analysis,
    book: EvidenceBook,
    facts: Iterable[FactSection],
    budget: EvidenceBudget,
) -> ModelPageContext:
    """Return the context of a page, before any evidence is looked for."""
    words = (word for said in analysis.steering.values() for word in said.glossary)
    return ModelPageContext(
        book,
        kinds={file.id: file.kind for file in analysis.survey.files},
        showable={key: b for fact in facts for key, b in fact.showable.items()},
        spellings=spellings_of(words),
        budget=budget,
    )

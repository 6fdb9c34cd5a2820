"""The evidence of a model's page: what facts cite, then chunks that were searched for.

Numbered in one book, each place once, within a budget of tokens; what the budget cut
is kept by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from devrag.parsing.tokens import estimate_tokens
from devrag.search.types import Hit
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.evidence.noise import is_statement
from devrag.wiki.evidence.page_evidence import EvidenceBook, EvidenceItem
from devrag.wiki.writing.model.budget import ENOUGH, EvidenceBudget
from devrag.wiki.writing.model.queries import PseudoQuery
from devrag.wiki.writing.model.terms import spellings_of

Find = Callable[[PseudoQuery], Sequence[Hit]]
Choose = Callable[[Iterable["SurveyLines"]], Iterable["SurveyLines"]]
_BUDGET_TOKENS = 24_000
_LONGEST_LINES = 120


@dataclass(frozen=True, slots=True)
class SurveyLines:
    """Lines of a file in the survey."""

    file: int
    start_line: int
    end_line: int


@dataclass(slots=True)
class ModelPageContext:
    """A page's evidence. found: what search added; cut: places over the budget.

    spellings: the sources' own words whose spelling alone tells them. budget: what a
    section is given of all this.
    """

    book: EvidenceBook
    kinds: dict[str, str] = field(default_factory=dict)
    found: list[EvidenceItem] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    spellings: Mapping[str, str] = field(default_factory=dict)
    budget: EvidenceBudget = ENOUGH


def build_page_context(
    analysis: Analysis,
    book: EvidenceBook,
    queries: Iterable[PseudoQuery],
    find: Find,
    choose: Choose = iter,
    budget: EvidenceBudget = ENOUGH,
    budget_tokens: int = _BUDGET_TOKENS,
) -> ModelPageContext:
    """Add what the questions find to the evidence that the facts cite already.

    choose: which of the places found are taken, and in which order.
    """
    words = (word for said in analysis.steering.values() for word in said.glossary)
    page_context = ModelPageContext(book, spellings=spellings_of(words), budget=budget)
    left = budget_tokens - sum(estimate_tokens(i.excerpt) for i in book.items)
    taken = [SurveyLines(i.file, i.start_line, i.end_line) for i in book.items]
    answers = [find(query) for query in queries]
    for place in _unseen(choose(_places(analysis, answers)), taken):
        size = estimate_tokens(_text(analysis, place))
        if size > left:
            path = analysis.files[place.file].path
            page_context.cut.append(f"{path}:{place.start_line}-{place.end_line}")
            continue
        left -= size
        held = book.hold(place.file, place.start_line, place.end_line)
        page_context.found.append(held)
    page_context.kinds.update((i.id, analysis.files[i.file].kind) for i in book.items)
    return page_context


def _places(
    analysis: Analysis, answers: Iterable[Sequence[Hit]]
) -> Iterable[SurveyLines]:
    """Yield places of the hits, the best of each question first."""
    files = {(file.source, file.path): file for file in analysis.survey.files}
    for hits in zip_longest(*answers):
        for hit in hits:
            if hit is None or hit.file_kind == "wiki":
                continue
            file = files.get((hit.source_name, hit.path))
            # Search sees newer commits than the run, whose versions are pinned.
            if file is None or not _is_there(analysis, file, hit):
                continue
            if analysis.roles[file.id] == "excluded":
                continue  # its owners keep it out of the wiki
            end = min(hit.end_line, hit.start_line + _LONGEST_LINES - 1, file.lines)
            place = SurveyLines(file.id, hit.start_line, end)
            text = _text(analysis, place)
            if is_statement(text, language=file.language, kind=file.kind):
                yield place


def _is_there(analysis: Analysis, file: SurveyFile, hit: Hit) -> bool:
    text = _text(analysis, SurveyLines(file.id, hit.start_line, hit.end_line))
    is_same = hit.version_identifier == file.version_identifier
    return bool(text.strip()) and (is_same or text.split() == hit.text.split())


def _text(analysis: Analysis, place: SurveyLines) -> str:
    lines = analysis.texts.text(place.file).split("\n")
    return "\n".join(lines[place.start_line - 1 : place.end_line])


def _unseen(
    places: Iterable[SurveyLines], taken: list[SurveyLines]
) -> Iterable[SurveyLines]:
    """Yield places that are not inside one before."""
    for place in places:
        if not any(_holds(other, place) for other in taken):
            taken.append(place)
            yield place


def _holds(other: SurveyLines, place: SurveyLines) -> bool:
    return (
        other.file == place.file
        and other.start_line <= place.start_line
        and place.end_line <= other.end_line
    )

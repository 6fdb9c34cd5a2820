"""What topics are found in: the code, the documents and what these say of the code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from devrag.wiki.analysis.documents import DocumentBlock, Section
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile, SurveySymbol
from devrag.wiki.analysis.topics.mentions import MentionIndex, weigh_mentions
from devrag.wiki.analysis.topics.types import DocumentSection, Topic

_DIVIDED_WORDS = 2500  # a longer document is grouped section by section


def _nothing(_file: int) -> str:
    return ""


@dataclass(frozen=True)
class TopicInput:
    """What topics are found in.

    files: code. given: topics that people named, with the files they chose. documents:
    the sections that explain the product. read: the sections of a document. homes: the
    files of documents by id. edges: file → file → number of uses. rank: file →
    importance. ignored: words of the product's own name. said: what a file says about
    itself.
    """

    files: Sequence[SurveyFile]
    given: Sequence[Topic]
    documents: Sequence[DocumentSection]
    read: Callable[[int], Sequence[Section]]
    homes: Mapping[int, SurveyFile]
    symbols: Mapping[int, Sequence[SurveySymbol]]
    facts: Sequence[SurveyFact]
    edges: Mapping[int, Mapping[int, float]]
    rank: Mapping[int, float]
    ignored: frozenset[str]
    said: Callable[[int], str] = _nothing

    @cached_property
    def mentions(self) -> list[dict[int, float]]:
        """Per section, the files that it talks about with their shares."""
        return self._weighed[: len(self.documents)]

    @cached_property
    def whole(self) -> list[list[int]]:
        """The documents as they are grouped: places of the sections of each."""
        by_file: dict[int, list[int]] = defaultdict(list)
        for number, section in enumerate(self.documents):
            by_file[section.file].append(number)
        found: list[list[int]] = []
        for file in sorted(by_file, key=self._place):
            numbers = by_file[file]
            words = sum(self.documents[n].words for n in numbers)
            is_divided = self.homes[file].is_readme or words > _DIVIDED_WORDS
            found += [[n] for n in numbers] if is_divided else [numbers]
        return found

    @cached_property
    def mentions_of_whole(self) -> list[dict[int, float]]:
        """Per document as it is grouped, the files that it talks about."""
        return self._weighed[len(self.documents) :]

    @cached_property
    def _weighed(self) -> list[dict[int, float]]:
        own = [s for f in self.files for s in self.symbols.get(f.id, ())]
        index = MentionIndex(self.files, own, self.facts)
        named = [index.names_in(self.blocks(each)) for each in self.documents]
        whole = [sum((named[n] for n in numbers), Counter()) for numbers in self.whole]
        return weigh_mentions(index, [*named, *whole])

    def blocks(self, section: DocumentSection) -> list[DocumentBlock]:
        """Return the blocks below a heading, of those inside it, too."""
        inside = self.read(section.file)[section.first : section.last + 1]
        return [block for each in inside for block in each.blocks]

    def prose(self, section: DocumentSection) -> str:
        """Return what a section says, its code apart."""
        blocks = self.blocks(section)
        return " ".join(block.text for block in blocks if block.kind != "code")

    def _place(self, document: int) -> tuple[str, str]:
        file = self.homes[document]
        return file.source, file.path

    def home(self, document: int) -> tuple[str, str]:
        """Return the source and the directory of a document."""
        file = self.homes[document]
        return file.source, file.directory

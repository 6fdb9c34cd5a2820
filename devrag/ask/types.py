"""What asking takes and gives, at every entry point: no models, no Django.

    AskRequest → answer_question() → EvidenceFound, Progress, Draft, Checked, Finished

An answer is Markdown in which `[2](cite:2)` is the second of its citations, and each
citation is a passage: lines of a file of a version, with the hash of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from devrag.core.principal import Principal

if TYPE_CHECKING:  # not needed to read answers of another devrag
    from devrag.sources.api import DocumentFacts

# quick: one retrieval; thorough: a model looks further by itself; trace: the path of
# calls from one definition to another.
AskMode = Literal["quick", "thorough", "trace"]
MODES: tuple[AskMode, ...] = ("quick", "thorough", "trace")
# not_found: the sources do not answer it, and the answer says so. ambiguous: the answer
# asks back, which of several definitions is meant or between which two to trace.
Outcome = Literal["answered", "not_found", "ambiguous"]
PassageKind = Literal[
    "definition",
    "caller",
    "callee",
    "documentation",
    "configuration",
    "fact",
    "test",
    "data",
]
MAX_QUESTION_CHARS = 8_000
MAX_FILES, MAX_LINES = 12, 540


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look. products: their names, empty for all that the asker may see.

    path: a file or the folder that every path begins with. lines: of the file at path,
    first and last, when a question is about these.
    """

    products: tuple[str, ...] = ()
    source: str = ""
    path: str = ""
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of a conversation and its answer, as the asker may read it.

    answer: Markdown. paths: of the files that it cited, in order. sendable: what
    external models may read of the answer, None for all of it.
    """

    question: str
    answer: str
    paths: tuple[str, ...] = ()
    sendable: str | None = None

    @property
    def sent_answer(self) -> str:
        """Return what a model is told of the answer."""
        return self.answer if self.sendable is None else self.sendable


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question with its asker and scope. history: earlier exchanges, oldest first.

    language: of the answer, "en" or "ja"; "" for that of the question.
    """

    question: str
    principal: Principal
    scope: Scope = Scope()
    mode: AskMode = "quick"
    history: tuple[Exchange, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a file in a version that may bear an answer.

    id: "E1", "E2", … within one answer. text: the lines, secrets masked. title: the
    qualified name of the definition or the heading of the section, "" for neither.
    why: what it shows, in a few words of the reader's language.
    content_hash: SHA-256 of the whole file, by which the passage can be rechecked.
    document: of a page or ticket, what is known of it beside its text.
    """

    id: str
    product: str
    source: str
    path: str
    start_line: int
    end_line: int
    text: str
    version_identifier: str
    content_hash: str
    kind: PassageKind
    language: str = ""
    title: str = ""
    why: str = ""
    symbol_uuid: UUID | None = None
    document: DocumentFacts | None = None

    @property
    def line_count(self) -> int:
        return self.end_line - self.start_line + 1


@dataclass(frozen=True, slots=True)
class Location:
    """Lines of a file. title: the qualified name or the heading, "" for neither."""

    source: str
    path: str
    start_line: int
    end_line: int
    title: str = ""
    symbol_uuid: UUID | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages of a question, most useful first, and how sure it is.

    is_found: something in the sources is about the question. searched: what was looked
    for, for an answer that has to say that nothing was found. notes: what the asker
    should know, such as vectors that are missing. input_tokens, output_tokens: what a
    model used that looked for them. repeated: ids of passages that earlier answers of
    the conversation showed. is_about_tests: tests were asked for. nearby: all that may
    be of use, the best first, from which a model chooses what it reads. named: ids of
    the definitions that the question names. sides: what it compares, each side with the
    id of its best passage. missing_notes: those of the notes on words that are nowhere.
    """

    passages: tuple[Passage, ...]
    is_found: bool
    searched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    repeated: tuple[str, ...] = ()
    is_about_tests: bool = False
    nearby: tuple[Location, ...] = ()
    named: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()
    missing_notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RemovedSentence:
    """A sentence of the model that failed a check, and why."""

    sentence: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. citations: of its numbers, from 1; evidence: all that was read.

    is_extractive: no model wrote it. is_complete: False when it was stopped or cut.
    diagram: Mermaid text of a trace, "" for none.
    """

    markdown: str
    citations: tuple[Passage, ...]
    evidence: tuple[Passage, ...]
    outcome: Outcome
    is_extractive: bool = True
    is_complete: bool = True
    notes: tuple[str, ...] = ()
    removed: tuple[RemovedSentence, ...] = ()
    diagram: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


# -- events of a streamed answer ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """Passages that were found so far; each event brings new ones only."""

    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, as a sentence for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A piece of text as the model writes it, not checked yet."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer so far whose sentences passed their checks; replaces the draft.

    citations: of the numbers in it. is_settled: False while a second model may still
    refuse sentences of it; who cannot take text back waits for the end.
    """

    markdown: str
    citations: tuple[Passage, ...]
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event."""

    answer: Answer


AskEvent = EvidenceFound | Progress | Draft | Checked | Finished

"""What a document says, what the code has, and a contradiction of both.

Lines are 1-based and inclusive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from devrag.core.hashing import sha256_hex
from devrag.parsing.path_roles import is_aside, is_test
from devrag.wiki.conflicts.spelling import Spellings


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """Something that a document says of code and that a fact can contradict.

    kind: of CONFLICT_KINDS. subject: what it is about, as `LOG_LEVEL` or `GET /users`.
    value: what it says of that, '' where it only says that the subject exists. names:
    words of which the code must have one if the subject exists. own: what the code
    beside a docstring has instead.
    """

    kind: str
    subject: str
    value: str
    start_line: int
    end_line: int
    text: str
    names: tuple[str, ...] = ()
    own: NamePlace | None = None


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A line of code that has a name. value: the literal it is set to, '' for none.

    is_computed: it is set to something else than a literal.
    """

    name: str
    line: int
    value: str = ""
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class CodeFact:
    """A declared fact and its file. kind, data: as in `FactFacts`."""

    kind: str
    name: str
    path: str
    start_line: int
    end_line: int
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CodeLines:
    """Where the code's side of a contradiction is."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A statement and what the code has. actual: in a word, '' for nothing at all.

    place: None where the subject is nowhere. is_by_model: a model found it; reason:
    why, in its words.
    """

    statement: StatementFacts
    path: str
    actual: str
    place: CodeLines | None
    is_by_model: bool = False
    reason: str = ""

    @property
    def key(self) -> str:
        """Return what stays the same while both sides say what they say."""
        said = self.statement
        sides = (said.kind, self.path, said.subject, said.value, self.actual)
        return sha256_hex("\x00".join(sides))


@dataclass(frozen=True)
class CodeIndex:
    """What is known of the code that statements are compared with.

    paths: of all files. places: (path, name place) of the names that statements ask
    for, tests and examples left out. tops: names that modules of the product begin
    with.
    """

    paths: frozenset[str]
    facts: tuple[CodeFact, ...]
    places: Iterable[tuple[str, NamePlace]]
    tops: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()

    @cached_property
    def by_name(self) -> dict[str, list[tuple[str, NamePlace]]]:
        """Return name → where code has it."""
        found: dict[str, list[tuple[str, NamePlace]]] = defaultdict(list)
        for path, place in self.places:
            found[place.name].append((path, place))
        return found

    @cached_property
    def by_kind(self) -> dict[str, list[CodeFact]]:
        """Return kind → the facts of it."""
        found: dict[str, list[CodeFact]] = defaultdict(list)
        for fact in self.facts:
            found[fact.kind].append(fact)
        return found

    @cached_property
    def options(self) -> dict[str, CodeLines]:
        """Return each option that the product declares, with a place."""
        found = {
            fact.name: CodeLines(fact.path, fact.start_line, fact.end_line)
            for fact in self.by_kind["setting"]
            if fact.name.startswith("--")
        }
        for name, places in self.by_name.items():
            for path, place in places if name.startswith("--") else ():
                if not (is_test(path) or is_aside(path)):
                    found.setdefault(name, CodeLines(path, place.line, place.line))
        return found

    @cached_property
    def settings_by_name(self) -> dict[str, list[CodeFact]]:
        """Return name → the settings of that name."""
        found: dict[str, list[CodeFact]] = defaultdict(list)
        for fact in self.by_kind["setting"]:
            found[fact.name].append(fact)
        return found

    @cached_property
    def variables(self) -> dict[str, set[str]]:
        """Return prefix, with its `_` → the variables that code reads."""
        found: dict[str, set[str]] = defaultdict(set)
        for fact in self.by_kind["setting"]:
            if not fact.data.get("set_in"):
                found[fact.name.partition("_")[0] + "_"].add(fact.name)
        return found

    @cached_property
    def _spellings(self) -> dict[str, Spellings]:
        return {}

    def nearest_variable(self, name: str, least: float) -> str:
        """Return the variable with its prefix that is spelled most like one."""
        prefix = name.partition("_")[0] + "_"
        if prefix not in self._spellings:
            known = self.variables.get(prefix, set())
            self._spellings[prefix] = Spellings(known, prefix)
        return self._spellings[prefix].nearest(name, least)

    @cached_property
    def symbol_spellings(self) -> Spellings:
        """Return the symbols by how they are spelled."""
        return Spellings(self.symbols)

    @cached_property
    def option_spellings(self) -> Spellings:
        """Return the options by how they are spelled."""
        return Spellings(self.options, "--")

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """Return folder → names of the files in it; the root is ''."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            folder, _, name = path.rpartition("/")
            found[folder].append(name)
        return found

    @cached_property
    def file_names(self) -> dict[str, list[str]]:
        """Return file name → paths that end with it."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            found[path.rpartition("/")[2]].append(path)
        return found

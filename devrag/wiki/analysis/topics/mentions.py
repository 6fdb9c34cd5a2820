"""Which files a text talks about: paths, symbols, settings and routes that it names.

A name counts by its rarity, both among the files that could be meant and among the
texts that use it, so that `get` links nothing and `PropertyRule` links much.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.analysis.documents import DocumentBlock
from devrag.wiki.analysis.survey import SurveyFact, SurveyFile, SurveySymbol

_MOST_FILES = 4  # that one name may mean
_LEAST_WEIGHT = 0.02
_SHORTEST = 3
_SURE_WEIGHT = 5.0  # of names; a text with less tells less surely what it is about
_USUAL = 3.0  # rarity of a file that every 20th text is about
_FEWEST_TEXTS = 20  # of so few, what one names is no less telling
_SPAN = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_][\w]*")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")  # of a command line
_PATH = re.compile(r"(?<![\w@.-])[\w@.-]*(?:/[\w@.{}:-]+)+")
# As prose writes code without marking it: `PropertyRule`, `read_file`, `HTTP_PROXY`.
_CODE_LIKE = re.compile(
    r"^(?=.*[A-Za-z])(\w*[a-z]\w*[A-Z]\w*|\w+_\w+|[A-Z]{2,}\w*_\w+)$"
)
# Methods that languages prescribe: `Error: not found` names no type.
_CONVENTIONAL = {"Error", "String", "Len", "Less", "Swap", "toString", "equals", "main"}
_SESSIONS = {"console", "shell-session", "terminal", "text", "output"}
_SYMBOL_KINDS = {"class", "interface", "enum", "type", "function", "method", "constant"}
_FACT_KINDS = ("setting", "route", "command", "task", "model")


class MentionIndex:
    """Finds the files that define, read or serve what a text names."""

    def __init__(
        self,
        files: Iterable[SurveyFile],
        symbols: Iterable[SurveySymbol],
        facts: Iterable[SurveyFact],
    ) -> None:
        """files: those that may be meant; symbols and facts of others are left out."""
        self._by_name: dict[str, set[int]] = defaultdict(set)
        self._by_path: dict[str, set[int]] = defaultdict(set)
        own = {file.id: file for file in files}
        for file in own.values():
            self._add_file(file)
        for symbol in symbols:
            is_telling = symbol.name not in _CONVENTIONAL
            if symbol.file in own and symbol.kind in _SYMBOL_KINDS and is_telling:
                self._by_name[symbol.name].add(symbol.file)
        for fact in facts:
            if fact.file in own and fact.kind in _FACT_KINDS:
                self._by_name[fact.name].add(fact.file)
                path = str(fact.data.get("path") or "")
                self._by_path[path.strip("/")].add(fact.file)

    def _add_file(self, file: SurveyFile) -> None:
        pieces = file.path.split("/")
        for start in range(len(pieces)):
            self._by_path["/".join(pieces[start:])].add(file.id)
        if len(pieces) > 1:
            self._by_path[file.directory].add(file.id)
        if "_" in file.stem.strip("_"):
            self._by_name[file.stem].add(file.id)

    def names_in(self, blocks: Iterable[DocumentBlock]) -> Counter[str]:
        """Return the known names of these blocks with how often each stands there."""
        found: Counter[str] = Counter()
        for block in blocks:
            is_code = block.kind == "code"
            if is_code and block.language in _SESSIONS:  # output is mostly prose
                found.update(self._names(block.text, is_marked=False))
                continue
            marked = block.text if is_code else " ".join(_SPAN.findall(block.text))
            found.update(self._names(marked, is_marked=True))
            if not is_code:
                found.update(self._names(_SPAN.sub(" ", block.text), is_marked=False))
        return found

    def has_names(self, blocks: Iterable[DocumentBlock]) -> bool:
        """Return whether any known name stands in these blocks."""
        return any(self.names_in([block]) for block in blocks)

    def _names(self, text: str, *, is_marked: bool) -> Iterable[str]:
        for path in _PATH.findall(text):
            if (bare := path.strip("./")) in self._by_path:
                yield f"/{bare}"
        for name in _NAME.findall(_OPTION.sub(" ", text)):
            is_known = len(name) >= _SHORTEST and name in self._by_name
            if is_known and (is_marked or _CODE_LIKE.match(name)):
                yield name

    def files_of(self, name: str) -> set[int]:
        """Return the files that a name from `names_in` may mean."""
        known = self._by_path[name[1:]] if name[0] == "/" else self._by_name[name]
        return known if len(known) <= _MOST_FILES else set()


def weigh_mentions(
    index: MentionIndex, named: Sequence[Mapping[str, int]]
) -> list[dict[int, float]]:
    """Return for each text file → share; the shares of a text sum to 1 at most.

    They sum to less where the names are few or common. What most texts talk about, as
    they do about the file of all commands, counts little. named: what `names_in` found.
    """
    used = Counter(name for names in named for name in names)
    meant = Counter(
        file
        for names in named
        for file in {file for name in names for file in index.files_of(name)}
    )
    texts = max(_FEWEST_TEXTS, len(named))
    found = []
    for names in named:
        weights: dict[int, float] = defaultdict(float)
        for name, times in names.items():
            files = index.files_of(name)
            rarity = math.log(1 + texts / used[name])
            for file in files:
                told = rarity * (1 + math.log(times)) / len(files)
                weights[file] += told * math.log(1 + texts / meant[file]) / _USUAL
        total = max(sum(weights.values()), _SURE_WEIGHT)
        shares = {file: weight / total for file, weight in sorted(weights.items())}
        found.append({f: s for f, s in shares.items() if s >= _LEAST_WEIGHT})
    return found

"""Which function a route, command, task or entry point starts.

By the handler that is named, else by the definition the fact is written upon. Who only
registers a route does not answer it: such a function is never meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from devrag.wiki.analysis.calls import CallSymbols, ResolvedUse
from devrag.wiki.analysis.roles import role_of
from devrag.wiki.analysis.survey import Survey, SurveyFact, SurveySymbol, Texts

_AS_VIEW = re.compile(r"\.as_view\(.*\)$", re.DOTALL)
_DOTTED = re.compile(r"^[A-Za-z_][\w.]*$")
_RUNS = ("handle", "run", "__call__", "main")
_CALLABLE = {"function", "method"}


class Handlers:
    """Finds the symbols of a survey that facts lead to."""

    def __init__(
        self,
        survey: Survey,
        texts: Texts,
        resolver: CallSymbols,
        uses: Iterable[ResolvedUse],
        symbols_of: Mapping[int, Sequence[SurveySymbol]],
    ) -> None:
        self._texts = texts
        self._resolver = resolver
        self._symbols_of = symbols_of
        self._symbols = {symbol.id: symbol for symbol in survey.symbols}
        self._files = {file.id: file for file in survey.files}
        self._started: dict[int, list[ResolvedUse]] = defaultdict(list)
        for use in uses:
            if use.source is None and use.kind == "call":
                self._started[use.file].append(use)
        self._beside: dict[tuple[str, str, str, str], list[SurveySymbol]] = defaultdict(
            list
        )
        self._methods: dict[tuple[str, str], list[SurveySymbol]] = defaultdict(list)
        for symbol in survey.symbols:
            if symbol.kind in _CALLABLE:
                self._beside[self._place(symbol.file, symbol.name)].append(symbol)
            if symbol.kind == "method" and self._is_written(symbol):
                place = self._files[symbol.file].source, symbol.name.lower()
                self._methods[place].append(symbol)

    def _is_written(self, symbol: SurveySymbol) -> bool:
        """Return whether people wrote it as a program: no schema, no test of one."""
        file = self._files[symbol.file]
        is_schema = symbol.signature.startswith("rpc ")
        return role_of(file) == "code" and not (file.is_generated or is_schema)

    def of(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return the function that the fact starts, None where it is not certain."""
        if fact.data.get("framework") == "grpc":
            return self._served(fact) or self.declared(fact)
        return self.declared(fact)

    def _served(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return the method that answers an rpc: of its name, given its message.

        Of several in one folder the tallest does the work, the others pass it on.
        """
        method = str(fact.data.get("handler") or "").rpartition(".")[2]
        message = re.compile(rf"\b{re.escape(str(fact.data.get('request') or '-'))}\b")
        source = self._files[fact.file].source
        found = [
            symbol
            for symbol in self._methods.get((source, method.lower()), [])
            if message.search(symbol.signature)
        ]
        folders = {self._files[symbol.file].directory for symbol in found}
        tallest = max(
            found, key=lambda s: (s.end_line - s.start_line, -s.id), default=None
        )
        return tallest if len(folders) == 1 else None

    def declared(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return what the fact itself names or marks: of an rpc its declaration."""
        own = self._symbols_of.get(fact.file, [])
        wanted = str(fact.data.get("handler") or fact.data.get("function") or "")
        if wanted:
            named = [s for s in own if wanted in (s.name, s.qualified_name)]
            return self._runner(named[0]) if named else self._elsewhere(fact, wanted)
        if fact.kind == "entry_point":
            return self._called(fact)
        around = [s for s in own if self._is_upon(fact, s)]
        nearest = min(
            around, key=lambda s: (s.end_line - s.start_line, s.id), default=None
        )
        return self._runner(nearest) if nearest else None

    def _is_upon(self, fact: SurveyFact, symbol: SurveySymbol) -> bool:
        """Return whether a fact marks a definition.

        A command may also be built in it.
        """
        kinds = {*_CALLABLE, "class"}
        overlaps = symbol.start_line <= fact.end_line <= symbol.end_line
        if symbol.kind not in kinds or not overlaps:
            return False
        return fact.kind != "route" or fact.start_line <= self._named_at(symbol)

    def _named_at(self, symbol: SurveySymbol) -> int:
        """Return the line with the symbol's name: marks stand above it."""
        lines = self._texts.text(symbol.file).split("\n")
        name = re.compile(rf"\b{re.escape(symbol.name)}\b")
        numbers = range(symbol.start_line, min(symbol.end_line, len(lines)) + 1)
        return next((n for n in numbers if name.search(lines[n - 1])), 0)

    def _called(self, fact: SurveyFact) -> SurveySymbol | None:
        """Return what an installed command or a script's last lines call."""
        target = str(fact.data.get("target") or "").replace(":", ".")
        symbol = self._resolver.imported(fact.file, target, "python")
        if symbol is not None:
            return symbol
        called = [
            use.target
            for use in self._started[fact.file]
            if fact.start_line <= use.line <= fact.end_line
        ]
        return self._symbols[called[0]] if called else None

    def _elsewhere(self, fact: SurveyFact, wanted: str) -> SurveySymbol | None:
        """Follow a handler that a file imports, or that only its package can mean.

        The one is `views.edit` or `Edit.as_view()`, the other `handler.showFeed`, a
        method of a variable.
        """
        name = _AS_VIEW.sub("", wanted)
        if not _DOTTED.match(name):
            return None
        symbol = self._resolver.named(fact.file, name)
        if symbol is not None:
            return self._runner(symbol)
        beside = self._beside[self._place(fact.file, name.rpartition(".")[2])]
        return beside[0] if len(beside) == 1 else None

    def _place(self, file: int, name: str) -> tuple[str, str, str, str]:
        at = self._files[file]
        return at.source, at.directory, at.module, name

    def _runner(self, symbol: SurveySymbol) -> SurveySymbol:
        """A class is entered through its `handle`, `run` or `__call__`."""
        if symbol.kind != "class":
            return symbol
        own = self._symbols_of.get(symbol.file, [])
        methods = {s.name: s for s in own if s.parent == symbol.id}
        return next((methods[name] for name in _RUNS if name in methods), symbol)

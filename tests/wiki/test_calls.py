"""Calls of the survey lead to symbols; what they may reach is an edge of its own."""

from __future__ import annotations

from devrag.parsing.api import parse_file
from devrag.wiki.analysis.calls import CallSymbols, resolve_uses
from devrag.wiki.analysis.survey import (
    Survey,
    SurveyFile,
    SurveyReference,
    SurveySymbol,
)

FILES = {
    "base.py": "class Base:\n    def send(self): ...\n\n    def brew(self): ...\n",
    "fast.py": "from base import Base\n\nclass Fast(Base):\n    def send(self): ...\n",
    "use.py": "from base import Base\n\ndef use(it: Base, other):\n    it.send()\n"
    "    other.brew()\n",
}


def _survey() -> Survey:
    files, symbols, references = [], [], []
    for number, (path, text) in enumerate(FILES.items()):
        facts = parse_file(path, text)
        first = 1 + 100 * number
        files.append(
            SurveyFile(number, "a", path, "python", "code", 9, module=facts.module)
        )
        for s in facts.symbols:
            names = (s.kind, s.name, s.qualified_name, s.start_line, s.end_line)
            parent = None if s.parent is None else first + s.parent
            symbols.append(
                SurveySymbol(
                    *(first + s.ordinal, number, *names),
                    parent=parent,
                    value_types=dict(s.value_types),
                )
            )
        for r in facts.references:
            around = None if r.symbol is None else first + r.symbol
            names = (r.kind, r.name, r.line)
            references.append(SurveyReference(number, *names, around, r.target, r.via))
    return Survey("p", "P", tuple(files), tuple(symbols), tuple(references), ())


def test_an_implementation_is_a_possible_edge() -> None:
    survey = _survey()
    names = {symbol.id: symbol.qualified_name for symbol in survey.symbols}
    uses = resolve_uses(survey, CallSymbols(survey))
    calls = [
        (names[use.source or 0], names[use.target], use.is_possible)
        for use in uses
        if use.kind == "call"
    ]
    assert calls == [("use", "Base.send", False), ("use", "Fast.send", True)]

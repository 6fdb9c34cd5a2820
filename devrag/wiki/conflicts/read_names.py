"""Statements that something exists: environment variables, files and symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.core.conflict_names import ENVIRONMENT, PATH, SYMBOL
from devrag.wiki.conflicts.lines import DocumentLine
from devrag.wiki.conflicts.types import StatementFacts

_VARIABLE = re.compile(
    r"(?:`+|\*\*)\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?(?:`+|\*\*)"
)
_EXPORTED = re.compile(
    r"^\s*(?:\$\s+)?(?:export|set|ENV)\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)="
)
_ENVIRONMENT = re.compile(r"environment|\benv\b|env ?vars?\b|環境変数", re.IGNORECASE)
_ENVVAR = re.compile(r"(?::envvar:`|\.\. envvar::\s+)([A-Z][A-Z0-9_]+)")
_PATH = re.compile(
    r"(?<![\w/.])`{1,2}(?:\./)?((?:[\w.+-]+/)+[\w.+-]+\.[A-Za-z]\w{0,5})(?::\d+)?`"
)
_LINK = re.compile(
    r"\]\((?:\./)?((?:[\w.+-]+/)+[\w.+-]+\.[A-Za-z]\w{0,5})(?:#[^)]*)?\)"
)
_DOTTED = re.compile(
    r"`{1,2}[~!]?((?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*)(?:\([^`]*\))?`{1,2}"
)
_ROLE = re.compile(
    r":(?:py:)?(?:class|func|meth|attr|exc|data|mod|obj):`[~!]?\.?((?:\w+\.)*\w+)(?:\(\))?`"
)
_AUTO = re.compile(
    r"^\s*\.\. (?:auto(?:class|function|method|exception|data|attribute|module)"
    r"|currentmodule|module)::\s+((?:\w+\.)*\w+)"
)
_CALLED = re.compile(
    r"`{1,2}(?P<call>[a-z_]\w*_\w+)\(\)`{1,2}"
    r"|`{1,2}(?P<class>[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)`{1,2}\s+(?:class|exception|type"
    r"|interface|struct|クラス)\b"
    r"|`{1,2}(?P<function>[a-z_]\w*_\w+)`{1,2}\s+(?:function|method|メソッド|関数)"
)
_ENDINGS = re.compile(
    r"\.(py|js|ts|json|toml|ya?ml|md|rst|txt|go|rs|java|rb|php|c|h|cpp|cfg|ini|conf|html"
    r"|css|com|org|net|io|sh|xml|lock|log|dev|exe|db|sql|env|in|so)$"
)


def variables_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield variables that are called variables of the environment."""
    for line in lines:
        names = _ENVVAR.findall(line.text)
        if line.code is not None:
            names += _EXPORTED.findall(line.text)
        elif _ENVIRONMENT.search(f"{line.text} {' '.join(line.headings[-1:])}"):
            names += _VARIABLE.findall(line.text)
            names += _first_cell(line.text)
        for name in names:
            yield StatementFacts(
                *(ENVIRONMENT, name, "", line.number, line.number, line.text.strip()),
                names=(name,),
            )


def _first_cell(text: str) -> list[str]:
    match = re.match(r"^\|\s*`?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`?\s*\|", text)
    return [match[1]] if match else []


def paths_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield paths of files, in backticks or as the target of a relative link."""
    for line in lines:
        if line.code is not None:
            continue
        for pattern in (_PATH, _LINK):
            for match in pattern.finditer(line.text):
                path = match[1]
                name = path.rpartition("/")[2]
                yield StatementFacts(
                    *(PATH, path, "", line.number, line.number, line.text.strip()),
                    names=(name, name.rpartition(".")[0]),
                )


def symbols_in(lines: list[DocumentLine]) -> Iterator[StatementFacts]:
    """Yield dotted names, and names that are called a class or function."""
    for line in lines:
        if line.code is not None:
            continue
        names = [m[1] for p in (_DOTTED, _ROLE, _AUTO) for m in p.finditer(line.text)]
        names += [
            m["call"] or m["class"] or m["function"]
            for m in _CALLED.finditer(line.text)
        ]
        for name in dict.fromkeys(names):
            if _ENDINGS.search(name):
                continue
            last = name.rpartition(".")[2]
            yield StatementFacts(
                *(SYMBOL, name, "", line.number, line.number, line.text.strip()),
                names=(last, name.partition(".")[0]),
            )

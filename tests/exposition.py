"""Read Prometheus' text format as strictly as its own parser does."""

from __future__ import annotations

import re

_HEAD = re.compile(r"# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)")
_LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
_SAMPLE = re.compile(
    rf"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{{({_LABEL}(?:,{_LABEL})*)\}})? (\S+)"
)
Series = dict[str, float]


def read_exposition(text: str) -> tuple[dict[str, str], Series]:
    """Return types by metric and values by `name{labels}`; ValueError if not valid."""
    if text and not text.endswith("\n"):
        raise ValueError("the last line has no end")
    types: dict[str, str] = {}
    helped: set[str] = set()
    values: Series = {}
    for line in text.splitlines():
        if head := _HEAD.fullmatch(line):
            kind, name, rest = head.groups()
            if kind == "HELP":
                helped.add(name)
            elif name in types or name not in helped:
                raise ValueError(f"{line}: a second type, or no help before it")
            else:
                types[name] = rest
        else:
            _add(line, types, values)
    return types, values


def _add(line: str, types: dict[str, str], values: Series) -> None:
    found = _SAMPLE.fullmatch(line)
    if found is None:
        raise ValueError(f"no sample: {line}")
    name, labels, value = found.groups()
    base = re.sub(r"_(?:bucket|sum|count)$", "", name)
    if types.get(name, types.get(base)) is None:
        raise ValueError(f"{name} has no type")
    key = f"{name}{{{labels}}}" if labels else name
    if key in values:
        raise ValueError(f"{key} twice")
    values[key] = float(value)

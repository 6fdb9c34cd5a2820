"""Targets of a Makefile, with the comment that explains them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devrag.parsing.source import SourceText
from devrag.parsing.types import FactFacts

_RULE = re.compile(r"([A-Za-z0-9][\w./ -]*?)\s*::?(?!=)([^#]*)(?:#+\s*(.*))?$")


def makefile(source: SourceText) -> Iterator[FactFacts]:
    """Yield a target per explicit rule; pattern rules and variables are none."""
    lines = source.lines
    seen: set[str] = set()
    for index, line in enumerate(lines):
        match = _RULE.match(line)
        if not match or "=" in match[2] or "%" in line:
            continue
        end = _recipe_end(lines, index)
        summary = (match[3] or _comment_above(lines, index)).strip()
        run = [text.strip() for text in lines[index + 1 : end]]
        for name in match[1].split():
            if name not in seen:
                seen.add(name)
                data = {"help": summary, "run": run}
                yield FactFacts("make_target", name, index + 1, end, data)


def _recipe_end(lines: list[str], index: int) -> int:
    end = index + 1
    while end < len(lines) and lines[end].startswith("\t"):
        end += 1
    return end


def _comment_above(lines: list[str], index: int) -> str:
    found: list[str] = []
    at = index - 1
    while at >= 0 and (lines[at].startswith("#") or lines[at].startswith(".PHONY")):
        if lines[at].startswith("#"):
            found.insert(0, lines[at].lstrip("#").strip())
        at -= 1
    return " ".join(found)

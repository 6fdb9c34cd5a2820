"""Components of Vue, Svelte and Astro: their scripts are code, the rest is windows."""

from __future__ import annotations

import re
from dataclasses import replace

from devrag.parsing.code.chunks import window_chunks, window_chunks_around
from devrag.parsing.code.engine import parse_code
from devrag.parsing.languages.ecmascript import JAVASCRIPT, TSX, TYPESCRIPT
from devrag.parsing.source import Parsed, SourceText

_SCRIPT = re.compile(r"<script\b(?P<about>[^>]*)>\s*", re.IGNORECASE)
_END = re.compile(r"\s*</script\s*>", re.IGNORECASE)
_LANGUAGE = re.compile(r"\blang\s*=\s*[\"']?(\w+)")
_SPECS = {"ts": TYPESCRIPT, "typescript": TYPESCRIPT, "tsx": TSX}
_FENCE = "---"


def parse_component(source: SourceText) -> Parsed:
    """Parse the scripts in their place; every other line goes into windows."""
    language, lines = _script_lines(source)
    if not lines:
        return Parsed(chunks=window_chunks(source))
    shown = [line if index in lines else "" for index, line in enumerate(source.lines)]
    script = source.with_text("\n".join(shown) + "\n")
    parsed = parse_code(_SPECS.get(language, JAVASCRIPT), script)
    for chunk in window_chunks_around(source, lines):
        parsed.chunks.append(replace(chunk, ordinal=len(parsed.chunks)))
    return parsed


def _script_lines(source: SourceText) -> tuple[str, set[int]]:
    """Return the scripts' language, and the indexes of their own lines."""
    found: set[int] = set()
    language = "ts" if source.path.endswith(".astro") else ""
    lines = source.lines
    if lines and lines[0].strip() == _FENCE and language:
        end = next((i for i in range(1, len(lines)) if lines[i].strip() == _FENCE), 1)
        found.update(range(1, end))
    inside = False
    for index, line in enumerate(lines):
        if inside and _END.match(line):
            inside = False
        elif inside:
            found.add(index)
        elif (opened := _SCRIPT.fullmatch(line)) and not opened["about"].endswith("/"):
            inside = True
            named = _LANGUAGE.search(opened["about"])
            language = named[1].lower() if named and not language else language
    return language, found

"""Front matter of a document: title, date and tags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from devrag.parsing.documents.dates import read_date
from devrag.parsing.documents.memo import clean_tags
from devrag.parsing.located_values import Placed
from devrag.parsing.source import SourceText
from devrag.parsing.yaml_data import load_yaml

# Guides say when they were updated; only notes say when they were written.
_DATES = ("date", "published", "created")
_KNOWN = {"title", "date", "tags"}
_SIMPLE = re.compile(r"(title|date|tags):\s+([^\[{&*!|>\s].*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says about itself; '' and () where it says nothing.

    date: ISO 8601; '' for what is no date. rest: the lines of other keys, or what
    cannot be read as keys.
    """

    title: str = ""
    date: str = ""
    tags: tuple[str, ...] = ()
    rest: str = ""

    @property
    def is_memo(self) -> bool:
        """Whether the document is a note: it has a date or tags, not only a title."""
        return bool(self.date or self.tags)


def read_front_matter(source: SourceText, text: str) -> FrontMatter:
    """Read the YAML between the `---` lines; of broken YAML what is simple."""
    data = load_yaml(source.with_text(text))
    if data is None:
        return _read_lines(text)
    fields = {key.lower(): value for key, value in data.items()}
    title, tags = fields.get("title"), fields.get("tags")
    words = tags.texts() if tags else []
    if len(words) == 1:
        words = words[0].split(",")
    return FrontMatter(
        title=title.text() if title else "",
        date=_date(fields),
        tags=clean_tags(words),
        rest=_rest(text, fields),
    )


def _date(fields: Mapping[str, Placed]) -> str:
    """Return the first date; `published: true` and the like are none."""
    written = (fields[key].text() for key in _DATES if key in fields)
    return next(filter(None, map(read_date, written)), "")


def _rest(text: str, fields: Mapping[str, Placed]) -> str:
    lines = text.split("\n")
    others = (value for key, value in fields.items() if key not in _KNOWN)
    spans = (lines[value.start_line - 1 : value.end_line] for value in others)
    return "\n".join(line for span in spans for line in span).strip()


def _read_lines(text: str) -> FrontMatter:
    """Read lines such as `title: A: b`, which YAML refuses."""
    found = (_SIMPLE.fullmatch(line.rstrip()) for line in text.split("\n"))
    fields = {match[1].lower(): match[2].strip("\"'") for match in found if match}
    return FrontMatter(
        title=fields.get("title", ""),
        date=read_date(fields.get("date", "")),
        tags=clean_tags(fields.get("tags", "").split(",")),
        rest=text.strip(),
    )

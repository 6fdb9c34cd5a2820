"""Front matter of a document: title, date and tags."""

from __future__ import annotations

from dataclasses import dataclass

from devrag.parsing.documents.memo import valid_date
from devrag.parsing.source import SourceText
from devrag.parsing.yaml_data import load_yaml

_KNOWN = {"title", "date", "tags"}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says about itself; '' and () where it says nothing.

    date: ISO 8601; another way of writing it says nothing. has_more: it holds other
    keys, or what cannot be read as keys.
    """

    title: str = ""
    date: str = ""
    tags: tuple[str, ...] = ()
    has_more: bool = False


def read_front_matter(source: SourceText, text: str) -> FrontMatter:
    """Read the YAML between the `---` lines; broken YAML gives nothing."""
    data = load_yaml(source.with_text(text))
    if data is None:
        return FrontMatter(has_more=bool(text.strip()))
    fields = {key.lower(): value for key, value in data.items()}
    title, date, tags = (fields.get(key) for key in ("title", "date", "tags"))
    words = tags.texts() if tags else []
    if len(words) == 1:
        words = words[0].split(",")
    return FrontMatter(
        title=title.text() if title else "",
        date=valid_date(date.text()) if date else "",
        tags=tuple(word.strip() for word in words if word.strip()),
        has_more=not fields.keys() <= _KNOWN,
    )

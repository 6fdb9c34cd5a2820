"""What is known of a page or ticket beside its text: front matter of our own.

Connectors of wikis and trackers write it above the Markdown of each page, so that one
text holds everything: it is hashed, compared and parsed like any file. Keys are fixed,
values are JSON, which is YAML as well. Only texts of such connectors are read this way;
a file of a repository that begins alike is a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from devrag.core.text import clean_text
from devrag.sources.document_terms import document_terms

# Above and below what is known of a page.
FENCE = "---"
_BYTE_ORDERS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"", "utf-8"),
)
_HEAD_LINES = re.compile(
    r"^(?:---|(?:title|kind|place|status|is_closed|author|labels|created|changed|url"
    r'|version): (?:"[^\n]*"|\[[^\n]*\]|true))$\n?',
    re.MULTILINE,
)
DocumentKind = Literal["page", "ticket", "attachment"]
_KINDS = ("page", "ticket", "attachment")


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """A page or ticket of a wiki or tracker.

    place: what it lies in, outermost first: space and pages above, or the project.
    status: as the source names it ('' for pages). created, changed: ISO 8601 with zone
    or ''. url: the original, at its version where the source has such addresses.
    version: whatever the source counts by. is_closed: a ticket that nobody works on.
    """

    title: str
    kind: DocumentKind = "page"
    place: tuple[str, ...] = ()
    status: str = ""
    is_closed: bool = False
    author: str = ""
    labels: tuple[str, ...] = ()
    created: str = ""
    changed: str = ""
    url: str = ""
    version: str = ""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return facts from their fields as JSON has them."""
        known = {each.name for each in fields(cls)} & values.keys()
        return cls(**{key: _checked(key, values[key] or "") for key in known})

    def to_json(self) -> dict[str, Any]:
        """Return its fields under the keys of every entry point.

        Times are ISO 8601 in UTC, None where they are not known.
        """
        created, changed = self.created_at, self.changed_at
        return {
            "kind": self.kind,
            "title": self.title,
            "place": list(self.place),
            "author": self.author,
            "createdAt": created.isoformat() if created else None,
            "changedAt": changed.isoformat() if changed else None,
            "status": self.status,
            "isClosed": self.is_closed,
            "labels": list(self.labels),
            "originalURL": self.url,
            "originalVersion": self.version,
        }

    @property
    def changed_at(self) -> datetime | None:
        """Return when it was changed last, in UTC; None where that is not known."""
        return read_time(self.changed)

    @property
    def terms(self) -> list[str]:
        """Return what filters find it by."""
        return document_terms(
            kind=self.kind,
            status=self.status,
            is_closed=self.is_closed,
            author=self.author,
            labels=self.labels,
        )

    @property
    def created_at(self) -> datetime | None:
        """Return when it was written, in UTC; None where that is not known."""
        return read_time(self.created)


def write_document(facts: DocumentFacts, body: str) -> str:
    """Return Markdown that begins with what is known of the page."""
    known = [f"{key}: {_dump(value)}" for key, value in asdict(facts).items() if value]
    return "\n".join([FENCE, *known, FENCE, "", body.strip("\n"), ""])


def text_of_document(text: str) -> str:
    """Return a page's text, or a part of it, without what `write_document` put above.

    A part may hold some lines of it alone, or have them behind the text.
    """
    return _HEAD_LINES.sub("", text).strip()


def read_document(text: str) -> DocumentFacts | None:
    """Return what a page's text says of itself; None where it does not begin so."""
    found = dict(_read_lines(text))
    if not isinstance(found.get("title"), str):
        return None
    known = {each.name for each in fields(DocumentFacts)}
    values = {key: _checked(key, value) for key, value in found.items() if key in known}
    return DocumentFacts(**values)


def read_time(written: str) -> datetime | None:
    """Return a time in UTC; None for what is none. Without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return None
    try:
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:
        return None


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _read_lines(text: str) -> Iterator[tuple[str, Any]]:
    lines = text.split("\n", 40)
    if lines[0] != FENCE or FENCE not in lines[1:]:
        return
    for line in lines[1 : lines.index(FENCE, 1)]:
        key, _, value = line.partition(": ")
        try:
            yield key, json.loads(value)
        except ValueError:
            continue


def _checked(key: str, value: Any) -> Any:
    """Return a value of the type that its field has; no address but of the web."""
    if key in {"place", "labels"}:
        found = value if isinstance(value, list) else ()
        return tuple(clean_text(str(each)) for each in found)
    if key == "is_closed":
        return value is True
    if key == "kind":
        return value if isinstance(value, str) and value in _KINDS else "page"
    text = clean_text(str(value))
    return "" if key == "url" and not _is_of_web(text) else text


def _is_of_web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return False


def without_facts(data: bytes) -> bytes:
    """Return a downloaded file so that its head is not taken for one of ours."""
    for mark, encoding in _BYTE_ORDERS:
        if data.startswith(mark + FENCE.encode(encoding)):
            return mark + "\n".encode(encoding) + data[len(mark) :]
    return data

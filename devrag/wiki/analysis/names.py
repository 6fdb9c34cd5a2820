"""The names that exist in the index, and which of them may stand in backticks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from devrag.wiki.analysis.survey import Survey, field_names

_NAME_LIKE = re.compile(r"^[@.]?[^\W\d]\w*([./:-]+\w+)*/?(\(\))?$")
_PATH_LIKE = re.compile(r"^[\w.@-]*(/[\w.@-]+)+/?$")
_SPAN = re.compile(r"(?<!\\)`([^`\n]+)`")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>])")


class Names:
    """Every symbol, module, path, fact and used name of a product."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)

    def knows(self, span: str) -> bool:
        """Return whether a code span names something of the index."""
        bare = span.strip().removesuffix("()").lstrip("@").rstrip("/")
        return bare in self._known or bare.lstrip(".") in self._known

    def code(self, span: str) -> str:
        """Return the span in backticks, as plain text when it is an unknown name."""
        span = " ".join(span.split())
        if not span or "`" in span:
            return escape(span)
        if is_name_like(span) and not self.knows(span):
            return escape(span)
        return f"`{span}`"


class QuotedNames(Names):
    """Lets every code span stand: of text that stands in its evidence as it is."""

    def __init__(self) -> None:
        super().__init__(())

    def knows(self, span: str) -> bool:
        return True


def is_name_like(span: str) -> bool:
    """Return whether a code span claims to be an identifier or a path."""
    return bool(_NAME_LIKE.match(span) or _PATH_LIKE.match(span))


def unknown_spans(text: str, names: Names) -> list[str]:
    """Return the code spans of Markdown prose that claim a name nothing has."""
    spans = (span.strip() for span in _SPAN.findall(text))
    return [s for s in spans if is_name_like(s) and not names.knows(s)]


def escape(text: str) -> str:
    """Escape what Markdown would read as markup."""
    return _MARKDOWN.sub(r"\\\1", text)


def names_of(survey: Survey) -> Names:
    """Collect the names of a survey."""
    known: set[str] = {survey.product}
    for file in survey.files:
        known.update((file.source, file.stem, file.language))
        known.update(_suffixes(file.path))
        for directory in _directories(file.path):
            known.update(_suffixes(directory))
        known.update(_tails(file.module))
    for symbol in survey.symbols:
        known.update((symbol.name, symbol.qualified_name))
        known.update(_tails(symbol.qualified_name))
    for reference in survey.references:
        known.update(reference.name.split("."))
        known.add(reference.name)
    for fact in survey.facts:
        known.update((fact.name.rstrip("/"), str(fact.data.get("target") or "")))
        known.update(field_names(fact))
    return Names(known - {""})


def _directories(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _suffixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _tails(dotted: str) -> list[str]:
    parts = dotted.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]

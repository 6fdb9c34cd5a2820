"""Reads `.devrag/wiki.yaml` and `.devin/wiki.json` from the index, never from disk.

Only structure is obeyed: titles, paths, parents, what to leave out, the words of the
glossary. What is wrong becomes a warning of the run and the rest still counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from devrag.core.hashing import sha256_hex
from devrag.core.text import shorten, slugify_ascii
from devrag.indexing.parser import parser
from devrag.parsing.data import NOTHING, Placed, RequestKind, UnreadableData
from devrag.wiki.analysis.steering.types import (
    SourceSteering,
    Term,
    WantedPage,
    Warnings,
)
from devrag.wiki.analysis.survey import SurveyFile, Texts

OWN = ".devrag/wiki.yaml"
OTHER = ".devin/wiki.json"
STEERING_FILES = frozenset({OWN, OTHER})
MOST_PAGES = 200
MOST_PATTERNS = 500
_MOST_TERMS = 500
_MOST_CHARACTERS = 400_000
_LONGEST_TITLE = 120
_LONGEST_MEANING = 1_000
_KEYS = {"title", "pages", "exclude", "glossary"}
_PAGE_KEYS = {"title", "path", "paths", "parent"}
_OTHER_KEYS = {"repo_notes", "pages"}
_OTHER_PAGE_KEYS = {"title", "purpose", "parent", "page_notes"}
# A title stands in headings, links and diagrams: nothing in it may be markup.
_MARKUP = re.compile(r"[<>\[\]`|*\\\x00-\x1f]+")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*/?")


def read_steering(
    files: Iterable[SurveyFile], texts: Texts, warnings: Warnings
) -> dict[str, SourceSteering]:
    """Return source → what its own file says, else the other tool's."""
    by_source: dict[str, dict[str, SurveyFile]] = {}
    paths: dict[str, set[str]] = {}
    for file in files:
        paths.setdefault(file.source, set()).add(file.path)
        if file.path in STEERING_FILES:
            by_source.setdefault(file.source, {})[file.path] = file
    found = {}
    for source, held in by_source.items():
        path = OWN if OWN in held else OTHER
        reader = _SteeringReader(held[path], texts, warnings)
        found[source] = reader.own() if path == OWN else reader.other(paths[source])
    return found


def digest_of(steering: Mapping[str, SourceSteering]) -> str:
    """Return what tells whether sources ask for the same pages, '' for none."""
    asked = [
        (source, said.pages, said.exclude)
        for source, said in sorted(steering.items())
        if said.pages or said.exclude
    ]
    return sha256_hex(repr(asked)) if asked else ""


class _SteeringReader:
    """Reads one file; every warning names it and the line."""

    def __init__(self, file: SurveyFile, texts: Texts, warnings: Warnings) -> None:
        self._file = file
        self._text = texts.text(file.id)
        self._warnings = warnings

    def own(self) -> SourceSteering:
        """Read devrag's form."""
        root = self._root(RequestKind.YAML)
        self._check_keys(root, _KEYS)
        return SourceSteering(
            title=self._short(root, "title"),
            pages=tuple(self._pages(root, _PAGE_KEYS, self._paths)),
            exclude=self._texts(root, "exclude"),
            glossary=tuple(self._glossary(root)),
        )

    def other(self, paths: set[str]) -> SourceSteering:
        """Read the other form: it names no paths, so those in its words count."""
        root = self._root(RequestKind.JSON)
        self._check_keys(root, _OTHER_KEYS)
        known = _Known(paths)
        return SourceSteering(
            pages=tuple(self._pages(root, _OTHER_PAGE_KEYS, known.meant_by))
        )

    def _root(self, kind: RequestKind) -> Placed:
        if len(self._text) > _MOST_CHARACTERS:
            self._warn(
                1, f"has more than {_MOST_CHARACTERS:,} characters and was not read"
            )
            return NOTHING
        try:
            root = parser().load(kind, self._file.path, self._text)
        except UnreadableData as error:
            self._warn(1, f"was not read: {shorten(str(error), 200)}")
            return NOTHING
        if root is not NOTHING and not isinstance(root.value, dict):
            self._warn(1, "must be a mapping with title, pages, exclude and glossary")
        return root

    def _warn(self, line: int, what: str) -> None:
        self._warnings.add(f"{self._file.source}/{self._file.path}:{line} {what}.")

    def _check_keys(self, place: Placed, known: set[str]) -> None:
        for key, value in place.items():
            if key not in known:
                names = ", ".join(sorted(known))
                said = f"has the unknown key '{shorten(key, 60)}'; available: {names}"
                self._warn(value.start_line, said)

    def _short(self, place: Placed, key: str) -> str:
        value = place.get(key)
        if value is None:
            return ""
        if not isinstance(value.value, str):
            self._warn(value.start_line, f"must have a string for '{key}'")
            return ""
        return shorten(_MARKUP.sub(" ", value.text()), _LONGEST_TITLE)

    def _texts(self, place: Placed, key: str) -> tuple[str, ...]:
        value = place.get(key)
        if value is None:
            return ()
        if isinstance(value.value, dict):
            self._warn(value.start_line, f"must have a list of paths for '{key}'")
        return tuple(value.texts()[:MOST_PATTERNS])

    def _pages(
        self,
        root: Placed,
        keys: set[str],
        paths_of: Callable[[Placed], tuple[str, ...]],
    ) -> Iterator[WantedPage]:
        pages = root.get("pages")
        if pages is not None and not isinstance(pages.value, list):
            self._warn(pages.start_line, "must have a list for 'pages'")
        listed = pages.listed() if pages is not None else []
        if len(listed) > MOST_PAGES:
            said = (
                f"defines {len(listed):,} pages; only the first {MOST_PAGES} are used"
            )
            self._warn(listed[MOST_PAGES].start_line, said)
        taken: set[str] = set()
        for page in listed[:MOST_PAGES]:
            title = self._short(page, "title")
            self._check_keys(page, keys)
            if not title or title in taken:
                what = f"has '{title}' twice" if title else "has a page without a title"
                self._warn(page.start_line, what)
                continue
            taken.add(title)
            paths, parent = paths_of(page), self._short(page, "parent")
            yield WantedPage(self._file.source, title, paths, parent)

    def _paths(self, page: Placed) -> tuple[str, ...]:
        return (*self._texts(page, "path"), *self._texts(page, "paths"))

    def _glossary(self, root: Placed) -> Iterator[Term]:
        glossary = root.get("glossary")
        if glossary is None:
            return
        if isinstance(glossary.value, str):
            self._warn(
                glossary.start_line, "must have term: meaning pairs for 'glossary'"
            )
        pairs = [*glossary.items(), *self._listed_terms(glossary)]
        for term, meaning in pairs[:_MOST_TERMS]:
            if not meaning.text():
                self._warn(meaning.start_line, f"has no meaning for '{term[:60]}'")
                continue
            yield Term(
                shorten(term, _LONGEST_TITLE),
                shorten(meaning.text(), _LONGEST_MEANING),
                self._file.id,
                meaning.start_line,
                meaning.end_line,
            )

    def _listed_terms(self, glossary: Placed) -> Iterator[tuple[str, Placed]]:
        for item in glossary.listed():
            if item.get("term") is not None:
                yield item.at("term").text(), item.at("meaning")
            else:
                yield from item.items()


class _Known:
    """Finds the paths that a page in the other tool's form is about."""

    def __init__(self, paths: set[str]) -> None:
        folders = {p.rpartition("/")[0] for p in paths} - {""}
        while above := {f.rpartition("/")[0] for f in folders} - folders - {""}:
            folders |= above
        self._paths = paths | folders
        self._by_slug: Mapping[str, list[str]] = _by_slug(folders)

    def meant_by(self, page: Placed) -> tuple[str, ...]:
        """Return paths that its words name, else the only folder named as its title."""
        words = " ".join([page.at("purpose").text(), *_notes(page)])
        named = [match.group().rstrip("/.") for match in _PATH.finditer(words)]
        found = [p for p in dict.fromkeys(named) if "/" in p and p in self._paths]
        if found:
            return tuple(found[:MOST_PATTERNS])
        slug = slugify_ascii(page.at("title").text(), "")
        folders = self._by_slug.get(slug, []) if slug else []
        return tuple(folders) if len(folders) == 1 else ()


def _by_slug(folders: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in sorted(folders):
        name = slugify_ascii(folder.rpartition("/")[2], "")
        found.setdefault(name, []).append(folder)
    return found


def _notes(page: Placed) -> list[str]:
    notes = page.at("page_notes")
    return [note.at("content").text() or note.text() for note in notes.listed()]

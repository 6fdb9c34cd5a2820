"""Links from document to document, and the contents that a document lists of others."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote

from devrag.wiki.analysis.survey import SurveyFile

_LINK = re.compile(r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)[^)]*\)")
_WIKI_LINK = re.compile(r"\[\[(?P<target>[^\]|#]+)(?:[|#][^\]]*)?\]\]")
_TICKET = re.compile(r"(?<![\w&/])#(?P<number>\d{1,7})\b")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)\s*#*$")
_ITEM = re.compile(r"^(?P<indent>\s*)(?:[-*+]|\d+[.)])\s+")
_EXTENSIONS = ("", ".md", ".markdown", ".rst", ".txt", ".adoc", ".org")
_INDEXES = ("index", "_index", "readme")
_FEWEST_LISTED, _LEAST_LISTED = 8, 0.6  # of the documents at or below its folder


class DocumentPaths:
    """Finds documents by what links to them say."""

    def __init__(self, files: Iterable[SurveyFile]) -> None:
        self._by_path: dict[tuple[str, str], int] = {}
        self._by_name: dict[str, set[int]] = {}
        self._tickets: dict[str, set[int]] = {}
        for file in files:
            self._by_path[file.source, file.path.lower()] = file.id
            for name in {file.stem, file.title} - {""}:
                self._by_name.setdefault(_bare(name), set()).add(file.id)
            if file.document_kind == "ticket":
                self._tickets.setdefault(file.stem, set()).add(file.id)

    def links_of(self, file: SurveyFile, text: str) -> Counter[int]:
        """Return document → how often a document links to it or names its ticket."""
        found = Counter[int]()
        text = _COMMENT.sub("", text)
        for match in _LINK.finditer(text):
            if (target := self.target(file, match["target"])) is not None:
                found[target] += 1
        for match in _WIKI_LINK.finditer(text):
            if len(named := self._by_name.get(_bare(match["target"]), ())) == 1:
                found.update(named)
        for match in _TICKET.finditer(text) if self._tickets else ():
            if len(named := self._tickets.get(match["number"], ())) == 1:
                found.update(named)
        found.pop(file.id, None)
        return found

    def target(self, file: SurveyFile, link: str) -> int | None:
        """Return the document that a link leads to, None for what is none of these."""
        path = unquote(link.partition("#")[0].partition("?")[0])
        if not path or ":" in path.partition("/")[0]:
            return None
        if path.startswith("/"):  # as a site has it: its folder is not known
            names = self._by_name.get(_bare(path.strip("/").rpartition("/")[2]), set())
            return min(names) if len(names) == 1 else None
        base = posixpath.normpath(posixpath.join(file.directory, path))
        tried = [f"{base}{end}" for end in _EXTENSIONS]
        tried += [f"{base}/{name}{end}" for name in _INDEXES for end in _EXTENSIONS[1:]]
        keys = ((file.source, each.lower()) for each in tried)
        return next((self._by_path[key] for key in keys if key in self._by_path), None)

    def contents_of(self, file: SurveyFile, text: str) -> dict[int, tuple[str, ...]]:
        """Return document → the headings and items around it in a list of documents."""
        found: dict[int, tuple[str, ...]] = {}
        labels: dict[int, str] = {}
        heading = ""
        items: list[tuple[int, str]] = []
        for line in _without_code(_COMMENT.sub("", text)):
            if match := _HEADING.match(line):
                heading, items = _LINK.sub(r"\g<label>", match["title"]), []
                continue
            item = _ITEM.match(line)
            indent = len(item["indent"].expandtabs(4)) if item else 0
            if item:
                items = [each for each in items if each[0] < indent]
            for match in _LINK.finditer(line):
                target = self.target(file, match["target"])
                if target is not None and target != file.id:
                    place = tuple(filter(None, (heading, *(name for _, name in items))))
                    found.setdefault(target, place)
                    labels.setdefault(target, match["label"].strip())
            if item:
                items.append((indent, _label(line[item.end() :])))
        around = set(found.values())
        own = {each: (*place, labels[each]) for each, place in found.items()}
        return {each: own[each] if own[each] in around else found[each] for each in own}


def table_of_contents(
    files: Sequence[SurveyFile],
    text: Callable[[int], str],
    paths: DocumentPaths,
    documents: int,
) -> dict[int, tuple[str, ...]]:
    """Return document → its place in the contents that list most; {} without any.

    files: those that may list others. documents: how many there are to be listed.
    """
    best: dict[int, tuple[str, ...]] = {}
    for file in files:
        if file.document_kind == "ticket":
            continue
        listed = paths.contents_of(file, text(file.id))
        headings = {place[0] for place in listed.values() if place}
        is_whole = len(listed) >= max(_FEWEST_LISTED, _LEAST_LISTED * documents)
        if is_whole and len(headings) > 2 and len(listed) > len(best):
            best = listed
    return best


def _label(text: str) -> str:
    match = _LINK.search(text)
    return (match["label"] if match else text).strip()


def _bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _without_code(text: str) -> Iterable[str]:
    is_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            yield line

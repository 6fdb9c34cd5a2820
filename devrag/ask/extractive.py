"""An answer without a model: what to read, in which order and why; never prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, gettext_noop

from devrag.ask.types import Answer, Evidence, Passage, PassageKind
from devrag.core.plain_markdown import to_plain
from devrag.core.text import code_text, shorten
from devrag.sources.api import text_of_document

# An underscore within a word is no mark.
_SPECIAL = re.compile(r"[\\`*\[\]<>#|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_NAME = re.compile(r"(?<![\w.`])(?=[\w.]*_)[A-Za-z_][\w.]*\w", re.ASCII)
_SPACES = re.compile(r"\s+")
# In the order to read them, with how many of each.
_PARTS: tuple[tuple[str, int, frozenset[PassageKind]], ...] = (
    (gettext_noop("Start here"), 5, frozenset({"definition"})),
    (gettext_noop("What it uses"), 4, frozenset({"callee"})),
    (gettext_noop("Where it is used"), 3, frozenset({"caller"})),
    (gettext_noop("Documentation"), 3, frozenset({"documentation"})),
    (
        gettext_noop("Configuration and data"),
        3,
        frozenset({"configuration", "fact", "data"}),
    ),
    (gettext_noop("Tests"), 2, frozenset({"test"})),
)
_PAGES, _MOST_PAGES = gettext_noop("Pages and tickets"), 5
_QUOTED_CHARACTERS = 200
_TESTS_ASKED_FOR = ("Tests", 6, frozenset({"test"}))
_NEAREST, _MOST_REPEATED = 5, 3


def extractive_answer(evidence: Evidence, notes: tuple[str, ...] = ()) -> Answer:
    """Return the passages as a reading path, or that the sources do not answer."""
    path = _ReadingPath()
    blocks = list(
        _found(evidence, path) if evidence.is_found else _nothing(evidence, path)
    )
    return Answer(
        markdown="\n\n".join(blocks) + "\n",
        citations=tuple(path.cited),
        evidence=evidence.passages,
        outcome="answered" if evidence.is_found else "not_found",
        notes=(*notes, *evidence.notes),
    )


@dataclass(slots=True)
class _ReadingPath:
    """Numbers passages in the order in which they are listed."""

    cited: list[Passage] = field(default_factory=list)

    def item(self, passage: Passage) -> str:
        """Return a list item: what it is, why, and its citation."""
        self.cited.append(passage)
        number = len(self.cited)
        if passage.document:
            return f"{number}. {_page(passage)} [{number}](cite:{number})"
        name = f"`{code_text(passage.title or passage.path)}`"
        is_text = passage.kind in {"documentation", "test"} and not passage.symbol_uuid
        path = f"`{code_text(passage.path)}`"
        if passage.title and is_text:
            place = {"heading": _plain(passage.title), "path": path}
            name = gettext("“%(heading)s” in %(path)s") % place
        elif passage.title:
            name = gettext("%(name)s in %(path)s") % {"name": name, "path": path}
        why = f": {_prose(passage.why)}" if passage.why else ""
        return f"{number}. {name}{why} [{number}](cite:{number})"


def _found(evidence: Evidence, path: _ReadingPath) -> Iterator[str]:
    new = [each for each in evidence.passages if each.id not in evidence.repeated]
    repeated = [each for each in evidence.passages if each.id in evidence.repeated]
    if not new:
        yield gettext("No new passages found. These were already shown:")
    else:
        yield gettext(
            "These are the passages that match your question best, in reading order."
        )
        yield from _parts(new, path, tests_first=evidence.is_about_tests)
        if repeated:
            yield f"**{gettext('Shown before')}**"
    if repeated:
        most = _MOST_REPEATED if new else _NEAREST
        yield "\n".join(path.item(each) for each in _distinct(repeated)[:most])


def _parts(
    passages: Sequence[Passage], path: _ReadingPath, *, tests_first: bool
) -> Iterator[str]:
    parts = (_TESTS_ASKED_FOR, *_PARTS[:-1]) if tests_first else _PARTS
    left = _distinct(passages)
    files = [each for each in left if not each.document]
    listed = [
        (heading, [each for each in files if each.kind in kinds][:most])
        for heading, most, kinds in parts
    ]
    # Before the code where they are nearer than it, else after its beginning.
    place = 0 if left and left[0].document else 1
    listed.insert(place, (_PAGES, _documents(left)))
    for heading, part in listed:
        if part:
            yield f"**{gettext(heading)}**"
            yield "\n".join(path.item(each) for each in part[:_MOST_PAGES])


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    """Return the first passage of each definition or section."""
    firsts: dict[tuple[str, str], Passage] = {}
    for each in passages:
        firsts.setdefault((each.path, each.title), each)
    return list(firsts.values())


def _documents(passages: Iterable[Passage]) -> list[Passage]:
    """Return what is of pages and tickets; their heads only where nothing else is."""
    found = [each for each in passages if each.document]
    quoted = {each.path for each in found if _quoted(each)}
    return [each for each in found if _quoted(each) or each.path not in quoted]


def _quoted(passage: Passage) -> str:
    text = to_plain(text_of_document(passage.text), passage.title)
    return shorten(text.lstrip("• "), _QUOTED_CHARACTERS)


def _page(passage: Passage) -> str:
    """Return a page's or ticket's title, the section of it, and how that begins."""
    title = passage.document.title if passage.document else ""
    heading = passage.title if passage.title != title else ""
    parts = (_plain(each) for each in (heading, _quoted(passage)) if each)
    return ": ".join((f"**{_plain(title)}**", *parts))


def _nothing(evidence: Evidence, path: _ReadingPath) -> Iterator[str]:
    yield gettext("The sources do not answer this question.")
    nearest = _distinct(evidence.passages)[:_NEAREST]
    if nearest:
        yield gettext("The closest passages, which may be about something else:")
        yield "\n".join(path.item(each) for each in nearest)


def _prose(text: str) -> str:
    """Return a sentence as Markdown shows it, names with underscores as code."""
    parts: list[str] = []
    at = 0
    for name in _NAME.finditer(text):
        parts += [_plain(text[at : name.start()]), f"`{name[0]}`"]
        at = name.end()
    return "".join([*parts, _plain(text[at:])])


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\g<0>", _SPACES.sub(" ", text))

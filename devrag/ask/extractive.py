"""An answer without a model: what to read, in which order and why; never prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, gettext_noop

from devrag.ask.listed import choose_listed, distinct, is_edition
from devrag.ask.quotations import code_block, escaped, quoted_blocks
from devrag.ask.reasons import (
    AskedWords,
    best_line,
    quote,
    read_words,
    reason_of,
    signature_line,
    words_shared,
)
from devrag.ask.sections import answer_worth
from devrag.ask.types import Answer, Evidence, Passage, PassageKind
from devrag.core.text import code_text, shorten
from devrag.search.api import is_japanese, read_question

_NAME = re.compile(r"(?<![\w.`])(?=[\w.]*_)[A-Za-z_][\w.]*\w", re.ASCII)
# In the order to read them, with how many of each.
_PARTS: tuple[tuple[str, int, frozenset[PassageKind]], ...] = (
    (gettext_noop("Code"), 5, frozenset({"definition"})),
    (gettext_noop("What it uses"), 3, frozenset({"callee"})),
    (gettext_noop("Where it is used"), 3, frozenset({"caller"})),
    (gettext_noop("Documentation"), 3, frozenset({"documentation"})),
    (
        gettext_noop("Configuration and data"),
        3,
        frozenset({"configuration", "fact", "data"}),
    ),
    (gettext_noop("Tests"), 2, frozenset({"test"})),
)
_CODE: PassageKind = "definition"
_AROUND: frozenset[PassageKind] = frozenset({"callee", "caller"})
_FIRST = gettext_noop("Start here")
_PAGES, _MOST_PAGES = gettext_noop("Pages and tickets"), 5
_MOST_NAME_CHARACTERS, _LINE = 80, 100
_TESTS_ASKED_FOR = ("Tests", 6, frozenset({"test"}))
_NEAREST, _MOST_REPEATED = 5, 3
# Sections whose lists and code are shown where they are among the first.
_FIRSTS = 2


def extractive_answer(evidence: Evidence, notes: tuple[str, ...] = ()) -> Answer:
    """Return the passages as a reading path, or that the sources do not answer."""
    question = " ".join(evidence.searched[:1])
    path = _ReadingPath(
        question,
        read_words(question),
        names_products=len({each.product for each in evidence.passages}) > 1,
    )
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
    """Numbers passages in the order in which they are listed, and says why."""

    question: str
    asked: AskedWords
    names_products: bool
    cited: list[Passage] = field(default_factory=list)
    quoted: list[tuple[int, Passage]] = field(default_factory=list)

    def item(self, passage: Passage, *, is_short: bool = False) -> str:
        """Return a list item: what it is, why, and its citation.

        is_short: lists and code of documentation in one line, too.
        """
        self.cited.append(passage)
        number = len(self.cited)
        name = _page(passage) if passage.document else _name(passage)
        of_product = f" ({escaped(passage.product)})" if self.names_products else ""
        head = f"{number}. {name}{of_product} [{number}](cite:{number})"
        indent = " " * len(f"{number}. ")
        first = next((n for n, each in self.quoted if is_edition(each, passage)), 0)
        if first:
            said = gettext("Nearly the same text as number %(number)s.")
            return f"{head}\\\n{indent}{said % {'number': first}}"
        is_long = not is_short and self._is_quoted(passage, number)
        if is_long and (block := self._quoted(passage, indent)):
            self.quoted.append((number, passage))
            return f"{head}\n\n{block}"
        said = self._said(passage)
        return f"{head}\\\n{indent}{said}" if said else head

    def definition(self, passage: Passage) -> str:
        """Return a list item of a definition: where it is, what it says, its lines."""
        self.cited.append(passage)
        number = len(self.cited)
        place = gettext("`%(name)s` in `%(path)s`, line %(line)s") % {
            "name": code_text(passage.title),
            "path": code_text(passage.path),
            "line": passage.start_line,
        }
        of_product = f" ({escaped(passage.product)})" if self.names_products else ""
        head = f"{number}. {place}{of_product} [{number}](cite:{number})"
        indent = " " * len(f"{number}. ")
        said = [f"{head}\\\n{indent}{_prose(passage.why)}" if passage.why else head]
        return "\n\n".join([*said, code_block(passage, indent)])

    def _is_quoted(self, passage: Passage, number: int) -> bool:
        """Return whether lists and code of a section are shown: it is about most."""
        if passage.kind != "documentation" or passage.document:
            return False
        text = f"{passage.title}\n{passage.text}"
        is_first = number <= _FIRSTS and self.asked.are_mostly_in(text)
        return is_first or self.answers(passage) > 0

    def _quoted(self, passage: Passage, indent: str) -> str:
        """Return the list, table or code of a section that answers, "" without."""
        return quoted_blocks(
            passage.text, lambda text: len(self.asked.found_in(text)), indent
        )

    def _said(self, passage: Passage) -> str:
        """Return what a page says, or why a passage is there, and its best line."""
        if passage.document:
            return escaped(quote(passage, self.asked))
        line = best_line(passage, self.asked)
        if line is None and not passage.why:
            line = signature_line(passage)
        if line is None:
            return _prose(reason_of(passage, self.asked))
        text = shorten(line.text, _LINE)
        code = f"`{code_text(text)}`" if line.is_code else _prose(text)
        said = gettext("line %(line)s: %(code)s") % {"line": line.number, "code": code}
        return f"{_prose(passage.why)} · {said}" if passage.why else said

    def answers(self, passage: Passage) -> float:
        """Return how surely a section answers the question, 0 for what is none."""
        if passage.kind != "documentation" or passage.document:
            return 0.0
        is_named = self.asked.are_named_in(passage.title)
        return answer_worth(passage, self.asked) + is_named

    def best_first(self, passages: Iterable[Passage]) -> list[Passage]:
        """Put sections that answer the question first, and what is only near last."""
        return sorted(
            passages, key=lambda each: (-self.answers(each), not self.has(each))
        )

    def has(self, passage: Passage) -> bool:
        """Return whether more than its meaning speaks for a passage."""
        return bool(passage.why) or self.shares(passage)

    def shares(self, passage: Passage) -> bool:
        """Return whether a passage has a word of the question."""
        return bool(words_shared(passage, self.asked))


def _name(passage: Passage) -> str:
    path = f"`{code_text(passage.path)}`"
    if not passage.title:
        lines = f"{passage.start_line}–{passage.end_line}"
        if passage.kind == "documentation":
            return path
        return gettext("%(path)s, lines %(lines)s") % {"path": path, "lines": lines}
    if passage.kind in {"documentation", "test"} and not passage.symbol_uuid:
        place = {"heading": escaped(passage.title), "path": path}
        return gettext("“%(heading)s” in %(path)s") % place
    name = f"`{code_text(shorten(passage.title, _MOST_NAME_CHARACTERS))}`"
    return gettext("%(name)s in %(path)s") % {"name": name, "path": path}


def _found(evidence: Evidence, path: _ReadingPath) -> Iterator[str]:
    new = [each for each in evidence.passages if each.id not in evidence.repeated]
    repeated = [each for each in evidence.passages if each.id in evidence.repeated]
    if not new:
        yield gettext("No new passages found. These were already shown:")
    else:
        first = list(_asked_for(evidence, new, path))
        if not first:
            yield gettext("These are the passages that match your question best.")
            yield from _missing(new, path)
        yield from first
        others = _beside(path, new) if evidence.named else _others(path, new)
        heading = "" if first else _FIRST
        yield from _parts(
            others, path, tests_first=evidence.is_about_tests, heading=heading
        )
        if repeated:
            yield f"**{gettext('Shown before')}**"
    if repeated:
        most = _MOST_REPEATED if new else _NEAREST
        shown = distinct(repeated)[:most]
        yield "\n".join(path.item(each, is_short=True) for each in shown)


def _missing(passages: Sequence[Passage], path: _ReadingPath) -> Iterator[str]:
    """Yield which words documents lack that are in the language of the question."""
    if any(each.kind != "documentation" or each.document for each in passages):
        return
    texts = [f"{each.path}\n{each.title}\n{each.text}" for each in passages]
    is_told = is_japanese(path.question) == any(map(is_japanese, texts))
    there = read_question("\n".join(texts)).stems
    words = [word.text for word in path.asked.important() if not word.is_in(there)]
    if words and is_told:
        listed = gettext(", ").join(gettext("“%(text)s”") % {"text": w} for w in words)
        yield escaped(
            gettext("Not found in these passages: %(words)s.") % {"words": listed}
        )


def _asked_for(
    evidence: Evidence, passages: Sequence[Passage], path: _ReadingPath
) -> Iterator[str]:
    """Yield the definitions that a question names, or both sides of a comparison."""
    named = (each for each in passages if each.id in evidence.named)
    yield from map(path.definition, distinct(named))
    by_id = {each.id: each for each in passages}
    for side, key in evidence.sides:
        if key in by_id:
            yield f"**{escaped(side)}**"
            yield path.item(by_id[key])


def _others(path: _ReadingPath, passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages that are not listed yet."""
    known = {(each.path, each.title) for each in path.cited}
    return [each for each in passages if (each.path, each.title) not in known]


def _beside(named: _ReadingPath, passages: Iterable[Passage]) -> list[Passage]:
    """Return what is worth a look beside the definitions that are asked about."""
    names = [each.title for each in named.cited]
    return [
        each
        for each in _others(named, passages)
        if each.kind not in _AROUND or any(name in each.why for name in names)
    ]


def _parts(
    passages: Sequence[Passage],
    path: _ReadingPath,
    *,
    tests_first: bool,
    heading: str = _FIRST,
) -> Iterator[str]:
    """Yield the parts of a reading path. heading: of the first, "" for its own."""
    if not passages:
        return
    parts = (_TESTS_ASKED_FOR, *_PARTS[:-1]) if tests_first else _PARTS
    left = choose_listed(passages, path.asked, path.question, has_tests=tests_first)
    left = left or distinct(passages)
    files = path.best_first(each for each in left if not each.document)
    is_written = bool(files and heading) and (
        path.answers(files[0]) > 0 or left[0].kind == "documentation"
    )
    if is_written:  # code without a word of the question leads away from it
        files = [each for each in files if path.shares(each) or each.kind != _CODE]
    listed = [
        (heading, [each for each in files if each.kind in kinds][:most])
        for heading, most, kinds in parts
    ]
    if is_written:
        listed.sort(key=lambda part: part[0] != "Documentation")
    # Before the code where they are nearer than it, else after its beginning.
    place = 0 if left[0].document else 1
    listed.insert(place, (_PAGES, _documents(left, path.asked)))
    for usual, part in listed:
        if part:
            yield f"**{gettext(heading or usual)}**"
            yield "\n".join(path.item(each) for each in part[:_MOST_PAGES])
            heading = ""


def _documents(passages: Iterable[Passage], asked: AskedWords) -> list[Passage]:
    """Return what is of pages and tickets; their heads only where nothing else is."""
    found = [each for each in passages if each.document]
    quoted = {each.path for each in found if quote(each, asked)}
    return [each for each in found if quote(each, asked) or each.path not in quoted]


def _page(passage: Passage) -> str:
    """Return a page's or ticket's title, and the section of it."""
    title = passage.document.title if passage.document else ""
    heading = passage.title if passage.title != title else ""
    return f"**{escaped(title)}**" + (f" › {escaped(heading)}" if heading else "")


def _nothing(evidence: Evidence, path: _ReadingPath) -> Iterator[str]:
    yield gettext("The sources do not answer this question.")
    nearest = distinct(evidence.passages)[:_NEAREST]
    if nearest:
        yield gettext("Closest passages, possibly about something else:")
        yield "\n".join(path.item(each, is_short=True) for each in nearest)


def _prose(text: str) -> str:
    """Return a sentence as Markdown shows it, names with underscores as code."""
    parts: list[str] = []
    at = 0
    for name in _NAME.finditer(text):
        parts += [escaped(text[at : name.start()]), f"`{name[0]}`"]
        at = name.end()
    return "".join([*parts, escaped(text[at:])])

"""The items of an answer that no model wrote: passages with what each of them says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext

from devrag.ask.listed import is_edition
from devrag.ask.question_kind import AnswerKind
from devrag.ask.quotations import (
    BlockKind,
    Quotation,
    code_block,
    escaped,
    indented,
    quote_blocks,
)
from devrag.ask.reasons import (
    AskedWords,
    best_line,
    quote,
    reason_of,
    signature_line,
    words_shared,
)
from devrag.ask.sections import answer_worth
from devrag.ask.telling_code import telling_code
from devrag.ask.types import Passage, PassageKind
from devrag.core.text import code_text, shorten

_NAME = re.compile(r"(?<![\w.`])(?=[\w.]*_)[A-Za-z_][\w.]*\w", re.ASCII)
_MOST_NAME_CHARACTERS, _LINE = 80, 100
# Sections whose lists and code are shown where they are among the first.
_FIRSTS = 2
# What shows an answer of a kind, and how many words of the question that outweighs.
_SHOWN_BY: Mapping[BlockKind, frozenset[AnswerKind]] = {
    "text": frozenset({"condition"}),
    "list": frozenset({"order", "list", "steps"}),
    "table": frozenset({"order", "list"}),
    "code": frozenset({"steps"}),
    "heading": frozenset(),
}
_OF_KIND = 0.9
# Of the words that the best passage has, so many has each that is listed.
_LEAST: Mapping[PassageKind, float] = {
    "definition": 2 / 3,
    "documentation": 1 / 2,
    "configuration": 2 / 3,
    "data": 2 / 3,
    "fact": 2 / 3,
    "test": 2 / 3,
}
AROUND: frozenset[PassageKind] = frozenset({"callee", "caller"})


@dataclass(slots=True)
class ReadingPath:
    """Numbers passages in the order in which they are listed, and says why."""

    question: str
    asked: AskedWords
    names_products: bool
    cited: list[Passage] = field(default_factory=list)
    quoted: list[tuple[int, Passage]] = field(default_factory=list)
    has_code: bool = False

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
            self.cited[-1] = _lines_of(passage, block)
            return f"{head}\n\n{block.markdown}"
        is_first = number <= _FIRSTS or not self.has_code
        if not is_short and is_first and (code := self._code(passage, indent)):
            self.has_code = True
            return f"{head}{code}"
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

    def _code(self, passage: Passage, indent: str) -> str:
        """Return what code says and its lines that answer, "" where none does."""
        if passage.kind != "definition" or passage.document:
            return ""
        found = telling_code(passage, self.asked)
        if found is None:
            return ""
        from_line = gettext("from line %(line)s") % {"line": found.line}
        said = [_prose(passage.why)] if passage.why else []
        said += [] if found.is_whole else [f"{from_line}:"]
        text = f"\\\n{indent}{' · '.join(said)}" if said else ""
        return f"{text}\n\n{indented(found.markdown, indent)}"

    def _is_quoted(self, passage: Passage, number: int) -> bool:
        """Return whether lists and code of a section are shown: it is about most."""
        if passage.kind != "documentation" or passage.document:
            return False
        text = f"{passage.title}\n{passage.text}"
        is_first = number <= _FIRSTS and self.asked.are_mostly_in(text)
        return is_first or self.answers(passage) > 0

    def _quoted(self, passage: Passage, indent: str) -> Quotation | None:
        """Return the list, table or code of a section that answers, None without."""

        def worth(text: str, kind: BlockKind) -> float:
            found = self.asked.count_in(text)
            wanted = self.asked.kinds & _SHOWN_BY[kind]
            return found + _OF_KIND * len(wanted) if found else 0.0

        return quote_blocks(passage.text, worth, indent)

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
        """Put sections that answer the question first, and what is only near last.

        Where something has all of its words, what has none is only near.
        """
        found = list(passages)
        most = max(map(self._count, found), default=0.0)
        has_all = most >= max(1, len(self.asked.telling))

        def is_near(passage: Passage) -> bool:
            return self._count(passage) < 1 if has_all else not self.has(passage)

        return sorted(found, key=lambda each: (-self.answers(each), is_near(each)))

    def most_in(self, passages: Iterable[Passage], kind: PassageKind) -> float:
        """Return how many words of the question one passage of a kind has at most."""
        own = (each for each in passages if each.kind == kind)
        return max(map(self._count, own), default=0.0)

    def without_remote(
        self, passages: Sequence[Passage], best: Passage
    ) -> list[Passage]:
        """Return passages without those that share a word by chance.

        best: what search found first, which may say it in other words.
        Of each kind they have at least a share of the words that the best has. What
        is around a definition goes with it, where its name has a word of the question.
        """
        code = self.most_in(passages, "definition")
        most = max(code, self.most_in(passages, "documentation"))
        kept = [
            each
            for each in passages
            if each is best
            or self._count(each)
            >= _LEAST.get(each.kind, 0.0)
            * (code if each.kind == "definition" else most)
        ]
        names = [each.title for each in kept if each.kind == "definition"]
        return [e for e in kept if e.kind not in AROUND or self._is_beside(e, names)]

    def _is_beside(self, passage: Passage, names: Sequence[str]) -> bool:
        """Return whether what is around a definition is worth a look beside it.

        names: of the definitions that are listed.
        """
        if any(each.title and each.title in passage.why for each in self.cited):
            return True  # of a definition that the question names
        is_of_listed = not names or any(name and name in passage.why for name in names)
        telling = self.asked.telling
        return is_of_listed and (not telling or self.asked.count_in(passage.title) >= 1)

    def _count(self, passage: Passage) -> float:
        return self.asked.count_in(f"{passage.title}\n{passage.why}\n{passage.text}")

    def has(self, passage: Passage) -> bool:
        """Return whether more than its meaning speaks for a passage."""
        return bool(passage.why) or self.shares(passage)

    def shares(self, passage: Passage) -> bool:
        """Return whether a passage has a word of the question."""
        return bool(words_shared(passage, self.asked))


def _lines_of(passage: Passage, block: Quotation) -> Passage:
    """Return the lines of a passage that are quoted."""
    lines = passage.text.split("\n")[block.first : block.last + 1]
    start = passage.start_line + block.first
    return replace(
        passage,
        start_line=start,
        end_line=start + len(lines) - 1,
        text="\n".join(lines),
    )


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


def _page(passage: Passage) -> str:
    """Return a page's or ticket's title, and the section of it."""
    title = passage.document.title if passage.document else ""
    heading = passage.title if passage.title != title else ""
    return f"**{escaped(title)}**" + (f" › {escaped(heading)}" if heading else "")


def _prose(text: str) -> str:
    """Return a sentence as Markdown shows it, names with underscores as code."""
    parts: list[str] = []
    at = 0
    for name in _NAME.finditer(text):
        parts += [escaped(text[at : name.start()]), f"`{name[0]}`"]
        at = name.end()
    return "".join([*parts, escaped(text[at:])])

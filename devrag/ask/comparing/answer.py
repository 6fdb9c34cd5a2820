"""Answer what differs between two documents or two definitions, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils import translation
from django.utils.translation import gettext, ngettext

from devrag.ask.comparing.chapters import (
    Changed,
    Chapter,
    Difference,
    Sentence,
    compare_chapters,
    read_chapters,
)
from devrag.ask.comparing.definitions import compare_definitions
from devrag.ask.comparing.documents import NamedDocument, choose_documents
from devrag.ask.evidence.comparison import read_comparison
from devrag.ask.language import language_of
from devrag.ask.quotations import escaped
from devrag.ask.reasons import AskedWord, read_words
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.citations import Citations
from devrag.ask.types import Answer, AskRequest
from devrag.core.text import code_text, shorten
from devrag.search.api import read_question
from devrag.sources.models import File

_MOST_CHAPTERS, _MOST_CHANGED, _MOST_SENTENCES, _LONGEST = 12, 10, 3, 160


def compare_answer(request: AskRequest) -> Answer | None:
    """Return what differs between the sides of a question, None for another question.

    Raises NotFound for a scope that the asker cannot see.
    """
    asked = read_comparison(request.question)
    if asked is None or request.scope.lines is not None:
        return None
    rows = visible_sources(request.scope, request.principal)
    source_ids = list(rows.values_list("pk", flat=True))
    with translation.override(language_of(request)):
        if answer := compare_definitions(asked.sides, source_ids):
            return answer
        documents = choose_documents(asked.sides, source_ids)
        return _compare_documents(documents, asked.topic) if documents else None


def _compare_documents(
    documents: tuple[NamedDocument, NamedDocument], topic: str
) -> Answer | None:
    files = File.objects.in_bulk([each.file for each in documents])
    words = read_words(topic).telling()
    one, other = (
        _about(read_chapters(files[each.file].text), words) for each in documents
    )
    difference = compare_chapters(one, other)
    if not (one and other and difference.are_editions):
        return None
    citations = Citations()
    citations.load({each.file for each in documents})
    blocks = list(_Told(documents, citations).blocks(difference))
    passages = tuple(citations.passages)
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "answered")


def _about(chapters: Sequence[Chapter], words: Sequence[AskedWord]) -> list[Chapter]:
    """Return the chapters whose heading has a word of the topic; all without one."""
    if not words:
        return list(chapters)
    stems = [read_question(each.title).stems for each in chapters]
    most = max((_count(words, own) for own in stems), default=0)
    return [
        each
        for each, own in zip(chapters, stems, strict=True)
        if most and _count(words, own) == most
    ]


def _count(words: Iterable[AskedWord], stems: frozenset[str]) -> int:
    return sum(word.is_in(stems) for word in words)


class _Told:
    """Tells a difference with its lines."""

    def __init__(
        self, documents: tuple[NamedDocument, NamedDocument], citations: Citations
    ) -> None:
        self._documents, self._citations = documents, citations

    def blocks(self, found: Difference) -> Iterator[str]:
        """Yield how much differs, then the chapters."""
        one, other = (f"`{code_text(each.name)}`" for each in self._documents)
        yield self._summary(found)
        if found.changed:
            yield f"**{gettext('Chapters with different text')}**"
            yield "\n".join(map(self._changed, found.changed[:_MOST_CHANGED]))
            yield from _more(len(found.changed) - _MOST_CHANGED)
        for index, name in enumerate((one, other)):
            chapters = (found.only_one, found.only_other)[index]
            if chapters:
                said = gettext("Chapters only in %(name)s") % {"name": name}
                yield f"**{said}**"
                shown = chapters[:_MOST_CHAPTERS]
                yield "\n".join(self._chapter(each, index) for each in shown)
                yield from _more(len(chapters) - _MOST_CHAPTERS)

    def _summary(self, found: Difference) -> str:
        names = {
            "one": code_text(self._documents[0].path),
            "other": code_text(self._documents[1].path),
        }
        if not (found.changed or found.only_one or found.only_other):
            return gettext("`%(one)s` and `%(other)s` say the same about this.") % names
        said = gettext("Compared: `%(one)s` and `%(other)s`.") % names
        if not found.same:
            return said
        same = ngettext(
            "%(count)s chapter has the same text in both.",
            "%(count)s chapters have the same text in both.",
            found.same,
        )
        return f"{said} {same % {'count': found.same}}"

    def _chapter(self, chapter: Chapter, index: int) -> str:
        first, last = chapter.lines
        mark = self._cite(index, (first, min(last, first + 2)), chapter.title)
        said = chapter.sentences[:1]
        text = f"\\\n  {escaped(shorten(said[0].text, _LONGEST))}" if said else ""
        return f"- {escaped(chapter.title)}{mark}{text}"

    def _changed(self, changed: Changed) -> str:
        lines = [f"- {escaped(changed.one.title)}"]
        sides = (changed.only_one, changed.only_other)
        for index, (document, sentences) in enumerate(
            zip(self._documents, sides, strict=True)
        ):
            name = f"`{code_text(document.name)}`"
            title = changed.one.title
            told = [each for each in sentences if not each.is_code] or sentences
            lines += [
                f"  - {name}: {self._sentence(each, index, title)}"
                for each in told[:_MOST_SENTENCES]
            ]
            more = len(sentences) - len(told[:_MOST_SENTENCES])
            lines += [f"  - {each}" for each in _more(more)]
        return "\n".join(lines)

    def _sentence(self, sentence: Sentence, index: int, title: str) -> str:
        mark = self._cite(index, (sentence.line, sentence.line), title)
        text = shorten(sentence.text, _LONGEST)
        said = f"`{code_text(text)}`" if sentence.is_code else escaped(text)
        return f"{said}{mark}"

    def _cite(self, index: int, lines: tuple[int, int], title: str) -> str:
        file = self._documents[index].file
        return self._citations.cite(file, lines, "documentation", title=title)


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield gettext("And %(count)s more.") % {"count": count}

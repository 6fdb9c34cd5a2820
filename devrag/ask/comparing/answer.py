"""Answer what differs between two documents or two definitions, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils import translation
from django.utils.translation import gettext, ngettext

from devrag.ask.comparing.chapters import (
    Chapter,
    Difference,
    Sentence,
    Shared,
    compare_chapters,
    read_chapters,
)
from devrag.ask.comparing.declared import compare_declared
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

# A shorter line of code, such as `break;`, tells no difference by itself.
_LEAST_CODE = 9
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
        if answer := compare_declared(request, asked.sides, source_ids):
            return answer
        documents = choose_documents(asked.sides, source_ids)
        return _compare_documents(documents, asked.topic) if documents else None


def _compare_documents(
    documents: tuple[NamedDocument, NamedDocument], topic: str
) -> Answer | None:
    files = File.objects.in_bulk([each.file for each in documents])
    one, other = (read_chapters(files[each.file].text) for each in documents)
    words = _topic_words(topic, documents)
    difference = compare_chapters(one, other)
    about = _about(one, words), _about(other, words)
    if not (difference.are_editions and all(about)):
        return None
    difference = difference.about(*about)
    citations = Citations()
    citations.load({each.file for each in documents})
    blocks = list(_Told(documents, citations, words).blocks(difference))
    passages = tuple(citations.passages)
    return Answer("\n\n".join(blocks) + "\n", passages, passages, "answered")


def _topic_words(topic: str, documents: Iterable[NamedDocument]) -> list[AskedWord]:
    """Return what is compared, without words that only name the documents."""
    named = read_question(" ".join(each.name for each in documents)).stems
    return [word for word in read_words(topic).telling if not word.is_in(named)]


def _about(chapters: Sequence[Chapter], words: Sequence[AskedWord]) -> list[Chapter]:
    """Return the chapters that have most words of the topic; all without a topic.

    Those with them in their heading, where there are any, else in their text.
    """
    if not words:
        return list(chapters)
    for texts in (
        [each.title for each in chapters],
        ["\n".join(said.text for said in each.sentences) for each in chapters],
    ):
        counts = [_count(words, read_question(text).stems) for text in texts]
        if most := max(counts, default=0):
            pairs = zip(chapters, counts, strict=True)
            return [each for each, count in pairs if count == most]
    return []


def _count(words: Iterable[AskedWord], stems: frozenset[str]) -> int:
    return sum(word.is_in(stems) for word in words)


class _Told:
    """Tells a difference with its lines."""

    def __init__(
        self,
        documents: tuple[NamedDocument, NamedDocument],
        citations: Citations,
        words: Sequence[AskedWord],
    ) -> None:
        self._documents, self._citations, self._words = documents, citations, words

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
            len(found.same),
        )
        return f"{said} {same % {'count': len(found.same)}}"

    def _chapter(self, chapter: Chapter, index: int) -> str:
        first, last = chapter.lines
        said = self._telling(chapter.sentences)
        end = max(first + 2, said.line) if said else first + 2
        mark = self._cite(index, (first, min(last, end)), chapter.title)
        text = f"\\\n  {escaped(shorten(said.text, _LONGEST))}" if said else ""
        return f"- {escaped(chapter.title)}{mark}{text}"

    def _telling(self, sentences: Sequence[Sentence]) -> Sentence | None:
        """Return the sentence with most words of the topic, the first without one."""

        def shared(sentence: Sentence) -> int:
            return _count(self._words, read_question(sentence.text).stems)

        return max(sentences, key=shared if self._words else _nothing, default=None)

    def _changed(self, changed: Shared) -> str:
        lines = [f"- {escaped(changed.one.title)}"]
        sides = (changed.only_one, changed.only_other)
        for index, (document, sentences) in enumerate(
            zip(self._documents, sides, strict=True)
        ):
            name = f"`{code_text(document.name)}`"
            title = changed.one.title
            prose = [each for each in sentences if not each.is_code]
            code = [each for each in sentences if len(each.text) >= _LEAST_CODE]
            told = prose or code or sentences
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


def _nothing(_: Sentence) -> int:
    return 0


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield gettext("And %(count)s more.") % {"count": count}

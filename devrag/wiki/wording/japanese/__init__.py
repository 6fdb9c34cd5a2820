"""The wiki's own words in Japanese, by their English: です・ます, blanks around names.

Bold text is followed by a blank or a mark: Markdown needs one to see where it ends. A
phrase that the tables lack is said in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import ClassVar

from devrag.parsing.tokens import count_cjk
from devrag.wiki.wording.japanese.code_pages import CODE_PAGES
from devrag.wiki.wording.japanese.counts import COUNTS
from devrag.wiki.wording.japanese.documents import DOCUMENTS
from devrag.wiki.wording.japanese.flows import FLOWS
from devrag.wiki.wording.japanese.headings import translate_heading
from devrag.wiki.wording.japanese.quotations import quote_english, with_note
from devrag.wiki.wording.japanese.sentences import SENTENCES
from devrag.wiki.wording.japanese.terms import translate_title
from devrag.wiki.wording.japanese.titles import TITLES
from devrag.wiki.wording.japanese.topic_pages import TOPIC_PAGES
from devrag.wiki.wording.types import Wording

_MARKERS = re.compile(r"(\s?\[\[E\d+\]\])+$")
# What a list item or paragraph is about: a name in bold or as code, or a link.
_COLON = re.compile(
    r"^(\s*(?:- )?(?:\*\*[^*\n]+\*\*|`[^`\n]+`|\[[^\]\n]*\]\([^)\n]*\))"
    r"(?: ?[(（][^)）\n]*[)）])?(?:\s?\[\[E\d+\]\])*): (?=\S)",
    re.MULTILINE,
)
PHRASES: Mapping[str, str] = {
    **TITLES,
    **SENTENCES,
    **FLOWS,
    **TOPIC_PAGES,
    **DOCUMENTS,
    **CODE_PAGES,
}

_NAME_OF_FORMAT = re.compile(r"(?=\w*[A-Z])\w+(?<!s)$")
_PAIR = 2  # terms of a title: `A と B`, more are listed


class Japanese(Wording):
    """Says phrases by the tables, numbers with their counters."""

    language: ClassVar[str] = "ja"
    name: ClassVar[str] = "日本語"

    def say(self, english: str, **places: object) -> str:
        return _fill(self._phrases.get(english, english), places)

    def counted(self, number: int, noun: str) -> str:
        english = f"{{n}} {noun}"
        template = self._phrases.get(english) or COUNTS.get(noun, english)
        return template.format(n=f"{number:,}")

    def listed(self, names: Sequence[str], more: int = 0, noun: str = "") -> str:
        rest = [self.counted(more, noun or "more")] if more else []
        return "、".join([*names, *rest])

    def listed_open(self, names: Sequence[str]) -> str:
        return f"{'、'.join(names)} など"

    def aside(self, quoted: str) -> str:
        return self.bracketed(quoted) if count_cjk(quoted) else ""

    def bracketed(self, quoted: str) -> str:
        return f"（{quoted}）"

    def finish(self, block: str) -> str:
        if block.startswith(("```", "|")):
            return block
        return quote_english(_COLON.sub(r"\1：", block))

    def finish_page(self, markdown: str) -> str:
        return with_note(markdown)

    def title_of_topic(self, title: str) -> str:
        if shared := self._of_one_noun(title):
            return shared
        terms = [translate_title(term) for term in self.terms_of_title(title)]
        if len(terms) > 1 and (rest := terms[-1].removeprefix("other ")) != terms[-1]:
            return f"{'・'.join(terms[:-1])} などの{translate_title(rest)}"
        if len(terms) != _PAIR:
            return self.listed(terms)
        one, other = terms
        before = "" if _is_japanese(one[-1:]) else " "
        after = "" if _is_japanese(other[:1]) else " "
        return f"{one}{before}と{after}{other}"

    def heading(self, title: str) -> str:
        return title if count_cjk(title) else translate_heading(title)

    def _of_one_noun(self, title: str) -> str:
        """Return `Man・YAML・Markdown のドキュメント` for names before one noun.

        Those are names of formats or products; of other words each has its own noun.
        """
        *names, last = self.terms_of_title(title)
        name, _, noun = last.partition(" ")
        said = translate_title(noun)
        if len(names) < _PAIR or not said or said == noun or " " in noun:
            return ""
        if not all(map(_NAME_OF_FORMAT.match, names)):
            return ""
        shown = [*map(translate_title, names), translate_title(name)]
        return f"{'・'.join(shown)} の{said}"

    def continued(self, sentence: str) -> str:
        return sentence


def _fill(template: str, places: Mapping[str, object]) -> str:
    """Fill the places; the blanks around one go where it is Japanese itself.

    A number has one before it.
    """
    text = ""
    for literal, place, _, _ in Formatter().parse(template):
        is_glued = literal.startswith(" ") and _is_japanese(_last_of(text))
        text += literal[1:] if is_glued else literal
        if place is None:
            continue
        value = str(places[place])
        if text.endswith(" ") and _is_japanese(value[:1]):
            text = text[:-1]
        is_number = value[:1].isdigit() and _is_letter(text[-1:])
        text += f" {value}" if is_number else value
    return text


def _last_of(text: str) -> str:
    """Return the last character before the markers of evidence."""
    return _MARKERS.sub("", text)[-1:]


def _is_japanese(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"


def _is_letter(character: str) -> bool:
    """Return whether a character is Japanese and no mark: `、`, `（`, `：`."""
    return "\u3041" <= character <= "\u9fff" and character != "・"

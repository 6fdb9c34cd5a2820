"""The wiki's own sentences in each of its languages, whole ones with named places.

English stands where it is written: `say("It is used by {parts}.", parts=…)`; another
language has a table from the English template to its own, in whatever order it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from devrag.wiki.packages import TOP_LEVEL
from devrag.wiki.prose import join_names, lower_first
from devrag.wiki.wording.japanese import COUNTED, PHRASES


def phrase(english: str) -> str:
    """Mark a template that is said later; the text itself is returned."""
    return english


@dataclass(frozen=True, slots=True)
class Wording:
    """English: what stands in the code."""

    language: str = "en"

    def say(self, english: str, **places: object) -> str:
        """Return the sentence or title with its places filled."""
        return english.format(**places)

    def counted(self, number: int, noun: str) -> str:
        """Return `1 file`, `2 files`."""
        return f"{number:,} {noun if number == 1 else noun + 's'}"

    def listed(self, names: Sequence[str], more: int = 0, noun: str = "") -> str:
        """Join phrases: `a`, `a and b`, `a, b and 3 more`, `a and 3 other files`."""
        if not more:
            return join_names(list(names))
        rest = self.counted(more, noun) if noun else f"{more} more"
        return join_names([*names, rest])

    def continued(self, sentence: str) -> str:
        """Return a sentence as it stands behind a colon."""
        return lower_first(sentence)

    def part_name(self, name: str) -> str:
        """Return what readers call a part: its path, or a word for the top."""
        head, slash, last = name.rpartition("/")
        return head + slash + self.say(last) if last == TOP_LEVEL else name

    def part_of(self, name: str) -> str:
        """Return the part that readers call so."""
        head, slash, last = name.rpartition("/")
        return head + slash + TOP_LEVEL if last == self.say(TOP_LEVEL) else name


@dataclass(frozen=True, slots=True)
class Translated(Wording):
    """A language with tables; a phrase that they lack is said in English."""

    phrases: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    comma: str = ", "

    def say(self, english: str, **places: object) -> str:
        return self.phrases.get(english, english).format(**places)

    def counted(self, number: int, noun: str) -> str:
        return self.counts.get(noun, f"{{n}} {noun}").format(n=f"{number:,}")

    def listed(self, names: Sequence[str], more: int = 0, noun: str = "") -> str:
        rest = [self.counted(more, noun or "more")] if more else []
        return self.comma.join([*names, *rest])

    def continued(self, sentence: str) -> str:
        return sentence


WORDINGS: Mapping[str, Wording] = {
    "en": Wording(),
    "ja": Translated("ja", PHRASES, COUNTED, "、"),
}

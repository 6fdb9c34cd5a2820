"""The wiki's own sentences in each of its languages, whole ones with named places.

English stands where it is written: `say("It holds {names}.", names=…)`; another
language has a table from the English template to its own, in whatever order it needs.
What only one kind of page says is translated where the kind is declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from devrag.wiki.wording.japanese import PHRASES, Japanese
from devrag.wiki.wording.types import Wording

WORDINGS: Mapping[str, Wording] = {"en": Wording(), "ja": Japanese(PHRASES)}


def phrase(english: str) -> str:
    """Mark a template that is said later; the text itself is returned."""
    return english


__all__ = ["WORDINGS", "Wording", "phrase"]

"""An answer without a model: what to read, in which order and why; never prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, gettext_noop

from devrag.ask.types import Answer, Evidence, Passage, PassageKind
from devrag.core.text import code_text

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
_NEAREST = 5


def extractive_answer(evidence: Evidence, notes: tuple[str, ...] = ()) -> Answer:
    """Return the passages as a reading path, or that the sources do not answer."""
    path = _ReadingPath()
    if evidence.is_found:
        blocks = [gettext("These passages are about your question:")]
        blocks += _parts(evidence.passages, path)
    else:
        blocks = list(_nothing(evidence, path))
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
        name = f"`{code_text(passage.title or passage.path)}`"
        # What holds the lines, where their name is not that.
        where = f" ({_plain(passage.path)})" if passage.title else ""
        why = f": {_plain(passage.why)}" if passage.why else ""
        return f"{number}. {name}{where}{why} [{number}](cite:{number})"


def _parts(passages: Sequence[Passage], path: _ReadingPath) -> Iterator[str]:
    for heading, most, kinds in _PARTS:
        distinct = {(p.path, p.title): p for p in passages[::-1] if p.kind in kinds}
        if distinct:
            items = [path.item(each) for each in list(distinct.values())[::-1][:most]]
            yield f"**{gettext(heading)}**"
            yield "\n".join(items)


def _nothing(evidence: Evidence, path: _ReadingPath) -> Iterator[str]:
    yield gettext("The sources do not answer this question.")
    nearest = evidence.passages[:_NEAREST]
    if nearest:
        yield gettext("The nearest passages, which may be about something else:")
        yield "\n".join(path.item(each) for each in nearest)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    escaped = "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in text)
    return " ".join(escaped.split())

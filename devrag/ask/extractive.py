"""An answer without a model: what to read, in which order and why; never prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext, gettext_noop, override

from devrag.ask.evidence.unmet import Unmet, explain_unmet, written_words
from devrag.ask.language import LANGUAGES
from devrag.ask.listed import choose_listed, distinct, is_empty
from devrag.ask.named.question import read_names
from devrag.ask.question_kind import asks_where
from devrag.ask.quotations import escaped
from devrag.ask.reading_path import AROUND, ReadingPath
from devrag.ask.reasons import (
    AskedWords,
    quote,
    read_words,
)
from devrag.ask.types import Answer, Evidence, Passage, PassageKind
from devrag.search.api import is_japanese, read_question

# In the order to read them, with how many of each.
_PARTS: tuple[tuple[str, int, frozenset[PassageKind]], ...] = (
    (gettext_noop("Code"), 4, frozenset({"definition"})),
    (gettext_noop("What it uses"), 2, frozenset({"callee"})),
    (gettext_noop("Where it is used"), 2, frozenset({"caller"})),
    (gettext_noop("Documentation"), 3, frozenset({"documentation"})),
    (
        gettext_noop("Configuration and data"),
        3,
        frozenset({"configuration", "fact", "data"}),
    ),
    (gettext_noop("Tests"), 2, frozenset({"test"})),
)
_CODE: PassageKind = "definition"
_FIRST = gettext_noop("Start here")
_PAGES, _MOST_PAGES = gettext_noop("Pages and tickets"), 5
_TESTS_ASKED_FOR = ("Tests", 6, frozenset({"test"}))
_NEAREST, _MOST_REPEATED = 5, 3
_CLOSEST = gettext_noop("Closest passages, possibly about something else:")


def extractive_answer(
    evidence: Evidence, notes: tuple[str, ...] = (), *, unmet: Unmet | None = None
) -> Answer:
    """Return the passages as a reading path, or that the sources do not answer.

    unmet: words of the question that keep the passages from answering it.
    """
    question = " ".join(evidence.searched[:1])
    names = {n for each in evidence.passages for n in (each.product, each.source)}
    path = ReadingPath(
        question,
        read_words(question).without(names),
        names_products=len({each.product for each in evidence.passages}) > 1,
    )
    is_found = evidence.is_found and unmet is None
    blocks = list(
        _found(evidence, path) if is_found else _nothing(evidence, path, unmet)
    )
    said = evidence.missing_notes if unmet else ()
    cited = {each.id: each for each in path.cited}
    return Answer(
        markdown="\n\n".join(blocks) + "\n",
        citations=tuple(path.cited),
        evidence=tuple(cited.get(each.id, each) for each in evidence.passages),
        outcome="answered" if is_found else "not_found",
        notes=(*notes, *(each for each in evidence.notes if each not in said)),
    )


def split_nearest(markdown: str) -> tuple[str, str]:
    """Return that the sources do not answer, and the passages closest to a question.

    Those are "" in every other answer.
    """
    for language in LANGUAGES:
        with override(language):
            said, _, nearest = markdown.partition(f"\n\n{gettext(_CLOSEST)}\n\n")
        if nearest:
            return said, nearest
    return markdown, ""


def _found(evidence: Evidence, path: ReadingPath) -> Iterator[str]:
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
        asked = read_names(path.question)
        if first and evidence.named and asked and asked.is_about_place:
            return
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


def _missing(passages: Sequence[Passage], path: ReadingPath) -> Iterator[str]:
    """Yield which words documents lack that are in the language of the question."""
    if any(each.kind != "documentation" or each.document for each in passages):
        return
    texts = [f"{each.path}\n{each.title}\n{each.text}" for each in passages]
    is_told = is_japanese(path.question) == any(map(is_japanese, texts))
    there = read_question("\n".join(texts)).stems
    words = [word for word in path.asked.important if not word.is_in(there)]
    if words and is_told:
        written = written_words(path.question, words)
        quoted = (gettext("“%(text)s”") % {"text": each} for each in written)
        listed = gettext(", ").join(quoted)
        yield escaped(
            gettext("Not found in these passages: %(words)s.") % {"words": listed}
        )


def _asked_for(
    evidence: Evidence, passages: Sequence[Passage], path: ReadingPath
) -> Iterator[str]:
    """Yield the definitions that a question names, or both sides of a comparison."""
    named = (each for each in passages if each.id in evidence.named)
    yield from map(path.definition, distinct(named))
    by_id = {each.id: each for each in passages}
    sides: dict[str, list[str]] = {}
    for side, key in evidence.sides:
        sides.setdefault(key, []).append(side)
    for key, names in sides.items():  # one passage may be about both
        if key in by_id:
            yield f"**{escaped(gettext(', ').join(names))}**"
            yield path.item(by_id[key])


def _others(path: ReadingPath, passages: Iterable[Passage]) -> list[Passage]:
    """Return the passages that are not listed yet."""
    known = {(each.path, each.title) for each in path.cited}
    return [each for each in passages if (each.path, each.title) not in known]


def _beside(named: ReadingPath, passages: Iterable[Passage]) -> list[Passage]:
    """Return what is worth a look beside the definitions that are asked about."""
    names = [each.title for each in named.cited]
    lasts = [name.rpartition(".")[2] for name in names]
    return [
        each
        for each in _others(named, passages)
        if any(name in each.why for name in names)
        or (each.kind not in AROUND and any(last in each.text for last in lasts))
    ]


def _parts(
    passages: Sequence[Passage],
    path: ReadingPath,
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
    first = _first_part(files, left, path) if heading else ""
    if first == "Documentation":  # code without a word of the question leads away
        files = [each for each in files if path.shares(each) or each.kind != _CODE]
    files = path.without_remote(files, left[0])
    listed = [
        (heading, [each for each in files if each.kind in kinds][:most])
        for heading, most, kinds in parts
    ]
    listed.sort(key=lambda part: part[0] != first)
    # Before the code where they are nearer than it, else after its beginning.
    place = 0 if left[0].document else 1
    listed.insert(place, (_PAGES, _documents(left, path.asked)))
    for usual, part in listed:
        if part:
            yield f"**{gettext(heading or usual)}**"
            yield "\n".join(path.item(each) for each in part[:_MOST_PAGES])
            heading = ""


def _first_part(
    files: Sequence[Passage], passages: Sequence[Passage], path: ReadingPath
) -> str:
    """Return the part that is read first, "" for the usual order.

    Code for who asks where, tests that have more of the words than any code, else the
    documentation that answers or is nearest.
    """
    counts = {kind: path.most_in(files, kind) for kind in (_CODE, "test")}
    if asks_where(path.question) and counts[_CODE] > 1:
        return "Code"
    if files and path.answers(files[0]) > 0:
        return "Documentation"
    if counts["test"] >= counts[_CODE] + 1:
        return "Tests"
    return "Documentation" if passages[0].kind == "documentation" else ""


def _documents(passages: Iterable[Passage], asked: AskedWords) -> list[Passage]:
    """Return what is of pages and tickets; their heads only where nothing else is."""
    found = [each for each in passages if each.document]
    quoted = {each.path for each in found if quote(each, asked)}
    return [each for each in found if quote(each, asked) or each.path not in quoted]


def _nothing(
    evidence: Evidence, path: ReadingPath, unmet: Unmet | None
) -> Iterator[str]:
    yield (
        escaped(explain_unmet(unmet))
        if unmet
        else gettext("The sources do not answer this question.")
    )
    told = [each for each in evidence.passages if not is_empty(each)]
    nearest = distinct(told)[:_NEAREST]
    if nearest:
        yield gettext(_CLOSEST)
        yield "\n".join(path.item(each, is_short=True) for each in nearest)

"""Checks a designed outline and repairs it: all code once, nothing empty or twice.

What is left out goes to the page that it is tied to most. Topics that people named keep
their title and files. Faults are what only the model can put right as it should be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.addresses import jaccard
from devrag.wiki.analysis.topics.outline import ties_of
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.language import is_title_in_language
from devrag.wiki.writing.model.terms import other_form
from devrag.wiki.writing.outline.answer import AnsweredPage
from devrag.wiki.writing.outline.digest import Digest
from devrag.wiki.writing.outline.types import DesignedPage, PageDesign

MOST_PAGES, FEWEST_PAGES = 40, 8
_FILES_OF_A_PAGE = 3  # a small product has fewer pages
_PAGES_OF_LINES = 0.09  # by the square root: 9 pages for 10,000 lines, 23 for 64,000
_MOST_LIKE = 0.3
_MOST_SHARE, _LEAST_LINES = 1 / 3, 3_000
_MOST_MISSING = 0.05  # of the lines; less is put right without a word
_NAMED = 12
_ABOVE, _BESIDE = 1.0, 0.01  # votes: of what uses it or is used, of what is beside it


@dataclass(frozen=True, slots=True)
class Limits:
    """How many pages on topics there may be, and how many suit the size of the code.

    titles: of pages that exist anyway; architecture: of the one among them that is
    designed, too.
    """

    fewest: int
    most: int
    about: int
    titles: frozenset[str]
    architecture: str = ""


@dataclass(frozen=True, slots=True)
class _Code:
    """The code that pages are made for. ties: file → those it uses or that use it."""

    digest: Digest
    files: Mapping[int, SurveyFile]
    ties: Mapping[int, Sequence[tuple[int, float]]]

    def lines(self, page: DesignedPage) -> int:
        """Return the size of a page's code."""
        return sum(self.files[file].lines for file in page.files)


@dataclass(frozen=True, slots=True)
class Checked:
    """Pages that hold, and what the model should be asked to put right."""

    pages: tuple[DesignedPage, ...]
    faults: tuple[str, ...]
    architecture: PageDesign | None = None


def limits_of(digest: Digest, titles: Iterable[str], architecture: str = "") -> Limits:
    """Return how many pages on topics there may be beside those of these titles."""
    fixed = frozenset(title.casefold() for title in titles)
    files = sum(len(entry.files) for entry in digest.entries)
    fewest = min(FEWEST_PAGES - len(fixed), files // _FILES_OF_A_PAGE)
    most = max(1, MOST_PAGES - len(fixed))
    lines = sum(entry.lines for entry in digest.entries)
    about = min(most, max(fewest, round(_PAGES_OF_LINES * lines**0.5), 1))
    return Limits(max(1, fewest), most, about, fixed, architecture.casefold())


def check_outline(
    answered: Sequence[AnsweredPage],
    digest: Digest,
    analysis: Analysis,
    limits: Limits,
    brief: Brief,
) -> Checked:
    """Return the pages of an answer, repaired, with the faults that were found."""
    whole = [page for page in answered if page.title.casefold() == limits.architecture]
    answered = [page for page in answered if page not in whole]
    code = _Code(digest, analysis.files, ties_of(analysis.file_edges))
    faults = [*_repetitions(answered, digest), *_titles(answered, limits, brief)]
    homes = _homes(answered, digest)
    pages = [_page(digest, homes, n, page) for n, page in enumerate(answered)]
    pages = _with_parents(pages, answered)
    pages = _with_given(pages, analysis)
    pages = _complete(pages, code, faults)
    pages = _without_empty(pages, faults)
    pages = _joined_titles(pages, limits.titles)
    pages = _not_too_many(pages, limits, code, faults)
    faults += _sizes(pages, limits, code)
    architecture = whole[0].design if whole else None
    return Checked(tuple(pages), tuple(dict.fromkeys(faults)), architecture)


def _repetitions(answered: Sequence[AnsweredPage], digest: Digest) -> list[str]:
    """Return which pages have much of their code in common, or else their documents."""
    code = [_code_of(page, digest) for page in answered]
    return [
        f"“{a.title}” and “{b.title}” are about the same things"
        for (n, a), (m, b) in combinations(enumerate(answered), 2)
        if jaccard(code[n], code[m]) >= _MOST_LIKE
        or (
            not (code[n] or code[m]) and jaccard(a.documents, b.documents) >= _MOST_LIKE
        )
    ]


def _code_of(page: AnsweredPage, digest: Digest) -> frozenset[int]:
    """Return the numbers of a page's code; a group counts where it names no more."""
    if page.entries:
        return page.entries
    numbered = enumerate(digest.entries, 1)
    return frozenset(n for n, e in numbered if e.topic + 1 in page.topics)


def _titles(
    answered: Iterable[AnsweredPage], limits: Limits, brief: Brief
) -> Iterable[str]:
    seen = Counter(page.title.casefold() for page in answered)
    for page in answered:
        title = page.title.casefold()
        if seen[title] > 1:
            yield f"several pages have the title “{page.title}”"
        if title in limits.titles:
            yield f"there is a page “{page.title}” already, which you need not plan"
        for each in (page.title, *(section.title for section in page.design.sections)):
            if not is_title_in_language(each, brief.language):
                yield f"the title “{each}” is in another language"
            if form := other_form(each, brief.glossary):
                yield f"the title “{each}” says “{form[0]}”, write “{form[1]}”"


def _homes(answered: Sequence[AnsweredPage], digest: Digest) -> dict[int, int]:
    """Return entry → its page: the first that names its number, else its topic."""
    known = range(1, len(digest.entries) + 1)
    homes: dict[int, int] = {}
    for number, page in enumerate(answered):
        for entry in sorted(page.entries):
            if entry in known:
                homes.setdefault(entry, number)
    owners = {
        topic: number
        for number, page in reversed(list(enumerate(answered)))
        for topic in page.topics
    }
    of_topics = {
        entry: owners[topic]
        for entry in known
        if (topic := digest.entries[entry - 1].topic + 1) in owners
    }
    return of_topics | homes


def _page(
    digest: Digest, homes: Mapping[int, int], number: int, page: AnsweredPage
) -> DesignedPage:
    files = {
        file.id
        for entry, home in homes.items()
        if home == number
        for file in digest.entries[entry - 1].files
    }
    documents = tuple(
        digest.documents[n - 1]
        for n in sorted(page.documents)
        if 1 <= n <= len(digest.documents)
    )
    return DesignedPage(page.title, page.design, frozenset(files), documents)


def _with_parents(
    pages: Sequence[DesignedPage], answered: Sequence[AnsweredPage]
) -> list[DesignedPage]:
    """Return the pages with those they stand below, two levels at most."""
    places = {page.title.casefold(): n for n, page in reversed(list(enumerate(pages)))}
    parents = [places.get(page.parent.casefold()) for page in answered]
    tops = {n for n, parent in enumerate(parents) if parent in (None, n)}
    return [
        replace(page, parent=parent if parent in tops and parent != n else None)
        for n, (page, parent) in enumerate(zip(pages, parents, strict=True))
    ]


def _with_given(
    pages: Sequence[DesignedPage], analysis: Analysis
) -> list[DesignedPage]:
    """Return the pages with those that people named, which hold just their files."""
    given = [topic for topic in analysis.topics if topic.is_given]
    fixed = {file.id for topic in given for file in topic.files}
    chosen: dict[int, int] = {}
    for number, topic in enumerate(given):
        own = {file.id for file in topic.files}
        scores = [
            (page.title.casefold() == topic.title.casefold(), len(page.files & own))
            for page in pages
        ]
        free = [
            n
            for n, (is_named, shared) in enumerate(scores)
            if n not in chosen and (is_named or 2 * shared > len(pages[n].files))
        ]
        if free:
            chosen[max(free, key=lambda n: scores[n])] = number
    found = [
        _as_given(page, given[chosen[number]])
        if number in chosen
        else replace(page, files=page.files - fixed)
        for number, page in enumerate(pages)
    ]
    left = [topic for n, topic in enumerate(given) if n not in chosen.values()]
    return found + [
        _as_given(DesignedPage(topic.title, PageDesign(), frozenset()), topic)
        for topic in left
    ]


def _as_given(page: DesignedPage, topic: Topic) -> DesignedPage:
    files = frozenset(file.id for file in topic.files)
    return replace(page, title=topic.title, files=files, is_given=True)


def _complete(
    pages: Sequence[DesignedPage], code: _Code, faults: list[str]
) -> list[DesignedPage]:
    """Return the pages with the files that none of them has, each on the nearest."""
    home = {file: n for n, page in enumerate(pages) for file in page.files}
    missing = [
        (n, file)
        for n, entry in enumerate(code.digest.entries, 1)
        for file in entry.files
        if file.id not in home
    ]
    lines = sum(file.lines for _, file in missing)
    if lines > _MOST_MISSING * sum(entry.lines for entry in code.digest.entries):
        numbers = list(dict.fromkeys(str(n) for n, _ in missing))
        shown = ", ".join(numbers[:_NAMED]) + (", …" if len(numbers) > _NAMED else "")
        faults.append(f"code that is on no page: {shown}")
    open_pages = {n for n, page in enumerate(pages) if not page.is_given}
    neighbours = _Neighbours(code, home, open_pages)
    for _, file in missing:
        home[file.id] = _nearest(file, home, neighbours, code, open_pages)
        neighbours.add(file, home[file.id])
    files: dict[int, set[int]] = defaultdict(set)
    for file_id, number in home.items():
        files[number].add(file_id)
    return [replace(p, files=frozenset(files[n])) for n, p in enumerate(pages)]


class _Neighbours:
    """Counts the files of each page that are beside a file or of the same topic."""

    def __init__(
        self, code: _Code, home: Mapping[int, int], pages: Collection[int]
    ) -> None:
        entries = code.digest.entries
        self._topics = {file.id: e.topic for e in entries for file in e.files}
        self._beside: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self._of_topic: dict[int | None, Counter[int]] = defaultdict(Counter)
        for file, page in home.items():
            if page in pages:
                self.add(code.files[file], page)

    def add(self, file: SurveyFile, page: int) -> None:
        """Count one more file of a page."""
        self._beside[file.source, file.directory][page] += 1
        self._of_topic[self._topics.get(file.id)][page] += 1

    def votes(self, file: SurveyFile) -> dict[int, float]:
        """Return page → how near it is to a file."""
        beside = self._beside[file.source, file.directory]
        same = self._of_topic[self._topics.get(file.id)]
        return {
            page: _BESIDE * beside[page] + _BESIDE / 10 * same[page]
            for page in beside | same
        }


def _nearest(
    file: SurveyFile,
    home: Mapping[int, int],
    neighbours: _Neighbours,
    code: _Code,
    pages: Collection[int],
) -> int:
    """Return the page that a file is tied to most, else that of what is beside it."""
    votes = neighbours.votes(file)
    for other, weight in code.ties.get(file.id, ()):
        if (page := home.get(other)) in pages and page is not None:
            votes[page] = votes.get(page, 0.0) + weight * _ABOVE
    return max(votes, key=lambda n: (votes[n], -n), default=min(pages, default=0))


def _without_empty(
    pages: Sequence[DesignedPage], faults: list[str]
) -> list[DesignedPage]:
    empty = {n for n, p in enumerate(pages) if not p.files and not p.documents}
    empty -= {page.parent for page in pages if page.parent is not None}
    faults += [f"“{pages[n].title}” has neither code nor documents" for n in empty]
    return _without(pages, empty)


def _without(
    pages: Sequence[DesignedPage], gone: Collection[int]
) -> list[DesignedPage]:
    """Return the pages without some; what stood below one of them moves up.

    A page that came below a part of another stands beside that part.
    """
    kept = [n for n in range(len(pages)) if n not in gone]
    place = {old: new for new, old in enumerate(kept)}
    moved = [
        replace(pages[n], parent=None if p is None else place.get(p))
        for n in kept
        for p in [pages[n].parent]
    ]
    return [replace(page, parent=_top(moved, n)) for n, page in enumerate(moved)]


def _top(pages: Sequence[DesignedPage], number: int) -> int | None:
    """Return the top page that a page is below; None for one that is below itself."""
    seen, top, above = {number}, None, pages[number].parent
    while above is not None:
        if above in seen:
            return None
        seen.add(above)
        top, above = above, pages[above].parent
    return top


def _joined_titles(
    pages: Sequence[DesignedPage], taken: frozenset[str]
) -> list[DesignedPage]:
    """Return the pages, those of one title as one, none with a title that is taken."""
    first: dict[str, int] = {}
    joined = list(pages)
    gone = set()
    for number, page in enumerate(pages):
        at = first.setdefault(page.title.casefold(), number)
        if at != number and not page.is_given:
            joined[at] = _union(joined[at], page)
            gone.add(number)
    moved = {n: first[pages[n].title.casefold()] for n in gone}
    joined = [replace(p, parent=moved.get(p.parent, p.parent)) for p in joined]  # type: ignore[arg-type]
    renamed = [
        replace(page, title=f"{page.title} code")
        if page.title.casefold() in taken and not page.is_given
        else page
        for page in joined
    ]
    return _without(renamed, gone)


def _union(one: DesignedPage, other: DesignedPage) -> DesignedPage:
    documents = tuple(dict.fromkeys([*one.documents, *other.documents]))
    return replace(one, files=one.files | other.files, documents=documents)


def _not_too_many(
    pages: list[DesignedPage], limits: Limits, code: _Code, faults: list[str]
) -> list[DesignedPage]:
    """Join the smallest pages with the ones they are tied to most."""
    if len(pages) > limits.most:
        faults.append(f"{len(pages)} pages are too many; at most {limits.most}")
    while len(pages) > limits.most:
        loose = [n for n, page in enumerate(pages) if not page.is_given]
        if len(loose) < 2:
            break
        small = min(loose, key=lambda n: (code.lines(pages[n]), n))
        target = _closest(pages, small, loose, code)
        pages[target] = _union(pages[target], pages[small])
        pages = _without(
            [
                replace(p, parent=target if p.parent == small else p.parent)
                for p in pages
            ],
            {small},
        )
        pages = [
            replace(p, parent=None if p.parent == n else p.parent)
            for n, p in enumerate(pages)
        ]
    return pages


def _closest(
    pages: Sequence[DesignedPage], small: int, loose: Collection[int], code: _Code
) -> int:
    home = {file: n for n, page in enumerate(pages) for file in page.files}
    votes: dict[int, float] = {n: 0.0 for n in loose if n != small}
    for file in pages[small].files:
        for other, weight in code.ties.get(file, ()):
            if home.get(other) in votes:
                votes[home[other]] += weight
    parent = pages[small].parent
    if parent in votes:
        votes[parent] += _ABOVE
    return max(votes, key=lambda n: (votes[n], -n))


def _sizes(pages: Sequence[DesignedPage], limits: Limits, code: _Code) -> Iterable[str]:
    if len(pages) < limits.fewest:
        yield f"{len(pages)} pages are too few; plan at least {limits.fewest}"
    total = sum(code.lines(page) for page in pages)
    for page in pages:
        lines = code.lines(page)
        if lines > _MOST_SHARE * total and lines > _LEAST_LINES and not page.is_given:
            yield f"“{page.title}” has {lines:,} of {total:,} lines; split it"

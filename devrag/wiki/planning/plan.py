"""Which pages the wiki has: a deterministic tree that covers every file.

A topic's page keeps the path that it had in the version before. A file that no page
covers is in `left_out` with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.core.text import slugify_ascii
from devrag.wiki.analysis.analysis import Analysis
from devrag.wiki.analysis.survey import SurveyFile
from devrag.wiki.analysis.topics.types import Topic
from devrag.wiki.planning.page_groups import (
    PAGE_GROUPS,
    begins,
    comes_first,
    group_of,
)
from devrag.wiki.planning.page_kind import INDEX, PageKind, wording_of
from devrag.wiki.wording import Wording, phrase

_TITLE_WITH_FILE = phrase("{title} ({file})")
_REASONS = {
    "doc": phrase("licence, change log or form"),
    "excluded": phrase("left out by the steering file of its source"),
    "steering": phrase("shapes this wiki"),
    "vendored": phrase("vendored or generated, not written here"),
    "lock": phrase("lock file, written by a tool"),
    "data": phrase("data or text without structure to describe"),
    "config": phrase("configuration without comments or settings to describe"),
    "markup": phrase("nothing in it explains itself"),
    "code": phrase("neither definitions nor documentation"),
    "migration": phrase("database migration"),
    "example": phrase("example or fixture"),
    "ticket": phrase("ticket; open ones are listed with their topics"),
}


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page to be written.

    topic: index into the analysis' topics, for features. hosted: the kinds that it
    tells too, as pages of their own would be short.
    """

    path: str
    kind: str
    title: str
    files: tuple[int, ...]
    parent: str
    ordinal: int
    topic: int | None = None
    hosted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Files that no page covers, and why."""

    reason: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages in reading order, and what they leave out."""

    pages: tuple[PlannedPage, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...] = ()
    steering: str = ""
    language: str = "en"

    def page(self, path: str) -> PlannedPage | None:
        return next((page for page in self.pages if page.path == path), None)

    def page_of_kind(self, kind: str) -> PlannedPage | None:
        """Return the page of a kind that has one page, or the one that hosts it."""
        return next((p for p in self.pages if kind in (p.kind, *p.hosted)), None)

    def page_of_topic(self, topic: int) -> PlannedPage | None:
        return next((page for page in self.pages if page.topic == topic), None)


def make_plan(
    analysis: Analysis, kinds: Sequence[PageKind[Any]], language: str = "en"
) -> Plan:
    """Plan the pages of a product, in the order of their groups, then kinds.

    Only titles and reasons depend on the language.
    """
    wording = wording_of(kinds, language)
    told = [k for k in kinds if not (k.is_on_code and analysis.is_of_documents)]
    found = [p for kind in told for p in _pages_of(kind, analysis, wording)]
    ordered = found if analysis.is_of_documents else _in_groups(found)
    pages = tuple(replace(page, ordinal=n) for n, page in enumerate(ordered))
    return Plan(
        pages=pages,
        left_out=_left_out(analysis, pages, wording),
        warnings=analysis.warnings,
        steering=analysis.steering_digest,
        language=language,
    )


def _in_groups(pages: Sequence[PlannedPage]) -> list[PlannedPage]:
    """Return pages by the group of what they stand below, the kinds' order within."""
    known = {page.path: page for page in pages}

    def place(page: PlannedPage) -> int:
        while page.parent and page.parent != INDEX and page.parent in known:
            page = known[page.parent]
        group = group_of(page.kind, page.title, has_files=bool(page.files))
        return PAGE_GROUPS.index(group)

    return sorted(pages, key=place)


def host_page(plan: Plan, kind: str, host: str) -> Plan:
    """Return the plan with the page of a kind told on the page of another.

    The plan as it is where one of them has no page.
    """
    guest, home = plan.page_of_kind(kind), plan.page_of_kind(host)
    if guest is None or home is None or guest == home:
        return plan
    joined = replace(
        home,
        files=tuple(dict.fromkeys((*home.files, *guest.files))),
        hosted=(*home.hosted, *(guest.kind, *guest.hosted)),
    )
    rest = (joined if p == home else p for p in plan.pages if p != guest)
    pages = tuple(replace(page, ordinal=n) for n, page in enumerate(rest))
    return replace(plan, pages=pages)


def _pages_of(
    kind: PageKind[Any], analysis: Analysis, wording: Wording
) -> Iterable[PlannedPage]:
    """Yield the pages of a kind, none where it has nothing to cover."""
    if kind.files is None:
        yield from _topic_pages(kind, analysis, wording)
        return
    files = kind.files(analysis)
    if files or kind.is_required:
        title = wording.say(kind.title) if kind.title else analysis.title
        parent = INDEX if kind.path != INDEX else ""
        yield PlannedPage(kind.path, kind.name, title, _ids(files), parent, 0)


def _topic_pages(
    kind: PageKind[Any], analysis: Analysis, wording: Wording
) -> Iterable[PlannedPage]:
    paths, titles = _paths(analysis), _titles(analysis, wording)
    order = sorted(enumerate(analysis.topics), key=lambda t: introduction_place(t[1]))
    for index, topic in order:
        parent = INDEX if topic.parent is None else paths[topic.parent]
        files = _ids(topic.files)
        title = titles[index]
        yield PlannedPage(paths[index], kind.name, title, files, parent, 0, index)


def introduction_place(topic: Topic) -> int:
    """Return where a topic stands: 0 first steps, 1 what introduces, 2 all else."""
    is_document = not topic.files and topic.parent is None and not topic.is_given
    if not is_document or not begins(topic.title):
        return 2
    return 0 if comes_first(topic.title) else 1


def _titles(analysis: Analysis, wording: Wording) -> list[str]:
    """Return the topics' titles in the wiki's language, where no two are the same."""
    found = [
        topic.title if topic.is_given else wording.title_of_topic(topic.title)
        for topic in analysis.topics
    ]
    times = Counter(found)
    titles = [
        title if times[title] == 1 else topic.title
        for title, topic in zip(found, analysis.topics, strict=True)
    ]
    return [_told_apart(n, titles, analysis, wording) for n in range(len(titles))]


def _told_apart(
    index: int, titles: Sequence[str], analysis: Analysis, wording: Wording
) -> str:
    """Return a title, with its main file where a longer one ends with it.

    Of “Completions” beside “Bash and other completions” nobody knows which is which.
    """
    title, topic = titles[index], analysis.topics[index]
    others = (other for n, other in enumerate(titles) if n != index)
    is_ending = any(
        o.casefold().endswith(title.casefold()) for o in others if o != title
    )
    code = [file for file in topic.files if analysis.roles[file.id] == "code"]
    if not is_ending or not code or topic.is_given:
        return title
    file = max(code, key=lambda each: each.lines)
    return wording.say(_TITLE_WITH_FILE, title=title, file=file.name)


def _ids(files: Iterable[SurveyFile]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(file.id for file in files))


def _paths(analysis: Analysis) -> list[str]:
    """Return each topic's page: the one it had before, else by its title."""
    taken = {topic.page for topic in analysis.topics if topic.page}
    return [t.page or _free(_slug(t.title), taken) for t in analysis.topics]


def _slug(title: str) -> str:
    """Return an ASCII slug; a title without ASCII gets one that stays its own."""
    return slugify_ascii(title, "") or f"topic-{sha256_hex(title)[:6]}"


def _free(slug: str, taken: set[str]) -> str:
    path, count = f"features/{slug}.md", 1
    while path in taken:
        count += 1
        path = f"features/{slug}-{count}.md"
    taken.add(path)
    return path


def _left_out(
    analysis: Analysis, pages: Iterable[PlannedPage], wording: Wording
) -> tuple[LeftOut, ...]:
    covered = {file for page in pages for file in page.files}
    reasons: dict[str, list[str]] = {}
    for file in sorted(analysis.survey.files, key=lambda f: (f.source, f.path)):
        if file.id not in covered:
            role = analysis.roles[file.id]
            reason = wording.say(_REASONS.get(role, phrase("too short to describe")))
            reasons.setdefault(reason, []).append(f"{file.source}/{file.path}")
    return tuple(LeftOut(reason, tuple(paths)) for reason, paths in reasons.items())

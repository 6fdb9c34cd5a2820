"""The wiki's tree by a model: it may rename, group and order pages, never drop one.

Slugs stay as they are. What it said is kept with the version and asked for again only
when the pages are others; then the titles and places that readers know stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from devrag.core.hashing import sha256_hex
from devrag.core.text import shorten
from devrag.llm.chat import Message
from devrag.llm.fence import Fence
from devrag.wiki.evidence.blocks import plain
from devrag.wiki.planning.page_kind import ARCHITECTURE, INDEX
from devrag.wiki.planning.plan import Plan, PlannedPage
from devrag.wiki.writing.model.brief import Brief
from devrag.wiki.writing.model.calls import Asking
from devrag.wiki.writing.model.outline import object_schema
from devrag.wiki.writing.prompts import fill, prompt_version

_TRIES = 3
_LONGEST_TITLE, _SUMMARY_SHOWN = 60, 160
_MOST_PAGES = 60  # more would not fit in one answer of 2048 tokens
_MOST_NEW = 1 / 3
_MARKUP = re.compile(r"[<>\[\]`|*\\#\x00-\x1f]+|https?:\S*")
_TEXT = {"type": "string"}
_ENTRY = object_schema({"path": _TEXT, "title": _TEXT, "parent": _TEXT})
_SCHEMA = object_schema({"pages": {"type": "array", "items": _ENTRY}})


@dataclass(frozen=True, slots=True)
class Branch:
    """A page's place. name: its title in the plan, by which files find their page."""

    path: str
    name: str
    title: str
    parent: str


@dataclass(frozen=True, slots=True)
class PlannedTree:
    """key: of what was asked. branches: in reading order; none = the plan's own."""

    key: str
    branches: tuple[Branch, ...] = ()
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlannedTree:
        """Read what `as_json` wrote."""
        branches = tuple(Branch(**branch) for branch in data["branches"])
        return cls(data["key"], branches, data["problem"])


def tree_key(plan: Plan, brief: Brief, writer: str) -> str:
    """Return what tells whether a tree would be asked for in the same words."""
    pages = [(p.path, p.kind, p.title, p.parent) for p in plan.pages]
    told = (pages, brief.message().content, writer, prompt_version())
    return sha256_hex(repr(told))


def known_tree(
    plan: Plan, key: str, before: PlannedTree | None, *, is_asked: bool
) -> PlannedTree | None:
    """Return the tree that needs no call, None where the model is to be asked.

    is_asked: somebody waits for this run, so that what failed is tried again.
    """
    if len(plan.pages) <= 3 or len(plan.pages) > _MOST_PAGES:
        return PlannedTree(key)
    if before is None or (before.problem and is_asked):
        return None
    if before.key == key:
        return before
    held = _held(plan, before)
    return (
        PlannedTree(key, _joined(plan, held, {}))
        if len(held) == len(plan.pages)
        else None
    )


def ask_for_tree(
    plan: Plan,
    summaries: Mapping[str, str],
    key: str,
    before: PlannedTree | None,
    brief: Brief,
    asking: Asking,
) -> PlannedTree:
    """Return the model's tree; one without branches and the reason if it has none."""
    request = tree_request(plan, summaries, brief)
    messages, problem = request, ""
    for _ in range(_TRIES):
        said = asking.ask(messages, schema=_SCHEMA)
        try:
            found = read_tree(said.text, plan)
        except ValueError as error:
            problem = str(error)
            fault = fill("correction", errors=f"- {problem}", language="JSON")
            answer = Message("assistant", shorten(said.text, 2000) or "-")
            messages = [*request, answer, Message("user", fault)]
            continue
        return PlannedTree(key, _joined(plan, _held(plan, before), found))
    return PlannedTree(
        key, problem=f"{problem}; the pages keep their own titles and order"
    )


def tree_request(
    plan: Plan, summaries: Mapping[str, str], brief: Brief
) -> list[Message]:
    """Return what the model is asked about the pages."""
    lines = "\n".join(
        f"{page.path} ({page.kind}, below {page.parent or 'nothing'}) {page.title}: "
        f"{shorten(summaries.get(page.path, ''), _SUMMARY_SHOWN)}"
        for page in plan.pages
    )
    fence = Fence([lines])
    content = fill(
        "tree",
        fence=fence.word,
        material=fence.around("pages", lines),
        language=brief.language_name,
    )
    return [brief.message(), Message("user", content)]


def read_tree(text: str, plan: Plan) -> dict[str, Branch]:
    """Return path → its place, in the answer's order. Raises ValueError."""
    start, end = text.find("{"), text.rfind("}")
    try:
        data = json.loads(text[start : end + 1])
        entries = [(e["path"], e["title"], e["parent"]) for e in data["pages"]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"The answer is no JSON of pages: {error}") from error
    pages = {page.path: page for page in plan.pages}
    named = [path for path, _, _ in entries]
    if sorted(map(str, named)) != sorted(pages):
        lost = ", ".join(sorted(pages.keys() - set(map(str, named)))[:5])
        raise ValueError(f"Each page must be named exactly once; lost: {lost or '-'}")
    found = {
        path: Branch(
            path,
            pages[path].title,
            _title(pages[path], title),
            "" if path == INDEX else str(parent),
        )
        for path, title, parent in entries
    }
    _check_parents(found, pages)
    _check_titles(found.values())
    return found


def _title(page: PlannedPage, said: Any) -> str:
    """The first page bears the product's name."""
    title = " ".join(plain(_MARKUP.sub(" ", str(said))).split())
    wanted = shorten(title, _LONGEST_TITLE) if page.path != INDEX else ""
    return wanted or page.title


def _check_parents(
    found: Mapping[str, Branch], pages: Mapping[str, PlannedPage]
) -> None:
    for path, branch in found.items():
        if INDEX in {path, branch.parent}:
            continue
        kinds = {pages[p].kind for p in (path, branch.parent) if p in pages}
        if kinds != {"feature"} or branch.parent not in found:
            raise ValueError(f"{path} cannot stand below {branch.parent!r}")
        above = [path]
        while (parent := found[above[-1]].parent) != INDEX:
            if parent in above:
                raise ValueError(f"{path} stands below itself")
            above.append(parent)


def _check_titles(branches: Iterable[Branch]) -> None:
    """Refuse that a page is renamed to what another is called."""
    seen: dict[str, Branch] = {}
    for branch in branches:
        other = seen.setdefault(branch.title.casefold(), branch)
        is_renamed = branch.title != branch.name or other.title != other.name
        if other is not branch and is_renamed:
            raise ValueError(f"{branch.path} and {other.path} have the same title")


def _held(plan: Plan, before: PlannedTree | None) -> dict[str, Branch]:
    """Return the places that readers know, unless too much of the plan is new."""
    pages = {page.path: page for page in plan.pages}
    held = {
        branch.path: branch
        for branch in (before.branches if before else ())
        if branch.path in pages
        and pages[branch.path].title == branch.name
        and branch.parent in {*pages, ""}
    }
    is_other = len(held) < (1 - _MOST_NEW) * len(plan.pages)
    return {} if is_other else held


def _joined(
    plan: Plan, held: Mapping[str, Branch], found: Mapping[str, Branch]
) -> tuple[Branch, ...]:
    """Return the places as readers know them, those of new pages from the answer."""
    joined = {path: held.get(path, found.get(path)) for path in found or held}
    places = {path: branch for path, branch in joined.items() if branch}
    try:
        _check_parents(places, {page.path: page for page in plan.pages})
        _check_titles(places.values())
    except ValueError:
        return tuple(found.values())  # the new ones do not fit in: all are new
    return tuple(places.values())


def apply_tree(
    plan: Plan, tree: PlannedTree | None, *, has_titles: bool = True
) -> Plan:
    """Return the plan with the tree's groups and order, and its titles.

    has_titles: False for a plan in another language than the tree's.
    """
    if tree is None or not tree.branches:
        return plan
    pages = {page.path: page for page in plan.pages}
    first = [INDEX, ARCHITECTURE]
    order = sorted(tree.branches, key=lambda b: (b.path not in first, b.path != INDEX))
    placed = [
        replace(
            pages[b.path],
            title=b.title if has_titles else pages[b.path].title,
            parent=b.parent,
            ordinal=ordinal,
        )
        for ordinal, b in enumerate(order)
    ]
    return replace(plan, pages=tuple(placed))

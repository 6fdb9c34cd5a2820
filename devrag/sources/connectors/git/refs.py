"""Branches and tags: what a repository has, and which one is meant. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from devrag.core.errors import InvalidInput, NotFound
from devrag.core.texts import gettext
from devrag.sources.addresses import check_ref
from devrag.sources.paths import is_unicode, printable

HEADS, TAGS, DETACHED = "refs/heads/", "refs/tags/", "refs/devrag/HEAD"

_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Refs:
    """full name → object; head: where HEAD points (a full name, a commit or '')."""

    objects: Mapping[str, str]
    head: str

    @property
    def names(self) -> list[str]:
        """Branches, then tags, by their short names."""
        full = sorted(self.objects, key=lambda name: (name.startswith(TAGS), name))
        return [short_name(name) for name in full if name.startswith((HEADS, TAGS))]


@dataclass(frozen=True, slots=True)
class RefTarget:
    """What is to be indexed: a full ref name or a commit."""

    name: str
    kind: str
    revision: str

    def __post_init__(self) -> None:
        if not is_unicode(self.name):
            raise InvalidInput(
                gettext(
                    "The name of the %(kind)s %(name)s is not valid UTF-8. Choose "
                    "another ref."
                )
                % {"kind": gettext(self.kind), "name": printable(self.name)}
            )


def is_commit(text: str) -> bool:
    """Return whether the text is a full commit hash."""
    return _COMMIT.fullmatch(text) is not None


def short_name(full: str) -> str:
    """Return main for refs/heads/main, v1 for refs/tags/v1."""
    return full.removeprefix(HEADS).removeprefix(TAGS)


def parse_ls_remote(output: str, place: str) -> Refs:
    """Read `git ls-remote --symref`; other namespaces and peeled lines are dropped."""
    objects: dict[str, str] = {}
    head = ""
    for line in _lines(output):
        value, _, name = line.partition("\t")
        if value.startswith("ref: "):
            head = value.removeprefix("ref: ") if name == "HEAD" else head
        elif len(value) != 40:
            raise InvalidInput(
                gettext(
                    "%(place)s uses SHA-256 object names, which are not supported yet."
                )
                % {"place": place}
            )
        elif name == "HEAD":
            head = head or value
        elif name.startswith((HEADS, TAGS)) and not name.endswith("^{}"):
            objects[name] = value
    if is_commit(head):
        objects[DETACHED] = head
    return Refs(objects, head)


def parse_for_each_ref(output: str, head: str) -> Refs:
    """Read `%(objectname) %(refname)` lines of the mirror."""
    pairs = (line.split(" ", 1) for line in _lines(output))
    return Refs({name: value for value, name in pairs}, head)


def find(wanted: str, refs: Refs, place: str) -> RefTarget:
    """Return what a branch, a tag (short or full name) or a full hash means."""
    if is_commit(wanted.lower()):
        return RefTarget(wanted.lower(), "commit", wanted.lower())
    check_ref(wanted)
    for full in (wanted, HEADS + wanted, TAGS + wanted):
        if full in refs.objects and full != DETACHED:
            kind = "branch" if full.startswith(HEADS) else "tag"
            return RefTarget(short_name(full), kind, full)
    raise NotFound(
        gettext("%(place)s has no branch or tag %(wanted)s. %(near)s")
        % {
            "place": place,
            "wanted": repr(wanted),
            "near": _nearest(wanted, refs.names),
        }
    )


def find_default(
    refs: Refs, place: str, *, default_branch: str, prefer_head: bool
) -> RefTarget:
    """Return the default: the one set, else main, else HEAD; HEAD first in a checkout.

    A dangling HEAD falls back to the first branch.
    """
    if default_branch:
        return find(default_branch, refs, place)
    main = HEADS + "main"
    order = (refs.head, main) if prefer_head else (main, refs.head)
    branches = sorted(name for name in refs.objects if name.startswith(HEADS))
    for name in (*order, *branches):
        if name in refs.objects:
            return RefTarget(short_name(name), "branch", name)
        if is_commit(name):
            return RefTarget(name, "commit", name)
    raise InvalidInput(
        gettext("%(place)s has tags but no branch. %(near)s Choose one as the ref.")
        % {"place": place, "near": _nearest("", refs.names)}
    )


def _lines(output: str) -> list[str]:
    """Split at newlines only: a ref name may hold what else Python ends lines at."""
    return [line for line in output.split("\n") if line]


def _nearest(wanted: str, names: Iterable[str]) -> str:
    shown = [name for name in names if is_unicode(name)]
    near = difflib.get_close_matches(wanted, shown, n=5, cutoff=0.5) or shown[:5]
    abbreviated = re.fullmatch(r"[0-9a-f]{7,39}", wanted)
    said = gettext("There is %(names)s.") % {"names": ", ".join(near)}
    if not abbreviated:
        return said
    return f"{said} {gettext('A commit must be given with all 40 digits of its hash.')}"

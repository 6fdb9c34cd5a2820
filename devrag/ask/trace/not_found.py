"""Describe how far calls go where no path was found."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from django.utils.translation import gettext, ngettext

from devrag.ask.trace.citations import Citations
from devrag.ask.trace.wording import PathWriter, place_of
from devrag.ask.types import Answer
from devrag.navigation.call_paths import (
    CallGraph,
    Definition,
    Limits,
    PathSearch,
    reach_back,
)

_CALLERS = Limits(calls=4, definitions=1_500, seconds=0.15)
_MOST_COMMON = 3
_FUNCTIONS = frozenset({"function", "method"})


def not_found(markdown: str, citations: Citations | None = None) -> Answer:
    """Return an answer that found nothing, with the lines that it cites."""
    passages = tuple(citations.passages) if citations else ()
    return Answer(markdown + "\n", passages, passages, "not_found")


def describe_search(
    graph: CallGraph,
    citations: Citations,
    names: Mapping[str, str],
    ends: tuple[frozenset[int], frozenset[int]],
    search: PathSearch,
) -> list[str]:
    """Return what was searched, what comes nearest, and who calls both ends."""
    starts, wanted = ends
    writer = PathWriter(graph, citations)
    blocks = [
        gettext("Not found: there is no call path from `%(start)s` to `%(end)s`.")
        % names,
        _searched(names, search),
    ]
    nearest = _nearest(graph, starts, wanted, search.forward)
    if nearest is not None:
        said = gettext(
            "The closest definition that `%(start)s` reaches is %(place)s."
        ) % {
            **names,
            "place": place_of(nearest),
        }
        blocks.append(said + writer.definition(nearest.key, "callee"))
    common = list(_callers_of_both(graph, starts, wanted))[:_MOST_COMMON]
    if common:
        listed = gettext(", ").join(f"`{writer.name(own.key)}`" for own in common)
        said = gettext("Both are called, directly or indirectly, by %(names)s.")
        marks = "".join(writer.definition(own.key, "caller") for own in common)
        blocks.append(said % {"names": listed} + marks)
    blocks.append(
        gettext(
            "Calls that are resolved at run time or made by other libraries are not "
            "followed."
        )
    )
    return blocks


def _searched(names: Mapping[str, str], search: PathSearch) -> str:
    count = sum(1 for distance in search.forward.values() if distance)
    depth = max(search.forward.values(), default=0)
    if search.is_whole:
        return ngettext(
            "Searched: %(count)s definition that `%(start)s` reaches.",
            "Searched: all %(count)s definitions that `%(start)s` reaches.",
            count,
        ) % {**names, "count": count}
    callers = sum(1 for distance in search.backward.values() if distance)
    return gettext(
        "Searched: %(count)s definitions that `%(start)s` reaches in up to %(depth)s "
        "calls, and %(callers)s that reach `%(end)s`."
    ) % {**names, "count": count, "depth": depth, "callers": callers}


def _nearest(
    graph: CallGraph,
    starts: Collection[int],
    ends: Collection[int],
    reached: Mapping[int, int],
) -> Definition | None:
    """Return what is reached in the end's class, file or folder, whichever is first."""
    wanted = [graph[key] for key in ends]
    owners = {(d.path, d.qualified_name.rpartition(".")[0]) for d in wanted}
    paths = {d.path for d in wanted}
    folders = {path.rpartition("/")[0] for path in paths}
    own = {graph[key].path for key in starts}

    def closeness(each: Definition) -> int:
        owner = each.qualified_name.rpartition(".")[0]
        if owner and (each.path, owner) in owners:
            return 0
        if each.path in paths - own:
            return 1
        return 2 if each.path.rpartition("/")[0] in folders else 3

    found = [graph[key] for key, distance in reached.items() if distance]
    ranked = [(closeness(each), reached[each.key], each.key) for each in found]
    best = min(ranked, default=None)
    return graph[best[2]] if best and best[0] < 3 else None


def _callers_of_both(
    graph: CallGraph, starts: Collection[int], ends: Collection[int]
) -> Iterator[Definition]:
    """Yield the functions from which both ends are reached, the nearest first."""
    one = reach_back(graph, starts, _CALLERS).distance
    other = reach_back(graph, ends, _CALLERS).distance
    both = [key for key in one if key in other and graph[key].kind in _FUNCTIONS]
    for key in sorted(both, key=lambda key: (one[key] + other[key], key)):
        if key not in starts and key not in ends:
            yield graph[key]

"""Answer how one definition reaches another, without a model.

    trace_answer(request) -> Answer | None

The answer is the best path of calls, step by step with its lines, a sequence diagram,
and other paths. It asks back where a name has several definitions, says so where only
the other direction exists, and where nothing leads, how far the calls go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.translation import gettext, ngettext

from devrag.ask.language import language_of
from devrag.ask.named.definitions import find_definitions
from devrag.ask.scoped_sources import visible_sources
from devrag.ask.trace.ambiguity import ask_back, choose_ends, has_choices
from devrag.ask.trace.citations import Citations
from devrag.ask.trace.diagram import draw_path
from devrag.ask.trace.endpoints import Endpoint, find_endpoint
from devrag.ask.trace.how_to_ask import how_to_ask
from devrag.ask.trace.not_found import describe_search, not_found
from devrag.ask.trace.question import TraceQuestion, read_endpoints
from devrag.ask.trace.tree import tree_answer
from devrag.ask.trace.wording import PathWriter, code, place_of
from devrag.ask.types import Answer, AskRequest
from devrag.core.errors import NotFound
from devrag.navigation.call_paths import (
    CallGraph,
    Limits,
    PathSearch,
    find_paths,
)
from devrag.sources.models import GitRef, Symbol

_TYPES = frozenset({"class", "interface", "enum", "type", "extension"})
# Together, with what is told where nothing was found, about two seconds.
_FORWARD, _FINAL, _QUICK = Limits(), Limits(seconds=0.8), Limits(seconds=0.4)
_REVERSE = Limits(seconds=0.3, definitions=1_500)
_GUESSED = Limits(seconds=0.5, definitions=2_000)


def trace_answer(request: AskRequest, *, is_final: bool = False) -> Answer | None:
    """Return the answer of a traced question, None for another question.

    In mode `trace` there always is one: where no ends can be read it tells how to ask.
    In other modes only if both ends are names of code and a path joins them. is_final:
    also where none does, since nothing else answers that.
    Raises NotFound for a scope that the asker cannot see.
    """
    is_asked = request.mode == "trace"
    question = read_endpoints(request.question)
    if question is None:
        with translation.override(language_of(request)):
            replied = _answer_reply(request)
            if replied or not is_asked:
                return replied
            named = find_definitions(request)
            own = named.found if named else ()
            tree = tree_answer(own[0]) if len(own) == 1 else None
            return tree or how_to_ask(request, own)
    if not is_asked and not question.is_named:
        return _tree_from(question, request) if is_final else None
    with translation.override(language_of(request)):
        answer = _trace(question, request, is_final=is_final)
    return answer if is_asked or answer.citations else None


def _tree_from(question: TraceQuestion, request: AskRequest) -> Answer | None:
    """Return the calls of where a question begins, whose end is in plain words."""
    if not question.start.is_code or question.end.is_code:
        return None
    with translation.override(language_of(request)):
        found = find_endpoint(question.start, request, _visible(request))
        is_one = found.found_by == "name" and len(found.candidates) == 1
        return tree_answer(found.candidates[0]) if is_one else None


def _answer_reply(request: AskRequest) -> Answer | None:
    """Return the trace of an ambiguous question before, with what was chosen since."""
    if not request.history or not has_choices(request.history[-1].answer):
        return None
    replies = [request.question]
    for exchange in reversed(request.history):
        question = read_endpoints(exchange.question)
        if question is not None:
            asked = replace(request, mode="trace")
            sources = _visible(request)
            ends = [
                find_endpoint(e, asked, sources) for e in (question.start, question.end)
            ]
            chosen = choose_ends(ends, replies[::-1], request.history[-1].answer)
            return _between(*chosen, is_asked=True) if chosen else None
        replies.append(exchange.question)
    return None


def _trace(question: TraceQuestion, request: AskRequest, *, is_final: bool) -> Answer:
    sources = _visible(request)
    start = find_endpoint(question.start, request, sources)
    end = find_endpoint(question.end, request, sources)
    is_asked = request.mode == "trace"
    return _between(start, end, is_asked=is_asked, is_final=is_final)


def _visible(request: AskRequest) -> list[int]:
    """Return the ids of the sources in scope. Raises NotFound for what is hidden."""
    rows = visible_sources(request.scope, request.principal)
    return list(rows.values_list("pk", flat=True))


def _between(
    start: Endpoint, end: Endpoint, *, is_asked: bool, is_final: bool = False
) -> Answer:
    start, end = _in_one_source(start, end)
    unclear = [e for e in (start, end) if e.is_ambiguous or not e.candidates]
    if unclear:
        return ask_back(unclear) if is_asked else not_found("")
    if _source_of(start) != _source_of(end):
        return not_found(_in_two_sources(start, end))
    is_clear = {start.found_by, end.found_by} == {"name"}
    is_told = is_asked or (is_final and is_clear)
    limits = _FORWARD if is_asked else _FINAL if is_final else _QUICK
    return _Trace(start, end).answer(limits, is_told=is_told)


# -- which definitions are meant -----------------------------------------------------


def _in_one_source(start: Endpoint, end: Endpoint) -> tuple[Endpoint, Endpoint]:
    """Leave out candidates of sources where the other end is not."""
    common = _source_keys(start) & _source_keys(end)
    if not common:
        return start, end
    if "words" in {start.found_by, end.found_by}:
        # The source of what search found first.
        first = next(
            each.first.file.source_id
            for each in (*start.candidates, *end.candidates)
            if each.first.file.source_id in common
        )
        common = {first}
    return _within(start, common), _within(end, common)


def _source_keys(end: Endpoint) -> set[int]:
    return {each.first.file.source_id for each in end.candidates}


def _within(end: Endpoint, sources: set[int]) -> Endpoint:
    inside = [e for e in end.candidates if e.first.file.source_id in sources]
    return Endpoint(end.written, end.found_by, tuple(inside), end.others, end.similar)


def _source_of(end: Endpoint) -> int:
    return end.candidates[0].first.file.source_id


def _in_two_sources(start: Endpoint, end: Endpoint) -> str:
    one, other = start.candidates[0].first, end.candidates[0].first
    return gettext(
        "Not found: `%(start)s` is in the source %(one)s, `%(end)s` in %(other)s. "
        "Call paths are limited to one source."
    ) % {
        "start": code(one.qualified_name),
        "end": code(other.qualified_name),
        "one": code(one.file.source.name),
        "other": code(other.file.source.name),
    }


# -- the path ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ends:
    """The definitions from which and to which calls are followed."""

    starts: frozenset[int]
    ends: frozenset[int]


class _Trace:
    """The search between two ends that are clear, and what to tell of it."""

    def __init__(self, start: Endpoint, end: Endpoint) -> None:
        self._start, self._end = start, end
        self._graph = CallGraph(_current_ref(_source_of(start)))
        self._citations = Citations()

    def answer(self, limits: Limits, *, is_told: bool) -> Answer:
        """Return the paths, else those of the other direction, or how far calls go.

        limits: of the search for a path. is_told: that there is none is an answer, too;
        otherwise a path or nothing is wanted.
        """
        starts, ends = self._keys(self._start), self._keys(self._end)
        # What both ends have, as a class has its method, counts for one of them.
        if ends - starts:
            ends -= starts
        else:
            starts -= ends
        if not starts:
            return not_found(gettext("Both names refer to the same definition."))
        found = find_paths(self._graph, starts, ends, limits)
        if found.paths:
            return self._told(found, self._taken())
        if not is_told:
            return not_found("")
        back = find_paths(self._graph, ends, starts, _REVERSE)
        if back.paths:
            said = (
                gettext("`%(end)s` reaches `%(start)s`, not the other way round.")
                % self._names()
            )
            return self._told(back, [said, *self._taken()])
        guesses = self._graph.guessing()
        guessed = find_paths(guesses, starts, ends, _GUESSED)
        if guessed.paths:
            self._graph = guesses
            return self._told(guessed, self._taken())
        blocks = describe_search(
            self._graph, self._citations, self._names(), (starts, ends), found
        )
        blocks += self._definitions()
        return not_found("\n\n".join([*self._taken(), *blocks]), self._citations)

    def _definitions(self) -> list[str]:
        """Return both ends as a list; not one of choices, which has no numbers."""
        firsts = [end.candidates[0].first for end in (self._start, self._end)]
        writer = PathWriter(self._graph, self._citations)
        keys = [each.pk for each in firsts if each.kind != "module"]
        self._graph.load(keys)
        places = [
            f"{n}. {place_of(self._graph[key])}{writer.definition(key, 'definition')}"
            for n, key in enumerate(keys, 1)
        ]
        return [f"**{gettext('Definitions')}**", "\n".join(places)] if places else []

    def _names(self) -> dict[str, str]:
        return {"start": _name(self._start), "end": _name(self._end)}

    def _keys(self, end: Endpoint) -> frozenset[int]:
        """Return the definitions of an end, with what is in a class or file."""
        symbols = [each for named in end.candidates for each in named.symbols]
        keys = {each.pk for each in symbols}
        self._graph.load(keys)
        for each in symbols:
            if end.found_by == "file":
                inside = self._graph.definitions_in(each.file_id)
                keys |= {d.key for d in inside}
            elif each.kind in _TYPES:
                members = self._graph.members(each.pk)
                keys |= {d.key for d in members if d.kind == "method"}
                keys |= self._apart(each)
        return self._graph.meant(keys)

    def _apart(self, owner: Symbol) -> set[int]:
        """Return the methods that Go and Rust define beside their type."""
        if owner.file.language not in {"go", "rust"}:
            return set()
        rows = Symbol.objects.filter(
            source=owner.source_id,
            kind="method",
            qualified_name__startswith=f"{owner.qualified_name}.",
            file__module=owner.file.module,
            file__manifests__ref=self._graph.ref,
            file__manifests__until=None,
        )
        keys = set(rows.values_list("pk", flat=True))
        self._graph.load(keys)
        return keys

    def _taken(self) -> list[str]:
        """Return what was taken for plain words, and what else has a name."""
        return [*_notes(self._start), *_notes(self._end)]

    def _told(self, found: PathSearch, before: Iterable[str]) -> Answer:
        best, *others = found.paths
        writer = PathWriter(self._graph, self._citations)
        writer.load(found.paths)
        blocks = [*before, writer.head(best), writer.steps(best)]
        blocks += filter(None, [writer.uncertainties(best)])
        blocks += map(writer.other, others)
        passages = tuple(self._citations.passages)
        return Answer(
            markdown="\n\n".join(blocks) + "\n",
            citations=passages,
            evidence=passages,
            outcome="answered",
            diagram=draw_path(self._graph, best),
        )


def _current_ref(source: int) -> GitRef:
    """Return the version of a source that is asked about. Raises NotFound."""
    ref = GitRef.objects.filter(source=source, is_current=True).first()
    if ref is None:
        raise NotFound(
            gettext("The source was deleted while the question was being answered.")
        )
    return ref


def _name(end: Endpoint) -> str:
    if end.found_by == "name":
        return code(end.candidates[0].name)
    return code(end.written)


def _notes(end: Endpoint) -> Iterable[str]:
    """Yield what an answer took for an end that is not the name of one definition."""
    names = [f"`{code(each.name)}`" for each in end.candidates]
    listed = gettext(", ").join(names)
    if end.found_by in {"words", "route", "command"}:
        yield gettext("“%(written)s” is interpreted as %(names)s.") % {
            "written": code(end.written),
            "names": listed,
        }
    if end.others:
        yield ngettext(
            "This answer is about %(names)s; %(count)s other definition has this name.",
            "This answer is about %(names)s; %(count)s other definitions have this "
            "name.",
            len(end.others),
        ) % {"names": listed, "count": len(end.others)}

"""HTTP: a call of a client in one source, the route of another that answers it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devrag.wiki.analysis.contracts.arguments import arguments_of, joined, named
from devrag.wiki.analysis.contracts.types import Contract, ContractLocation, Ground
from devrag.wiki.analysis.survey import SurveyFact, SurveyReference

_ANY = "\0"
_VERBS = {"get", "post", "put", "patch", "delete", "head"}
_TEMPLATES = {
    "getforobject": "GET",
    "getforentity": "GET",
    "postforobject": "POST",
    "postforentity": "POST",
    "patchforobject": "PATCH",
}
_FETCH = {"fetch", "window.fetch", "$fetch", "node-fetch"}
_CLIENT = re.compile(
    r"^(requests|httpx|ky|got|superagent|httparty|faraday|restclient|reqwest|\$http"
    r"|\w*(client|api|session|http|axios|resttemplate))$",
    re.IGNORECASE,
)
# (name's end, where its method stands, where its address stands)
_REQUESTS = {
    "http.NewRequest": (0, 1),
    "http.NewRequestWithContext": (1, 2),
    "requests.request": (0, 1),
    "httpx.request": (0, 1),
}
_IS_API = re.compile(r"apis?(/|[\w.-]*\.\w+$)", re.IGNORECASE)
_GENERATOR = re.compile(r"openapi[ -]generator|swagger[ -]codegen", re.IGNORECASE)
_GENERATED_PATH = re.compile(
    r"""^\s*(?:const |let |var )?(?:path|urlPath|localVarPath|_?resource_path)"""
    r"""\s*(?::\s*(?:\w+\s*=)?|:?=)\s*([`"'])(/[^`"']*)\1"""
)
_GENERATED_METHOD = re.compile(r"""method["']?\s*[:=]\s*["'](\w+)["']""")
_HEAD = 2000  # characters
_FILLED = re.compile(r"[$#]?\{[^{}]*\}|%[sd]|<[^<>]*>|(?<=/):\w+")
_HOST = re.compile(r"^\w+://[^/]*")
_PATTERN = re.compile(r"[\^$()\\*?+|]")
_COMMON = re.compile(r"^(api|rest|v\d+)$")


@dataclass(frozen=True, slots=True)
class _Call:
    source: str
    method: str  # '' when unknown
    path: tuple[str, ...]
    place: ContractLocation


def http_contracts(ground: Ground) -> list[Contract]:
    """Return client calls whose path only one other source has a route for."""
    routes: dict[int, list[tuple[tuple[str, ...], SurveyFact]]] = defaultdict(list)
    for fact in ground.facts("route"):
        path = _route_path(fact)
        is_http = fact.data.get("framework") not in {"grpc", "graphql"}
        if path is not None and is_http:
            routes[len(path)].append((path, fact))
    found: dict[tuple[int, str, int], Contract] = {}
    for call in _calls(ground) if routes else ():
        answer = _answering(ground, call, routes[len(call.path)])
        if answer is not None:
            provider = ContractLocation(answer.file, answer.start_line, answer.end_line)
            key = (call.place.file, answer.name, answer.file)
            contract = Contract("http", answer.name, call.place, provider)
            found.setdefault(key, contract)
    return list(found.values())


def _calls(ground: Ground) -> Iterator[_Call]:
    written = (_call(ground, reference) for reference in ground.uses("call"))
    yield from (call for call in written if call)
    yield from _generated_calls(ground)


def _generated_calls(ground: Ground) -> Iterator[_Call]:
    """Yield what clients ask for that a generator made of an API's description."""
    for file in ground.survey.files:
        if not file.is_generated or not _IS_API.search(file.path):
            continue
        text = ground.texts.text(file.id)
        if not _GENERATOR.search(text[:_HEAD]):
            continue
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            asked = _GENERATED_PATH.match(line)
            path = _segments(_FILLED.sub(_ANY, asked.group(2))) if asked else None
            if path is not None:
                near = "\n".join(lines[max(0, number - 3) : number + 3])
                method = _GENERATED_METHOD.search(near)
                verb = method.group(1).upper() if method else ""
                place = ContractLocation(file.id, number, number)
                yield _Call(file.source, verb, path, place)


def _route_path(fact: SurveyFact) -> tuple[str, ...] | None:
    text = _FILLED.sub(_ANY, str(fact.data.get("path") or ""))
    return None if _PATTERN.search(text) else _segments(text)


def _segments(text: str) -> tuple[str, ...] | None:
    """Return the path's pieces; None when one mixes words with what is filled in."""
    pieces = tuple(piece for piece in text.split("/") if piece)
    if any(_ANY in piece and piece != _ANY for piece in pieces):
        return None
    told = [piece for piece in pieces if piece != _ANY and not _COMMON.match(piece)]
    return pieces if told else None


def _call(ground: Ground, reference: SurveyReference) -> _Call | None:
    end = re.split(r"[.:]+", reference.name)
    last, receiver = end[-1].lower(), end[-2] if len(end) > 1 else ""
    request = _REQUESTS.get(".".join(end[-2:]))
    is_fetch = reference.name in _FETCH
    is_verb = last in _VERBS or last in _TEMPLATES
    if not (request or is_fetch or (is_verb and _CLIENT.match(receiver))):
        return None
    lines = ground.lines(reference.file)
    arguments = arguments_of(lines, reference.line, reference.name)
    at = request[1] if request else 0
    path = _called_path(arguments[at]) if len(arguments) > at else None
    if path is None:
        return None
    method = _TEMPLATES.get(last, last.upper())
    if request:
        method = arguments[request[0]].strip("\"'").rpartition("Method")[2].upper()
    elif is_fetch:
        method = _fetched(arguments)
    place = ContractLocation(reference.file, reference.line, reference.line)
    return _Call(ground.source(reference.file), method, path, place)


def _called_path(argument: str) -> tuple[str, ...] | None:
    """Return the path of an address; what stands before it is a host or a base."""
    text = joined(argument, _ANY)
    if text is None:
        return None
    text = _HOST.sub("", _FILLED.sub(_ANY, text)).lstrip(_ANY)
    text = text.partition("?")[0].partition("#")[0]
    return _segments(text) if text.startswith("/") else None


def _fetched(arguments: Sequence[str]) -> str:
    method = named(arguments[1:], "method")
    is_told = len(arguments) < 2 or (
        arguments[1].startswith("{") and "method" not in arguments[1]
    )
    return "GET" if method is None and is_told else (method or "").upper()


def _answering(
    ground: Ground,
    call: _Call,
    routes: Sequence[tuple[tuple[str, ...], SurveyFact]],
) -> SurveyFact | None:
    """Return the one route that surely answers: of one source, most literally."""
    fits = [(path, fact) for path, fact in routes if _answers(call, path, fact)]
    sources = {ground.source(fact.file) for _, fact in fits}
    if len(sources) != 1 or call.source in sources:
        return None
    most = max(_literal(path) for path, _ in fits)
    best = [fact for path, fact in fits if _literal(path) == most]
    paths = {fact.data.get("path") for fact in best}
    methods = {fact.data.get("method") for fact in best}
    return best[0] if len(paths) == 1 and len(methods) == 1 else None


def _literal(path: Sequence[str]) -> int:
    return sum(1 for piece in path if piece != _ANY)


def _answers(call: _Call, path: tuple[str, ...], fact: SurveyFact) -> bool:
    method = str(fact.data.get("method") or "").upper()
    is_asked = method in {"", "ANY", "ALL"} or call.method in method.split("|")
    pairs = list(zip(path, call.path, strict=True))
    is_same = all(own in (asked, _ANY) for own, asked in pairs)
    return is_asked and is_same and any(own == asked != _ANY for own, asked in pairs)

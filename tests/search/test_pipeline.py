"""A hit names other places of its file that rank behind the results."""

from __future__ import annotations

from devrag.core.principal import SYSTEM
from devrag.search.candidates import CandidateChunk
from devrag.search.features import Features
from devrag.search.pipeline import (
    with_places,
    with_whole_names_first,
    without_inner,
)
from devrag.search.query_intent import read_question
from devrag.search.ranking import DEFINES, Ranked
from devrag.search.service import search
from devrag.search.types import Hit, LineRange, SearchQuery
from tests.conftest import Repository
from tests.search.hits import make_hit, make_spot

NONE = Features(*[0.0] * len(Features._fields))


def spot(path: str, line: int, name: str = "", source: str = "shop") -> CandidateChunk:
    return make_spot(
        path=path,
        start_line=line,
        end_line=line + 9,
        symbol_name=name,
        source_name=source,
    )


def hit(path: str, line: int) -> Hit:
    return make_hit(path=path, start_line=line, end_line=line + 9)


def test_what_has_only_parts_of_a_name_follows_what_has_all_of_it() -> None:
    texts = ("send it", "sendFile(path)", "a file", "res.sendFile")
    found = [
        Ranked(make_spot(path=f"{n}.js", text=text), 0.9 - n / 10, NONE)
        for n, text in enumerate(texts)
    ]
    ordered = with_whole_names_first(found, read_question("sendFile"))
    assert [each.spot.path for each in ordered] == ["1.js", "3.js", "0.js", "2.js"]
    scores = [each.score for each in ordered]
    assert scores == sorted(scores, reverse=True)
    assert with_whole_names_first(found, read_question("send it")) == found


def test_a_function_within_a_better_one_is_the_same_hit() -> None:
    outer = make_spot(
        kind="symbol", start_line=1, end_line=9, text="send {\n  end { stop }\n}"
    )
    inner = outer._replace(start_line=2, end_line=3, text="  end { stop }")
    body = inner._replace(text="no part of the text")
    elsewhere = inner._replace(path="other.js")
    found = [Ranked(each, 0.5, NONE) for each in (outer, inner, body, elsewhere)]
    assert without_inner(found) == [found[0], found[2], found[3]]
    assert without_inner([found[1], found[0]]) == [found[1], found[0]]
    asked_for = Ranked(inner, 0.5, NONE, (DEFINES,))
    assert without_inner([found[0], asked_for]) == [found[0], asked_for]


def test_places_follow_the_first_hit_of_their_file() -> None:
    hits = [hit("a.py", 1), hit("b.py", 1), hit("a.py", 20)]
    rest = [
        Ranked(spot("a.py", 50, "late"), 0.5, NONE),
        Ranked(spot("c.py", 1, "elsewhere"), 0.4, NONE),
        Ranked(spot("a.py", 40), 0.3, NONE),
        Ranked(spot("b.py", 5, "other", source="mirror"), 0.2, NONE),
    ]
    found = [each.places for each in with_places(hits, rest)]
    assert found == [(LineRange(50, 59, "late"), LineRange(40, 49)), (), ()]


def test_a_file_of_many_places_names_five() -> None:
    rest = [Ranked(spot("a.py", line), 0.5, NONE) for line in range(100)]
    (found,) = with_places([hit("a.py", 500)], rest)
    assert [place.start_line for place in found.places] == [0, 1, 2, 3, 4]


def test_the_cart_names_its_other_methods(indexed: Repository) -> None:
    query = SearchQuery(
        text="cart items price", principal=SYSTEM, mode="keyword", limit=1
    )
    (best,) = search(query).hits
    every = search(SearchQuery(text=query.text, principal=SYSTEM, mode="keyword")).hits
    others = [h for h in every[1:] if h.path == best.path]
    assert others
    assert [(p.start_line, p.end_line, p.name) for p in best.places] == [
        (h.start_line, h.end_line, h.symbol_name.rpartition(".")[2]) for h in others
    ]

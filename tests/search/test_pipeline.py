"""A hit names other places of its file that rank behind the results."""

from __future__ import annotations

from devrag.core.principal import SYSTEM
from devrag.search.candidates import CandidateChunk
from devrag.search.features import Features
from devrag.search.pipeline import with_places
from devrag.search.ranking import Ranked
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

"""The keyword index alone: order, word forms, phrases, filters."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devrag.core.principal import SYSTEM
from devrag.search.lexical.reader import LexicalReader
from devrag.search.lexical.store import (
    Generation,
    LexicalDocument,
    LexicalWriter,
    write_generation,
)
from devrag.search.query_parser import parse_query
from devrag.search.types import SearchQuery

Find = Callable[..., list[int]]
Fill = Callable[..., Find]


def document(number: int, **fields: Any) -> LexicalDocument:
    empty = dict.fromkeys(("body", "path", "symbols", "headings", "header"), "")
    ids = {"chunk_id": number, "file_id": number, "source_id": 1}
    return LexicalDocument(**ids | empty | fields)


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Index documents numbered from 1; returns what asks for them."""

    def filled(*rows: dict[str, Any]) -> Find:
        with contextlib.closing(LexicalWriter(tmp_path)) as writer:
            for number, fields in enumerate(rows, start=1):
                writer.add(document(number, **fields))
            writer.commit()
        write_generation(tmp_path, Generation())
        reader = LexicalReader(tmp_path)

        def find(text: str, **options: Any) -> list[int]:
            query = SearchQuery(text=text, principal=SYSTEM, **options)
            found = reader.search(parse_query(query), source_ids=[1], limit=50)
            return list(found.scores)

        return find

    return filled


def bodies(*texts: str) -> list[dict[str, Any]]:
    return [{"body": text} for text in texts]


def test_postings_decide_the_order(fill: Fill) -> None:
    python, api = "Python Python Python API", "API api x y"
    find = fill(*bodies(python, api, "z z", "z", "python x y z"))
    assert find("Python API") == [1, 2, 5]


def test_common_words_count_in_names_only_beside_others(fill: Fill) -> None:
    find = fill({"body": "how is it"}, {"symbols": "isValid"}, {"body": "valid"})
    assert find("how is it valid") == [2, 3]
    assert find('"how is" valid') == [1]
    assert sorted(find("how is")) == [1, 2]


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("charge", "charges charged charging"),
        *(("query", "queries"), ("map", "mapped mapping maps"), ("call", "called")),
        *(("process", "processes processing"), ("cancel", "cancelled canceled")),
        *(
            ("install", "installed"),
            ("cache", "caching caches"),
            ("embed", "embedding"),
        ),
        *(("handler", "handlers"), ("box", "boxes"), ("user", "getUsers")),
    ],
)
def test_inflections_find_each_other_and_the_word_itself_first(
    fill: Fill, word: str, others: str
) -> None:
    forms = [word, *others.split()]
    find = fill(*bodies(*forms))
    for number, form in enumerate(forms, start=1):
        found = find(form.removeprefix("get"))
        assert number == found[0] or form.startswith("get")
        assert len(found) == len(forms)


@pytest.mark.parametrize(
    ("one", "other"),
    [("string", "str"), ("class", "clas"), ("file", "fill"), ("status", "statu")],
)
def test_words_that_only_look_inflected_stay_apart(
    fill: Fill, one: str, other: str
) -> None:
    find = fill(*bodies(one, other))
    assert (find(one), find(other)) == ([1], [2])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"tax rate"', [1, 3, 5]),
        ('"rate tax"', []),
        ('"Tax Rate" settings', [3, 1, 5]),
        ('"taxRate"', [3]),
        ('"users list"', [6]),
        ('"user list"', []),
        ('"計算する"', [5]),
        ('"tax" -path:docs', [1, 2, 3, 5]),
    ],
)
def test_quoted_words_stand_side_by_side_in_one_field(
    fill: Fill, text: str, found: list[int]
) -> None:
    find = fill(
        {"body": "The tax rate of tea."},
        {"body": "tax", "headings": "rate"},
        {"body": "settings", "symbols": "taxRate"},
        {"body": "rate and tax", "path": "docs/tax.md"},
        {"body": "税率(tax rate)を計算する"},
        {"body": "users list"},
    )
    assert find(text) == found or sorted(find(text)) == found


PLACES = ("src/cart.py", "packages/a/src/till.py", "src2/x.py", "tests/src.py", "a b/c")


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        ("path:src/", {}, {1, 2}),
        ("path:src", {}, {1, 2, 3, 4}),
        ("path:a/src/t", {}, {2}),
        ("path:rc/", {}, set()),
        ("path:src path:packages", {}, {2}),
        ("-path:src/ -path:tests", {}, {3, 5}),
        ('path:"a b/"', {}, {5}),
        ("path:s.c", {}, set()),
        ("", {"path_prefix": "src/"}, {1}),
        ("", {"path_prefix": "src"}, {1, 3}),
        ("", {"path_prefix": "packages/a/src/till.py"}, {2}),
        ("path:" + "a" * 5000, {}, set()),
        ("", {"path_prefix": "漢" * 2000}, set()),
    ],
)
def test_places_are_whole_folders_or_beginnings(
    fill: Fill, text: str, options: dict[str, Any], found: set[int]
) -> None:
    find = fill(*({"body": "tea", "path": path} for path in PLACES))
    assert set(find(f"tea {text}", **options)) == found


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"language": "go"}, {1}),
        ({"kind": "method"}, {2}),
        ({"kind": "code"}, {1, 2}),
        ({"mime": "text/plain; format=flowed"}, {3}),
        ({"min_complexity": 7}, {2}),
        ({"min_complexity": 1}, {1, 2}),
        ({"include_generated": True}, {1, 2, 3, 4}),
        ({"language": "go", "kind": "method"}, set()),
    ],
)
def test_filters_choose_within_the_index(
    fill: Fill, options: dict[str, Any], found: set[int]
) -> None:
    find = fill(
        {"body": "tea", "language": "go", "kinds": ("code",), "complexity": 6},
        {"body": "tea", "kinds": ("code", "symbol", "method"), "complexity": 7},
        {"body": "tea", "mime": "text/plain; format=flowed"},
        {"body": "tea", "is_generated": True},
    )
    assert set(find("tea", **options)) == found


@pytest.mark.parametrize(("source_ids", "found"), [([1], {1}), (None, {1, 2})])
def test_all_that_matches_in_the_sources_is_counted(
    tmp_path: Path, fill: Fill, source_ids: list[int] | None, found: set[int]
) -> None:
    fill({"body": "tea"}, {"body": "tea", "source_id": 2})
    query = SearchQuery(text="tea", principal=SYSTEM)
    reader = LexicalReader(tmp_path)
    assert set(reader.search(query, source_ids=source_ids, limit=9).scores) == found
    best = reader.search(query, source_ids=source_ids, limit=1)
    assert (len(best.scores), best.total) == (1, len(found))


def test_a_filter_does_not_change_the_score(tmp_path: Path, fill: Fill) -> None:
    fill(*({"body": text, "language": "go"} for text in ("tea", "cup")))
    query = SearchQuery(text="tea", principal=SYSTEM)
    reader = LexicalReader(tmp_path)
    plain, narrow = (
        reader.search(each, source_ids=[1], limit=1)
        for each in (query, replace(query, language="go", phrases=("tea",)))
    )
    assert plain == narrow


@pytest.mark.parametrize(
    ("text", "found"),
    [("char", [2, 1]), ("tea char", [2, 1, 3]), ("c", []), ("char ", []), ("税", [4])],
)
def test_the_last_word_may_be_unfinished_while_typing(
    fill: Fill, text: str, found: list[int]
) -> None:
    find = fill(
        *({"body": "character"}, {"symbols": "charge"}, {"body": "tea"}),
        {"body": "税金を払う"},
    )
    assert find(text, is_typing=True) == found
    assert find(text) == ([3] if "tea" in text else [])


def test_two_generations_of_one_moment_are_told_apart(
    tmp_path: Path, fill: Fill
) -> None:
    fill(*bodies("tea"))
    reader = LexicalReader(tmp_path)
    path = tmp_path / "generation.json"
    for sequence in (1, 2):
        write_generation(tmp_path, Generation(sequences={1: (1, sequence)}))
        os.utime(path, ns=(10**18, 10**18))
        found = reader.generation()
        assert found is not None
        assert found.sequences == {1: (1, sequence)}


def test_an_index_that_could_not_be_read_once_is_opened_again(
    tmp_path: Path, fill: Fill
) -> None:
    find = fill(*bodies("tea", "tea cup"))
    meta = tmp_path / "meta.json"
    hidden = meta.rename(tmp_path / "hidden.json")
    write_generation(tmp_path, Generation())  # which the reader notices
    assert find("tea") == []
    hidden.rename(meta)
    assert sorted(find("tea")) == [1, 2]


def test_a_folder_that_goes_between_two_questions_finds_nothing(
    tmp_path: Path, fill: Fill
) -> None:
    find = fill(*bodies("tea"))
    assert find("tea") == [1]
    shutil.rmtree(tmp_path)
    assert find("tea") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("リダイレクトはどこで処理されるか", [1]),
        ("redirect", [1, 2]),
        ("たなおろし", [3]),
        ("引当て", [4]),
    ],
)
def test_japanese_finds_other_writings(fill: Fill, text: str, found: list[int]) -> None:
    find = fill(
        *bodies("build_redirect_request", "リダイレクト先", "棚卸の差異", "引き当て")
    )
    assert set(found) <= set(find(text))


def test_function_words_of_japanese_match_nothing(fill: Fill) -> None:
    find = fill(*bodies("表示している", "注文される"))
    assert find("印刷しているものはどれ") == []

"""`exact:"…"` and `/…/`: what asks for lines, and what answers."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from devrag.core.errors import InvalidInput
from devrag.core.principal import SYSTEM, Principal, Role
from devrag.products.models import Product, Visibility
from devrag.search.line_search import scan as scanning
from devrag.search.line_search.pattern import LinePattern, find_pattern
from devrag.search.line_search.scan import find_lines, scan_files
from devrag.search.service import search
from devrag.search.types import Hit, SearchQuery
from devrag.sources.models import File
from tests.conftest import Repository

NASTY: dict[str, str | bytes | None] = {
    "a.txt": "first\n\nsay \"hi\" = 'x'\n100% _done_\\n\n",
    "b.txt": "barn\nfoo\nbar\n",
    "src/minified.js": "var a=1;" * 500 + "needle" + ";b()" * 500 + "\n",
}


@pytest.fixture(scope="module")
def more_files() -> dict[str, str | bytes | None]:
    return NASTY


def ask(text: str, **options: Any) -> tuple[Hit, ...]:
    return search(SearchQuery(text=text, principal=SYSTEM, **options)).hits


def places(text: str, **options: Any) -> list[tuple[str, int]]:
    hits = ask(text, **options)
    return [(hit.path, line.number) for hit in hits for line in hit.matched_lines]


_REST = "path:src lang:go -path:x"


@pytest.mark.parametrize(
    ("query", "pattern", "rest"),
    [
        ('exact:"x = 1"', LinePattern("x = 1"), ""),
        ('exact:"say "hi" now"', LinePattern('say "hi" now'), ""),
        ('exact:"a" lang:go', LinePattern("a"), "lang:go"),
        ('path:"my dir" exact:"a b"', LinePattern("a b"), 'path:"my dir"'),
        ('exact:"still typ', LinePattern("still typ"), ""),
        ("exact:user_id", LinePattern("user_id"), ""),
        (
            "path:src exact:a = b::c: 1 lang:go -path:x",
            LinePattern("a = b::c: 1"),
            _REST,
        ),
        ("/def \\w+/", LinePattern("def \\w+", True), ""),
        ("/a\\/b/i -path:x", LinePattern("a\\/b", True, True), "-path:x"),
    ],
)
def test_a_pattern_is_found(query: str, pattern: LinePattern, rest: str) -> None:
    assert find_pattern(query) == (pattern, rest)


@pytest.mark.parametrize(
    "query",
    [
        *("/api/v1/users/", "a / b / c", "what is /foo/ for", "//", "/foo", "exact"),
        *("exact: bool", "what is exact:", "what is exact:x"),
        *('why exact:"x" matters', "src/foo/bar", ""),
    ],
)
def test_other_queries_ask_for_no_lines(query: str) -> None:
    assert find_pattern(query) is None


@pytest.mark.parametrize(
    "query", ["exact:", 'exact:"', 'exact:""', 'exact:"  "', "/a\nb/"]
)
def test_what_no_line_can_have_is_refused(query: str) -> None:
    with pytest.raises(InvalidInput, match=r"exact:|single lines"):
        find_pattern(query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('exact:"return charge("', [("shop/cart.py", 18)]),
        ('exact:"Return charge("', []),
        ("/return Charge/i", [("shop/cart.py", 18)]),
        ('exact:"say "hi""', [("a.txt", 3)]),
        ('exact:"100% _done_\\n"', [("a.txt", 4)]),
        ("/^fi.*t$/", [("a.txt", 1)]),
        ("/foo.bar/", []),
        ("/rst\\s+say/", []),
        ('exact:"商品"', [("docs/日本語.md", 3)]),
        # A file whole says no where its lines alone say yes.
        ("/foo(?!\\s*bar)/", [("b.txt", 2)]),
        ("/\\Abar\\Z/", [("b.txt", 3)]),
    ],
)
def test_lines_are_found(
    indexed: Repository, query: str, expected: list[tuple[str, int]]
) -> None:
    assert places(query) == expected


def test_an_empty_line_is_one_that_the_file_has(indexed: Repository) -> None:
    assert places("/^$/", path_prefix="a.txt") == [("a.txt", 2)]


def test_a_hit_is_the_definition_around_its_lines(indexed: Repository) -> None:
    (hit,) = ask('exact:"self.items.append"')
    assert (hit.symbol_name, hit.start_line) == ("Cart.add", 12)
    assert hit.why == ("contains the exact text",)
    assert hit.matched_terms == ("self.items.append",)
    assert hit.score == 1


def test_a_long_line_is_cut_around_its_match(indexed: Repository) -> None:
    (hit,) = ask("/n.edle/", include_generated=True)
    assert "needle" in hit.matched_lines[0].text
    assert len(hit.matched_lines[0].text) == 400


def test_code_comes_before_its_tests(indexed: Repository) -> None:
    paths = [hit.path for hit in ask('exact:"checkout()"')]
    assert paths == ["shop/__main__.py", "tests/test_cart.py"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"path_prefix": "shop/"}, {"shop/cart.py", "shop/till.py"}),
        ({"kind": "method"}, {"shop/cart.py"}),
        ({"language": "markdown"}, set()),
        ({"source": "shop", "kind": "function"}, {"shop/till.py"}),
    ],
)
def test_filters_apply(
    indexed: Repository, options: dict[str, Any], paths: set[str]
) -> None:
    assert {hit.path for hit in ask("/charge/i", **options)} == paths


def test_the_context_comes_along(indexed: Repository) -> None:
    (hit,) = ask('exact:"return charge("', context=1)
    assert hit.context_before


def test_what_one_may_not_see_is_not_read(indexed: Repository) -> None:
    Product.objects.update(visibility=Visibility.MEMBERS)
    charlie = Principal(name="Charlie", role=Role.VIEWER)
    assert search(SearchQuery(text="/charge/", principal=charlie)).hits == ()


def test_more_places_than_asked_for_are_said(indexed: Repository) -> None:
    result = search(SearchQuery(text="/shop/i", principal=SYSTEM, limit=1))
    assert len(result.hits) == 1
    assert "files have such lines" in result.notes[0]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("/(/", "parentheses () not balanced"),
        ("/a{5,2}/", "invalid repetition"),
        ("/[[:foo:]]/", "invalid character class"),
        ("/((x{200}){200}){2}/", "too complex"),
    ],
)
def test_a_wrong_expression_is_named(db: None, query: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match="not a valid regular expression") as caught:
        ask(query)
    assert reason in caught.value.message


@pytest.mark.parametrize(
    "query",
    [
        "/([a-z]{1,255}){1,160}/",
        "/([a-z]{1,255}){1,160}/i",
        "/(?<=([a-z]{1,255}){1,160})x/",
    ],
)
def test_an_expression_that_only_a_text_shows_as_too_complex(
    indexed: Repository, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(scanning, "_MORE_SECONDS", 60.0)  # it is found out in one
    with pytest.raises(InvalidInput, match="too complex"):
        ask(query)


# Features of other engines and odd ones of this: an answer or a reason, no failure.
FEATURES = [
    *(r"(?<=d)ef", r"(?<!d)ef", r"(?=d)def", r"(?!d)ef", r"(?:d)ef", r"(?>d)ef"),
    *(r"(?<=(d))\1", r"(?<=)", r"(?<!)", r"(?<=d)*", r"(?<!x){2}", r"(?<=a|bc)d"),
    *(r"(?P<n>a)", r"(?<n>a)", r"(?P=n)", r"(?R)", r"(?1)", r"(?|a|b)", r"(?(1)a|b)"),
    *(r"a++", r"a*+", r"a**", r"*a", r"{1}", r"a{256}", r"\1", r"(a)\2", r"()\1"),
    *(r"\p{L}", r"\X", r"\R", r"\K", r"\G", r"\Q", r"\c", r"\c*", r"[\c]", r"\x"),
    *(r"[\d-x]", r"[z-a]", r"[[.foo.]]", r"[[=a=]]", r"***", r"***=a(", r"(?q)a("),
    *(r"\U7fffffff", r"(*FAIL)", r"(?i)a", r"a(?i)b", r"\A", r"\Z", r"\y", r"(?#c)a"),
    *("(" * 450 + "a" + ")" * 450, "(?<=" * 100 + "a" + ")" * 100, r"[\w\s]*" * 100),
]


@pytest.mark.parametrize("flag", ["", "i"])
def test_every_feature_is_searched_or_refused(indexed: Repository, flag: str) -> None:
    for feature in FEATURES:
        try:
            ask(f"/{feature}/{flag}")
        except InvalidInput as error:
            assert error.message.startswith(f"/{feature}/ is "), feature  # noqa: PT017


def _timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return str(cursor.fetchone()[0])


def test_an_expression_that_is_slow_ends_in_time_and_says_so(
    indexed: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _timeout()
    File.objects.filter(path="b.txt").update(
        text=" ".join(f"w{n}" for n in range(20_000)) + " !"
    )
    files = list(File.objects.order_by("path").values_list("pk", "size"))
    monkeypatch.setattr(scanning, "_FIRST_BYTES", 1)
    scan = scan_files(LinePattern("(w\\d+) .* \\1 !", True), files, seconds=0.2)
    assert scan.is_cut
    assert scan.read < scan.total
    assert _timeout() == before


def test_with_little_time_what_was_found_is_shown(
    indexed: Repository, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.SEARCH_TIMEOUT = 2.0
    File.objects.filter(path="b.txt").update(
        text=" ".join(f"w{n}" for n in range(60_000)) + " !"
    )
    monkeypatch.setattr(scanning, "_FIRST_BYTES", 1)
    query = SearchQuery(text="/done|(w\\d+) .* \\1 !/", principal=SYSTEM)
    result = search(query)
    assert "a.txt" in [hit.path for hit in result.hits]
    assert result.notes[0].startswith("Stopped after 1")


def test_what_was_found_before_the_time_was_over_is_shown(indexed: Repository) -> None:
    files = list(File.objects.filter(path="b.txt").values_list("pk", "size"))
    scan = scan_files(LinePattern("foo"), files)
    assert not scan.is_cut
    assert [line.number for line in find_lines(scan, scan.file_ids)] == [2]

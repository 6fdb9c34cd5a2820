"""From where to where a question traces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devrag.ask.trace.question import TraceEnd, read_endpoints

NAMED = [
    ("How does `Client.get` reach `Transport.send`?", "Client.get", "Transport.send"),
    ("How does Client.get end up in send_request?", "Client.get", "send_request"),
    ("how does getUser get called by `main`", "main", "getUser"),
    ("How is `node.get` reached from `Engine.serve`?", "Engine.serve", "node.get"),
    ("path from a.b to c_d", "a.b", "c_d"),
    ("call path from `devrag index` to parse_file", "devrag index", "parse_file"),
    ("How does POST /api/items get to save_item?", "POST /api/items", "save_item"),
    ("trace server.py -> Store.save", "server.py", "Store.save"),
    ("show me the path between parseUrl and fetchData", "parseUrl", "fetchData"),
    ("Does `a` ever call `b`?", "a", "b"),
    ("Where does `Foo.bar` call `baz()`?", "Foo.bar", "baz()"),
    ("How does `main` reach `run`, and where is it closed?", "main", "run"),
    ("How does the function `f` call the method `C::g`?", "f", "C::g"),
    ("`X` から `Y` まで", "X", "Y"),
    ("`X` はどうやって `Y` を呼びますか", "X", "Y"),
    ("`X` は `Y` をどのように呼び出しますか？", "X", "Y"),
    (
        "Client.get から Transport.send までの経路を教えて",
        "Client.get",
        "Transport.send",
    ),
    ("`load` は `parse` からどのように呼ばれますか", "parse", "load"),
    ("`main` から `run` が呼ばれるまでの流れは？", "main", "run"),
    ("「Client.get」から「Transport.send」への経路", "Client.get", "Transport.send"),
]
WORDS = [
    ("from sign-in to the token check", "sign-in", "token check"),
    ("How does the request handler reach the database?", "request handler", "database"),
    ("ログインからトークンの検証までの流れ", "ログイン", "トークンの検証"),
]
OTHERS = [
    "",
    "   ",
    "Where is the token checked?",
    "How do I call the API?",
    "How does it reach the database?",
    "What is the difference between `a` and `b`?",
    "`a`",
    "How does `a` call `a`?",
    "How does `a` and `b` reach `c`?",
    "サーバーはどうやって動きますか",
    "from a to " + "b" * 700,
]


@pytest.mark.parametrize(("text", "start", "end"), NAMED)
def test_names_of_code_are_the_ends_of_a_path(text: str, start: str, end: str) -> None:
    found = read_endpoints(text)
    assert found is not None
    assert (found.start.text, found.end.text) == (start, end)
    assert found.is_named


@pytest.mark.parametrize(("text", "start", "end"), WORDS)
def test_plain_words_are_ends_but_no_names(text: str, start: str, end: str) -> None:
    found = read_endpoints(text)
    assert found is not None
    assert (found.start, found.end) == (TraceEnd(start), TraceEnd(end))
    assert not found.is_named


@pytest.mark.parametrize("text", OTHERS)
def test_other_questions_trace_nothing(text: str) -> None:
    assert read_endpoints(text) is None


@given(st.text(alphabet="`「」ab .->からまでtofrmhwdesc\n\ue000\ue0011", max_size=80))
def test_whatever_is_typed_is_read_or_not(text: str) -> None:
    found = read_endpoints(text)
    assert found is None or (found.start.text and found.end.text)

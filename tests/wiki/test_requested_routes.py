"""Tests that request a route reach the topic that serves it."""

from __future__ import annotations

from devrag.wiki.analysis.requested_routes import requested_routes
from tests.wiki.shop import SHOP, analyse
from tests.wiki.written import write

ROUTES = {
    "shop/loans/views.py": '"""Lend books."""\n\nfrom fastapi import FastAPI\n\n'
    'app = FastAPI()\n\n\n@app.post("/loans")\ndef lend(book):\n'
    '    """Lend a book to a customer."""\n    return book\n' + "# filler\n" * 60,
}
CLIENT = {
    "tests/loans/test_api.py": "def test_lend(client):\n"
    '    assert client.post("/loans?copies=2").status_code == 200\n',
}
OTHER = {
    "tests/loans/test_api.py": "def test_lend(client):\n"
    '    assert client.post("/loans/late").status_code == 404\n',
}


def test_the_line_of_the_request_is_found_with_the_route() -> None:
    analysis = analyse({**SHOP, **ROUTES, **CLIENT})
    (found,) = requested_routes(analysis)
    assert (found.path, found.line, found.route.start_line) == ("/loans", 2, 8)
    assert {analysis.files[found.test].path} == set(CLIENT)


def test_a_form_feed_ends_no_line() -> None:
    client = {path: f'"""One\fpage."""\n{text}' for path, text in CLIENT.items()}
    (found,) = requested_routes(analyse({**SHOP, **ROUTES, **client}))
    assert found.line == 3


def test_a_longer_path_is_another_route() -> None:
    assert requested_routes(analyse({**SHOP, **ROUTES, **OTHER})) == ()


def test_a_topic_whose_route_is_requested_is_not_called_untested() -> None:
    page = write({**SHOP, **ROUTES, **CLIENT})["testing.md"]
    assert "(`/loans` [" in page.markdown
    assert page.findings == ()
    assert "Loans" not in _untested(page.markdown)


def test_a_topic_that_no_test_requests_is_called_untested() -> None:
    page = write({**SHOP, **ROUTES, **OTHER})["testing.md"]
    assert "Loans" in _untested(page.markdown)


def _untested(markdown: str) -> str:
    return markdown.partition("## What no test names")[2]

"""Pages are sent compressed to our own pages, and to nobody who could measure them."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from devrag.web import compression
from devrag.web.compression import CompressionMiddleware

from .conftest import Harbour

OWN = {"Sec-Fetch-Site": "same-origin", "Accept-Encoding": "gzip, deflate"}
PAGE = b"<p>harbour</p>" * 500


def answer(
    rf: RequestFactory, headers: dict[str, str], response: HttpResponse | None = None
) -> HttpResponse:
    given = response or HttpResponse(PAGE)
    return CompressionMiddleware(lambda _: given)(rf.get("/", headers=headers))


def test_pages_are_compressed_and_read_as_before(bob: Client, harbour: Harbour) -> None:
    plain = bob.get("/p/harbour/").content
    sent = bob.get("/p/harbour/", headers=OWN)
    assert sent["Content-Encoding"] == "gzip"
    assert int(sent["Content-Length"]) == len(sent.content) < len(plain) / 2
    assert gzip.decompress(sent.content).startswith(b"<!doctype html>")
    assert "Accept-Encoding" in sent["Vary"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept-Encoding": "gzip"},
        {**OWN, "Sec-Fetch-Site": "cross-site"},
        {**OWN, "Sec-Fetch-Site": "same-site"},
        {**OWN, "Accept-Encoding": "identity"},
        {**OWN, "Accept-Encoding": "gzip;q=0"},
    ],
)
def test_what_another_site_asks_for_has_its_own_length(
    rf: RequestFactory, headers: dict[str, str]
) -> None:
    sent = answer(rf, headers)
    assert "Content-Encoding" not in sent.headers
    assert sent.content == PAGE


def test_a_page_that_shows_a_secret_once_is_sent_as_it_is(rf: RequestFactory) -> None:
    secret = HttpResponse(PAGE, headers={"Cache-Control": "no-store"})
    assert "Content-Encoding" not in answer(rf, OWN, secret).headers


def test_what_is_small_or_no_text_is_sent_as_it_is(rf: RequestFactory) -> None:
    image = HttpResponse(PAGE, content_type="image/png")
    for response in (HttpResponse(b"<p>x</p>"), image):
        assert "Content-Encoding" not in answer(rf, OWN, response).headers


def test_the_same_page_has_many_lengths(rf: RequestFactory) -> None:
    lengths = {len(answer(rf, OWN, HttpResponse(PAGE)).content) for _ in range(40)}
    assert len(lengths) > 5


def test_brotli_goes_before_gzip(rf: RequestFactory) -> None:
    brotli = pytest.importorskip("brotli")
    sent = answer(rf, {**OWN, "Accept-Encoding": "gzip, br"})
    assert sent["Content-Encoding"] == "br"
    assert brotli.decompress(sent.content).startswith(PAGE)
    assert compression.brotli is brotli
